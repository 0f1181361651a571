package cluster

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/rest"
)

// somePage is a page with every sort of object: of 90 kB, terminating, owned, held, plain.
func somePage(next string) *metav1.PartialObjectMetadataList {
	deleted, seconds := metav1.Unix(1_700_000_000, 0), int64(30)
	list := &metav1.PartialObjectMetadataList{
		TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadataList"},
		ListMeta: metav1.ListMeta{ResourceVersion: "7", Continue: next},
	}
	for name, change := range map[string]func(*metav1.ObjectMeta){
		"plain": func(*metav1.ObjectMeta) {},
		"long": func(m *metav1.ObjectMeta) {
			m.Annotations = map[string]string{
				"text": strings.Repeat("long ", 18_000),
			}
		},
		"terminating": func(m *metav1.ObjectMeta) { m.DeletionTimestamp, m.DeletionGracePeriodSeconds = &deleted, &seconds },
		"owned": func(m *metav1.ObjectMeta) {
			m.OwnerReferences = []metav1.OwnerReference{{Kind: "ConfigMap", Name: "o", UID: "u"}}
		},
		"held": func(m *metav1.ObjectMeta) { m.Finalizers = []string{"example.com/a", "example.com/b"} },
	} {
		item := metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: "shop", UID: "uid", Generation: 3, Labels: map[string]string{"a": "b"},
		}}
		change(&item.ObjectMeta)
		list.Items = append(list.Items, item)
	}
	return list
}

func inProtobuf(t testing.TB, list *metav1.PartialObjectMetadataList) []byte {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	var encoded bytes.Buffer
	if err := protobuf.NewSerializer(scheme, scheme).Encode(list, &encoded); err != nil {
		t.Fatal(err)
	}
	return encoded.Bytes()
}

func inJSON(t *testing.T, list *metav1.PartialObjectMetadataList) []byte {
	t.Helper()
	encoded, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func read(data []byte, keep Keep) (names map[string]metav1.PartialObjectMetadata, next string, err error) {
	names = map[string]metav1.PartialObjectMetadata{}
	list, err := readPage(bufio.NewReaderSize(bytes.NewReader(data), streamBuffer), Pods(),
		&metadataFilter{keep: keep, list: &listed{},
			visit: func(object *metav1.PartialObjectMetadata) { names[object.Name] = *object }})
	return names, list.Continue, err
}

func TestReadPage(t *testing.T) {
	page := somePage("more")
	for form, data := range map[string][]byte{"protobuf": inProtobuf(t, page), "JSON": inJSON(t, page)} {
		for keep, want := range map[Keep]string{
			KeepAll: "held long owned plain terminating", KeepTerminating: "terminating", KeepOwned: "owned", KeepHeld: "held",
			KeepTerminating | KeepOwned: "owned terminating",
		} {
			got, next, err := read(data, keep)
			if err != nil || next != "more" {
				t.Fatalf("%s: next page %q, error %v", form, next, err)
			}
			for _, item := range page.Items {
				kept, found := got[item.Name]
				if found != strings.Contains(want, item.Name) {
					t.Errorf("%s, keep %b: %s is kept: %t", form, keep, item.Name, found)
				} else if diff := cmp.Diff(item.ObjectMeta, kept.ObjectMeta); found && diff != "" {
					t.Errorf("%s: %s (-want +got):\n%s", form, item.Name, diff)
				}
			}
		}
	}
}

func TestReadBrokenPage(t *testing.T) {
	page := somePage("more")
	for i := range page.Items {
		delete(page.Items[i].Annotations, "text")
	}
	for form, data := range map[string][]byte{"protobuf": inProtobuf(t, page), "JSON": inJSON(t, page)} {
		for end := range len(data) {
			// Behind the list itself, protobuf has two empty fields.
			if got, next, err := read(data[:end], KeepAll); err == nil && (len(got) < len(page.Items) || next != "more") {
				t.Fatalf("%s: cut off after %d of %d bytes, and that is no error (next page %q)", form, end, len(data), next)
			}
		}
		for at := range data {
			bent := bytes.Clone(data)
			bent[at] ^= 0xff
			_, _, _ = read(bent, KeepSlim) // must not panic, nor take all memory
		}
	}
	for _, other := range []string{`{"kind":"Status","items":7}`, `[]`, `"text"`, `{"items":[7]}`} {
		if _, _, err := read([]byte(other), KeepAll); err == nil {
			t.Errorf("%s passes for a list", other)
		}
	}
	if got, _, err := read([]byte(`{"kind":"List","metadata":{},"items":null}`), KeepAll); err != nil || len(got) != 0 {
		t.Errorf("a list without items: %v, %v", got, err)
	}
}

// TestEachMetadata reads from a server that is busy, forgets a token and turns its pages, which a real
// one can't be made to do on demand.
func TestEachMetadata(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Accept"), "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList") {
			t.Errorf("Accept: %s", r.Header.Get("Accept"))
		}
		asked = append(asked, r.URL.Path+" "+r.URL.Query().Get("continue"))
		switch len(asked) {
		case 1:
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
		case 3:
			w.WriteHeader(http.StatusGone)
			_, _ = fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}`)
		case 2, 4:
			_, _ = w.Write(inProtobuf(t, somePage("more")))
		default:
			_, _ = w.Write(inJSON(t, somePage("")))
		}
	}))
	defer server.Close()
	live, err := NewLive(t.Context(), &rest.Config{Host: server.URL}, "")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	if err := live.EachMetadata(t.Context(), Pods(), "shop", Selector{Keep: KeepHeld},
		func(*metav1.PartialObjectMetadata) { seen++ }); err != nil {
		t.Fatal(err)
	}
	pods := "/api/v1/namespaces/shop/pods "
	if diff := cmp.Diff([]string{pods, pods, pods + "more", pods, pods + "more"}, asked); diff != "" || seen != 3 {
		t.Errorf("%d objects seen; requests (-want +got):\n%s", seen, diff)
	}
}

// BenchmarkReadPage reads a page and keeps nothing: what a scan does most of the time.
func BenchmarkReadPage(b *testing.B) {
	page := &metav1.PartialObjectMetadataList{TypeMeta: metav1.TypeMeta{
		APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadataList",
	}}
	for range 10_000 {
		page.Items = append(page.Items, metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name: "settings", Namespace: "shop", UID: "7f1f9a5e-0000-4000-8000-000000000000",
			Labels: map[string]string{"app.kubernetes.io/name": "settings"},
			ManagedFields: []metav1.ManagedFieldsEntry{{
				Manager:  "kubectl",
				FieldsV1: metav1.NewFieldsV1(`{"f:data":{".":{},"f:text":{}},"f:metadata":{"f:labels":{".":{}}}}`),
			}},
		}})
	}
	data := inProtobuf(b, page)
	b.SetBytes(int64(len(data)))
	for keep, name := range map[Keep]string{KeepTerminating: "dropped", KeepSlim: "slim", KeepAll: "whole"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := readPage(bufio.NewReaderSize(bytes.NewReader(data), streamBuffer), Pods(),
					&metadataFilter{keep: keep, list: &listed{}, visit: func(*metav1.PartialObjectMetadata) {}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

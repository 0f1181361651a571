package cluster

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FuzzPage reads pages of lists, in protobuf and in JSON: whatever comes, it is a list, or an error and nothing kept of
// what without apiVersion and kind. What is kept of a page may not depend on what else is wanted.
func FuzzPage(f *testing.F) {
	page := somePage("more")
	page.Items = slices.DeleteFunc(page.Items, func(item metav1.PartialObjectMetadata) bool { return item.Name == "long" })
	encoded, err := json.Marshal(page)
	if err != nil {
		f.Fatal(err)
	}
	inBytes := inProtobuf(f, page)
	for _, seed := range [][]byte{
		inBytes, inBytes[:len(inBytes)/2], encoded, encoded[:len(encoded)/2], []byte("{}"), []byte("null"), []byte("<html>"),
		[]byte(protobufMagic), []byte(protobufMagic + "\x12\x00"),
		[]byte(`{"kind":"PodList","apiVersion":"v1","items":[null]}`),
		[]byte(`{"items":[{"metadata":{"name":"a"}}],"kind":"PodList","apiVersion":"v1"}`),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all := map[string]int{}
		reads := func(keep Keep, visit func(*metav1.PartialObjectMetadata)) error {
			in := bufio.NewReaderSize(bytes.NewReader(data), streamBuffer)
			_, err := readPage(in, Pods(), &metadataFilter{keep: keep, visit: visit, list: &listed{}})
			return err
		}
		whole := reads(KeepAll, func(object *metav1.PartialObjectMetadata) { all[object.Name]++ })
		for _, keep := range []Keep{KeepTerminating, KeepOwned, KeepHeld, KeepSlim, KeepSlim | KeepSample} {
			some := reads(keep, func(object *metav1.PartialObjectMetadata) {
				if whole == nil && all[object.Name] == 0 {
					t.Errorf("%q is in no page", object.Name)
				}
			})
			if whole == nil && some != nil {
				t.Errorf("the page is whole, and with %b it isn't: %v", keep, some)
			}
		}
	})
}

// FuzzDiscovery checks what answers a question about what is served: an object that isn't of a kind that does is none.
func FuzzDiscovery(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"APIVersions","versions":["v1"]}`, `{"kind":"APIGroupList","groups":[]}`, `{}`, `null`, `[`, `<html>`, ``,
		`{"kind":"APIGroupDiscoveryList","items":[{}]}`, `{"kind":"Status","status":"Success"}`, `{"kind":["x"]}`,
	} {
		f.Add("/apis", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, path string, data []byte) {
		kinds := discoveryKinds(path)
		if kinds == nil {
			return
		}
		_, err := checked(&http.Response{}, data, kinds)
		var is struct{ Kind string }
		if err == nil && !bytes.HasPrefix(data, []byte(protobufMagic)) && (json.Unmarshal(data, &is) != nil ||
			is.Kind != "" && !slices.Contains(kinds, is.Kind)) {
			t.Errorf("%q passes for an answer about %s", data, path)
		}
	})
}

// FuzzAnswer takes what answers writes and dry runs: it is never taken for another object's.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"Service","apiVersion":"v1","metadata":{"name":"web"}}`, `{"kind":"Status","status":"Success"}`,
		`{"kind":"Status","status":{"x":1}}`, `{}`, `null`, ``, `{"kind":"Service","metadata":{"name":"db"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var is struct {
			Kind     string
			Metadata struct{ Name string }
		}
		if expectDeleted(Services(), "web", data) == nil &&
			(json.Unmarshal(data, &is) != nil || is.Kind != "Status" && (is.Kind != "Service" || is.Metadata.Name != "web")) {
			t.Errorf("%q passes for the answer to a DELETE", data)
		}
	})
}

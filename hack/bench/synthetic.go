package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// kinds is how many kinds the synthetic server has, and stuckThere how many of its objects are Terminating.
const (
	kinds      = 2000
	stuckThere = 50
)

// growth measures the bare scan of more and more objects. No real API server has to store them.
func (m *measurer) growth(ctx context.Context) error {
	fmt.Println("\n| objects | kinds | time | time for each | memory |\n|---|---|---|---|---|")
	for _, objects := range []int{10_000, 100_000, 1_000_000} {
		fastest, most, err := m.grown(ctx, objects)
		if err != nil {
			return err
		}
		fmt.Printf("| %d | %d | %s | %.1f µs | %s |\n", objects, kinds, milliseconds(fastest),
			float64(fastest.Microseconds())/float64(objects), size(most))
	}
	return nil
}

func (m *measurer) grown(ctx context.Context, objects int) (fastest time.Duration, most int64, err error) {
	dir, err := os.MkdirTemp("", "bench-growth-")
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, 0, err
	}
	server := &http.Server{Handler: newSynthetic(objects / kinds), ReadHeaderTimeout: time.Minute}
	defer func() { _ = server.Close() }()
	go func() { _ = server.Serve(listener) }()
	kubeconfig := filepath.Join(dir, "kubeconfig")
	content := fmt.Sprintf("apiVersion: v1\nkind: Config\ncurrent-context: b\n"+
		"contexts: [{name: b, context: {cluster: b}}]\nclusters: [{name: b, cluster: {server: 'http://%s'}}]\n",
		listener.Addr())
	if err := os.WriteFile(kubeconfig, []byte(content), 0o600); err != nil {
		return 0, 0, err
	}
	for run := range m.runs {
		took, _, memory, err := once(ctx,
			[]string{m.binary, "list", "-A", "--no-causes", "--kubeconfig", kubeconfig, "--cache-dir", dir})
		if err != nil {
			return 0, 0, err
		}
		if run == 0 || took < fastest {
			fastest = took
		}
		most = max(most, memory)
	}
	return fastest, most, nil
}

// synthetic is an API server that serves the same page of metadata over and over.
type synthetic struct {
	each    int // objects of each kind
	groups  []byte
	plain   []byte // one object
	deleted []byte // one that is Terminating
}

func newSynthetic(each int) *synthetic {
	s := &synthetic{each: each}
	resources := make([]apidiscovery.APIResourceDiscovery, kinds)
	for i := range resources {
		resources[i] = apidiscovery.APIResourceDiscovery{
			Resource: fmt.Sprintf("things%04d", i),
			ResponseKind: &metav1.GroupVersionKind{
				Group: "bench.example.com", Version: "v1", Kind: fmt.Sprintf("Thing%04d", i),
			},
			Scope: apidiscovery.ScopeNamespace, Verbs: []string{"get", "list", "watch", "delete"},
		}
	}
	list := apidiscovery.APIGroupDiscoveryList{
		TypeMeta: metav1.TypeMeta{APIVersion: "apidiscovery.k8s.io/v2", Kind: "APIGroupDiscoveryList"},
		Items: []apidiscovery.APIGroupDiscovery{{
			ObjectMeta: metav1.ObjectMeta{Name: "bench.example.com"},
			Versions: []apidiscovery.APIVersionDiscovery{{
				Version: "v1", Resources: resources, Freshness: apidiscovery.DiscoveryFreshnessCurrent,
			}},
		}},
	}
	s.groups, _ = json.Marshal(list)
	object := metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Name: "thing", Namespace: "bench", UID: "7f1f9a5e-0000-4000-8000-000000000000", ResourceVersion: "123456",
		Generation: 1, CreationTimestamp: metav1.Now(),
		Labels: map[string]string{"app.kubernetes.io/name": "thing", "app.kubernetes.io/part-of": "bench"},
		ManagedFields: []metav1.ManagedFieldsEntry{{
			Manager: "bench", Operation: "Update", APIVersion: "bench.example.com/v1", FieldsType: "FieldsV1",
			FieldsV1: metav1.NewFieldsV1(`{"f:metadata":{"f:labels":{".":{},"f:app.kubernetes.io/name":{},` +
				`"f:app.kubernetes.io/part-of":{}}},"f:spec":{".":{},"f:size":{}}}`),
		}},
	}}
	s.plain, _ = object.Marshal()
	at := metav1.Now()
	object.DeletionTimestamp, object.Finalizers = &at, []string{"bench.example.com/cleanup"}
	s.deleted, _ = object.Marshal()
	return s
}

// ServeHTTP implements http.Handler.
func (s *synthetic) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case len(path) == 1: // /api and /apis
		w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
		data := s.groups
		if path[0] == "api" {
			data = []byte(`{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","items":[]}`)
		}
		_, _ = w.Write(data)
	case len(path) == 4:
		s.list(w, r, path[3] == "things0000")
	default:
		http.NotFound(w, r)
	}
}

// list streams a page.
func (s *synthetic) list(w http.ResponseWriter, r *http.Request, first bool) {
	from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	to := s.each
	if limit, _ := strconv.Atoi(r.URL.Query().Get("limit")); limit > 0 {
		to = min(to, from+limit)
	}
	meta := []byte{}
	if to < s.each {
		meta = field(nil, 3, []byte(strconv.Itoa(to)))
	}
	stuck := 0
	if first && from == 0 {
		stuck = min(stuckThere, to)
	}
	plain, head := field(nil, 2, s.plain), field(nil, 1, meta)
	length := len(head) + (to-from-stuck)*len(plain)
	var there []byte
	for number := range stuck {
		one := append([]byte{}, s.deleted...)
		copy(one[strings.Index(string(one), "000000000000"):], fmt.Sprintf("%012d", number))
		there = field(there, 2, one)
	}
	length += len(there)
	w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf")
	start := field([]byte("k8s\x00"), 1,
		field(field(nil, 1, []byte("meta.k8s.io/v1")), 2, []byte("PartialObjectMetadataList")))
	start = binary.AppendUvarint(append(start, 2<<3|2), uint64(length))
	_, _ = w.Write(append(append(start, head...), there...))
	for range to - from - stuck {
		_, _ = w.Write(plain)
	}
}

func field(to []byte, number byte, content []byte) []byte {
	return append(binary.AppendUvarint(append(to, number<<3|2), uint64(len(content))), content...)
}

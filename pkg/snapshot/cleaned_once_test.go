package snapshot_test

import (
	"bytes"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestCleanedOnce cleans every object of the zoo's recordings, twice: what was cleaned is kept as it is.
func TestCleanedOnce(t *testing.T) {
	catalogue := known(t)
	var compared atomic.Int64
	t.Run("recordings", func(t *testing.T) {
		eachRecording(t, func(t *testing.T, data []byte) {
			compared.Add(int64(cleanTwice(t, data, catalogue)))
		})
	})
	if compared.Load() < 1000 {
		t.Errorf("%d objects were compared: nothing was proven", compared.Load())
	}
}

// cleanTwice compares what is cleaned once with what is cleaned twice, and returns of how many objects.
func cleanTwice(t *testing.T, data []byte, catalogue *plugins.Set) (compared int) {
	t.Helper()
	var once, twice bytes.Buffer
	if err := snapshot.Renew(t.Context(), data, &once, catalogue); err != nil {
		t.Fatal(err)
	}
	if err := snapshot.Renew(t.Context(), once.Bytes(), &twice, catalogue); err != nil {
		t.Fatal(err)
	}
	before, after := opened(t, once.Bytes()), opened(t, twice.Bytes())
	was := everything(t, before, before)
	if is := everything(t, before, after); !reflect.DeepEqual(was, is) {
		t.Fatalf("-before +after:\n%s", cmp.Diff(was, is))
	}
	return len(was)
}

// everything asks for each object that a recording holds.
func everything(t *testing.T, recording *snapshot.Recording, reader cluster.Reader) (objects []any) {
	t.Helper()
	servedKinds, err := recording.ServedKinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, resource := range servedKinds.Resources {
		_ = recording.EachMetadata(t.Context(), resource, "", cluster.Selector{}, func(meta *metav1.PartialObjectMetadata) {
			if object, err := reader.Get(t.Context(), resource, meta.Namespace, meta.Name); err == nil {
				objects = append(objects, object.Object)
			} else if meta, err := reader.Metadata(t.Context(), resource, meta.Namespace, meta.Name); err == nil {
				objects = append(objects, meta)
			}
		})
	}
	return objects
}

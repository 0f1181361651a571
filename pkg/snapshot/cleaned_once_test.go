package snapshot_test

import (
	"bytes"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// TestCleanedOnce cleans every object of the zoo's recordings, twice: what was cleaned is kept as it is.
func TestCleanedOnce(t *testing.T) {
	compared := 0
	for _, file := range recordings(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var renewed bytes.Buffer
		if err := snapshot.Renew(t.Context(), data, &renewed, known(t)); err != nil {
			t.Fatal(err)
		}
		before := opened(t, renewed.Bytes())
		var twice bytes.Buffer
		if err := snapshot.Renew(t.Context(), renewed.Bytes(), &twice, known(t)); err != nil {
			t.Fatal(err)
		}
		was := everything(t, before, before)
		after := opened(t, twice.Bytes())
		if is := everything(t, before, after); !reflect.DeepEqual(was, is) {
			t.Fatalf("%s (-before +after):\n%s", file, cmp.Diff(was, is))
		}
		compared += len(was)
	}
	if compared < 1000 {
		t.Errorf("%d objects were compared: nothing was proven", compared)
	}
}

// everything asks for each object that a recording holds.
func everything(t *testing.T, recording *snapshot.Recording, reader cluster.Reader) (objects []any) {
	t.Helper()
	catalog, err := recording.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, resource := range catalog.Resources {
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

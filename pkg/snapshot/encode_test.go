package snapshot

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// TestEncodeMetadata compares with encoding/json what it stands in for, for everything in the zoo and for
// what is odd.
func TestEncodeMetadata(t *testing.T) {
	at, seconds := metav1.Unix(1_767_268_800, 0), int64(0)
	odd := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Name: "ä\x00\"<>&\u2028\xff", DeletionTimestamp: &at, DeletionGracePeriodSeconds: &seconds, Labels: map[string]string{"b": "", "a": "\\"},
		ManagedFields: []metav1.ManagedFieldsEntry{{}, {Manager: "m", FieldsV1: metav1.NewFieldsV1(`{"f:a":{}}`), Time: &at, Subresource: "status"}},
	}}
	compared := 0
	compare := func(meta *metav1.PartialObjectMetadata) {
		compared++
		want, err := json.Marshal(meta.ObjectMeta)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), encoded(t, meta)); diff != "" {
			t.Fatalf("differs (-encoding/json +ours):\n%s", diff)
		}
	}
	compare(odd)
	compare(&metav1.PartialObjectMetadata{})
	files, err := filepath.Glob("../../hack/zoo/testdata/recorded/*.snapshot")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		recording, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		_ = file.Close()
		for _, shelf := range recording.places {
			for key := range shelf.order {
				meta := &metav1.PartialObjectMetadata{}
				if err := json.Unmarshal(shelf.either(shelf.order[key]), meta); err != nil {
					t.Fatal(err)
				}
				compare(meta)
			}
		}
	}
	if compared < 100 {
		t.Errorf("%d objects were compared: nothing was proven", compared)
	}
}

// encoded is what a recording makes of metadata, of which nothing is secret.
func encoded(t *testing.T, meta *metav1.PartialObjectMetadata) string {
	t.Helper()
	wire, err := cluster.WireOf(&meta.ObjectMeta)
	if err != nil {
		t.Fatal(err)
	}
	e := encoder{cleaner: newCleaner()}
	if err := e.metadata(wire); err != nil {
		t.Fatal(err)
	}
	return string(e.data)
}

// TestEncodeMetadataCleans leaves out what a recording must not hold.
func TestEncodeMetadataCleans(t *testing.T) {
	got := encoded(t, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Name: "a", Labels: map[string]string{"kept": "yes"},
		Annotations: map[string]string{
			"kubectl.kubernetes.io/last-applied-configuration": "{}", "shop.example.com/key": "planted", "helm.sh/chart": "web",
			"kubernetes.io/description": "Bearer planted",
		},
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "m", FieldsV1: metav1.NewFieldsV1(`{"f:metadata":{"f:finalizers":{},"f:annotations":{"f:planted":{}}},"f:spec":{"f:planted":{}}}`)}},
	}})
	want := `{"name":"a","labels":{"kept":"yes"},"annotations":{"helm.sh/chart":"web","kubernetes.io/description":"Bearer (not recorded)","shop.example.com/key":"(not recorded)"},` +
		`"managedFields":[{"manager":"m","fieldsV1":{"f:metadata":{"f:finalizers":{}},"f:spec":{}}}]}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := encoded(t, &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"kubectl.kubernetes.io/last-applied-configuration": "{}"}}}); got != "{}" {
		t.Errorf("nothing is left of it: %s", got)
	}
}

// TestEncodeBrokenMetadata cuts metadata off at every byte: that is an error, or less of it, and never a panic.
func TestEncodeBrokenMetadata(t *testing.T) {
	at := metav1.Unix(1_767_268_800, 0)
	whole, err := cluster.WireOf(&metav1.ObjectMeta{
		Name: "a", DeletionTimestamp: &at, Labels: map[string]string{"a": "b"}, OwnerReferences: []metav1.OwnerReference{{Name: "o"}}, Finalizers: []string{"x/y"},
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "m", Time: &at, FieldsV1: metav1.NewFieldsV1(`{"f:a":{}}`)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for length := range whole {
		e := encoder{cleaner: newCleaner()}
		if err := e.metadata(whole[:length]); err != nil {
			failed++
		} else if !json.Valid(e.data) {
			t.Errorf("%d bytes: %s", length, e.data)
		}
	}
	if failed < len(whole)/2 {
		t.Errorf("%d of %d parts were refused", failed, len(whole))
	}
}

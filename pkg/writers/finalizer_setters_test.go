package writers_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

func entry(manager string, at time.Time, fields string) metav1.ManagedFieldsEntry {
	when := metav1.NewTime(at)
	entry := metav1.ManagedFieldsEntry{Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, Time: &when,
		FieldsV1: &metav1.FieldsV1{}}
	entry.FieldsV1.SetRawBytes([]byte(fields))
	return entry
}

func TestSetters(t *testing.T) {
	early, late := time.Unix(1000, 0), time.Unix(2000, 0)
	meta := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{ManagedFields: []metav1.ManagedFieldsEntry{
		entry("shop-operator", early, `{"f:metadata":{"f:finalizers":{".":{},"v:\"shop.example.com/cleanup\"":{}}}}`),
		entry("kubectl-edit", late, `{"f:metadata":{"f:finalizers":{"v:\"shop.example.com/cleanup\"":{},"v:\"other\"":{}}}}`),
		entry("helm", late, `{"f:metadata":{"f:labels":{"v:\"shop.example.com/cleanup\"":{}}}}`),
		entry("broken", late, `not JSON`),
		{Manager: "no fields at all"},
	}}}
	want := []writers.Setter{{Manager: "kubectl-edit", At: late, ByHand: true}, {Manager: "shop-operator", At: early}}
	if diff := cmp.Diff(want, writers.Setters(meta, "shop.example.com/cleanup")); diff != "" {
		t.Errorf("setters (-want +got):\n%s", diff)
	}
	if got := writers.Setters(meta, "nobody/holds-this"); got != nil {
		t.Errorf("setters of a finalizer that nobody holds: %v", got)
	}
}

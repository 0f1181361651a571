package attribution

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// TestUpdatedBy: only who has written to an object after its creation has had the right to change it.
func TestUpdatedBy(t *testing.T) {
	created := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	const name = "vat-billing"
	billing := &candidate{account: rbac.Subject{Kind: "ServiceAccount", Name: name}, programs: []string{name}}
	later := created.Add(time.Minute)
	for situation, c := range map[string]struct {
		setter    writers.Setter
		specifier string // who wrote the spec, if that is known
		want      bool
	}{
		"it created the object":                  {writers.Setter{Manager: name, At: created}, "", false},
		"it created the object with its spec":    {writers.Setter{Manager: name, At: created}, name, false},
		"it wrote when another had created it":   {writers.Setter{Manager: name, At: created}, "kubectl-create", true},
		"another one wrote, of a third one's":    {writers.Setter{Manager: "vat-store", At: created}, "kubectl", false},
		"it wrote later":                         {writers.Setter{Manager: name, At: later}, "", true},
		"another program wrote":                  {writers.Setter{Manager: "vat-store", At: later}, "", false},
		"it writes manifests, and wrote no spec": {writers.Setter{Manager: name, At: created, ByHand: true}, "x", false},
		"it writes manifests":                    {writers.Setter{Manager: name, At: later, ByHand: true}, "", false},
	} {
		var fields []metav1.ManagedFieldsEntry
		if c.specifier != "" {
			at := metav1.NewTime(created)
			fields = append(fields, metav1.ManagedFieldsEntry{
				Manager: c.specifier, Operation: metav1.ManagedFieldsOperationUpdate, Time: &at,
				FieldsV1: metav1.NewFieldsV1(`{"f:spec":{}}`),
			})
		}
		h := &held{
			object: &session.Object{Meta: &metav1.PartialObjectMetadata{
				ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(created), ManagedFields: fields},
			}},
			setters: []writers.Setter{c.setter},
		}
		if got := updatedBy(h, billing); got != c.want {
			t.Errorf("%s: %t, want %t", situation, got, c.want)
		}
	}
}

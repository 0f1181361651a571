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
	billing := &candidate{account: rbac.Subject{Kind: "ServiceAccount", Name: "vat-billing"}, programs: []string{"vat-billing"}}
	for name, c := range map[string]struct {
		setter writers.Setter
		want   bool
	}{
		"it created the object":      {writers.Setter{Manager: "vat-billing", At: created}, false},
		"it wrote later":             {writers.Setter{Manager: "vat-billing", At: created.Add(time.Minute)}, true},
		"another program wrote":      {writers.Setter{Manager: "vat-store", At: created.Add(time.Minute)}, false},
		"a person wrote, as nothing": {writers.Setter{Manager: "vat-billing", At: created.Add(time.Minute), ByHand: true}, false},
	} {
		h := &held{
			object: &session.Object{Meta: &metav1.PartialObjectMetadata{
				ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(created)},
			}},
			setters: []writers.Setter{c.setter},
		}
		if got := h.updatedBy(billing); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}

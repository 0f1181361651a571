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
		setter writers.Setter
		want   bool
	}{
		"it created the object": {writers.Setter{Manager: name, At: created}, false},
		"it wrote later":        {writers.Setter{Manager: name, At: later}, true},
		"another program wrote": {writers.Setter{Manager: "vat-store", At: later}, false},
		"it writes manifests":   {writers.Setter{Manager: name, At: later, ByHand: true}, false},
	} {
		h := &held{
			object: &session.Object{Meta: &metav1.PartialObjectMetadata{
				ObjectMeta: metav1.ObjectMeta{CreationTimestamp: metav1.NewTime(created)},
			}},
			setters: []writers.Setter{c.setter},
		}
		if got := updatedBy(h, billing); got != c.want {
			t.Errorf("%s: %t, want %t", situation, got, c.want)
		}
	}
}

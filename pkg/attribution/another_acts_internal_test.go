package attribution

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestAnotherActs wants the program that set a finalizer, and is down, not to be blamed where another one with the same
// rights runs and says that the deletion continues, and to be blamed where that one writes of something else.
func TestAnotherActs(t *testing.T) {
	for words, want := range map[string]PresenceState{
		"removing volumes, 3 of 9 are removed": Running,
		"9 EUR a month":                        Down,
	} {
		object := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "shop.example.com/v1", "kind": "Claim",
			"metadata": map[string]any{
				"name": "x", "namespace": "a", "deletionTimestamp": "2026-01-02T03:00:00Z",
				"managedFields": []any{map[string]any{
					"manager": "claim-deleter", "operation": "Update", "subresource": "status", "fieldsType": "FieldsV1",
					"time":     "2026-01-02T03:04:00Z",
					"fieldsV1": map[string]any{"f:status": map[string]any{"f:conditions": map[string]any{}}},
				}},
			},
			"status": map[string]any{"conditions": []any{map[string]any{
				"type": "Said", "status": "True", "message": words, "lastTransitionTime": "2026-01-02T03:04:00Z",
			}}},
		}}
		resource := cluster.Resource{
			GroupVersionResource: schema.GroupVersionResource{
				Group: "shop.example.com", Version: "v1", Resource: "claims",
			}, Kind: "Claim",
		}
		whole, err := session.FromWhole(resource, object)
		if err != nil {
			t.Fatal(err)
		}
		setter := &candidate{account: rbac.Subject{Name: "claim-provisioner"}, state: candidateDown}
		other := &candidate{
			account: rbac.Subject{Name: "claim-deleter"}, state: candidateAlive, access: &rbac.Access{},
		}
		other.access.Write = true
		h := &held{object: whole, search: search{
			criteria: criteria{resource: resource}, met: []*candidate{setter, other},
		}}
		if got := unlessAnotherActs(t.Context(), h, decision{Down, setter}); got.state != want {
			t.Errorf("%s: %v", words, got.state)
		}
	}
}

package zoo_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

// TestRoles applies the roles of docs/rbac and holds each against what it is for.
func TestRoles(t *testing.T) {
	plane := controlplane.ForTest(t)
	client, err := plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	apply(t, plane)
	t.Run("reader is all of Kubernetes but Secrets", func(t *testing.T) {
		compareRules(t, served(t, client, false), rulesIn(t, "reader.yaml"))
	})
	t.Run("namespace reader is what a namespace holds", func(t *testing.T) {
		compareRules(t, append(served(t, client, true), "namespaces"), rulesIn(t, "namespace-reader.yaml"))
	})
	t.Run("may", func(t *testing.T) { ask(t, client) })
}

// apply creates all of docs/rbac, waits for the aggregation, and binds each role to a user of its name.
func apply(t *testing.T, plane *controlplane.ControlPlane) {
	t.Helper()
	breaker, err := zoo.NewBreaker(plane)
	if err != nil {
		t.Fatal(err)
	}
	steps := zoo.Scenario{ID: "roles"}
	files := []string{"reader.yaml", "reader-secrets.yaml", "custom-resources.yaml", "remover.yaml", "logs.yaml"}
	for _, file := range files {
		data, err := os.ReadFile(roles + file)
		if err != nil {
			t.Fatal(err)
		}
		steps.Steps = append(steps.Steps, zoo.Step{Apply: string(data)})
	}
	reader := zoo.Object{Object: "clusterrole/kubectl-finalizers-reader"}
	steps.Steps = append(steps.Steps,
		zoo.Step{Until: &zoo.Until{Object: reader, Path: `{.rules[?(@.apiGroups[0]=="shop.example.com")].verbs[0]}`}})
	for _, role := range []string{"reader", "remover", "logs"} {
		steps.Steps = append(steps.Steps, zoo.Step{Apply: `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: roles-` + role + `}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: kubectl-finalizers-` + role + `}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ` + role + `}]
`})
	}
	if err := breaker.Break(t.Context(), steps); err != nil {
		t.Fatal(err)
	}
}

// served returns what this Kubernetes serves itself and can be listed, but Secrets.
func served(t *testing.T, client kubernetes.Interface, namespacedOnly bool) []string {
	t.Helper()
	_, lists, err := client.Discovery().ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, list := range lists {
		group, _, grouped := strings.Cut(list.GroupVersion, "/")
		if grouped && strings.HasSuffix(group, ".example.com") {
			continue // another test's
		}
		for _, resource := range list.APIResources {
			if !slices.Contains(resource.Verbs, "list") || resource.Kind == "Secret" || namespacedOnly && !resource.Namespaced {
				continue
			}
			name := resource.Name
			if grouped {
				name += "." + group
			}
			names = append(names, name)
		}
	}
	return names
}

func compareRules(t *testing.T, want []string, rules []rbacv1.PolicyRule) {
	t.Helper()
	for _, rule := range rules {
		verbs := []string{"get", "list", "watch"}
		if slices.Equal(rule.Resources, []string{"namespaces"}) {
			verbs = verbs[:1] // a role in a namespace can't allow more
		}
		if !slices.Equal(rule.Verbs, verbs) {
			t.Errorf("the verbs for %v are %v, want %v", rule.Resources, rule.Verbs, verbs)
		}
		for _, resource := range rule.Resources {
			if group := rule.APIGroups[0]; group != "" {
				resource += "." + group
			}
			if !slices.Contains(want, resource) {
				t.Errorf("%s is not served, or doesn't belong in this role", resource)
			}
			want = slices.DeleteFunc(want, func(other string) bool { return other == resource })
		}
	}
	for _, missing := range want {
		t.Errorf("%s is missing", missing)
	}
}

// ask asks the API server what the holders of the roles may do.
func ask(t *testing.T, client kubernetes.Interface) {
	for _, can := range []struct {
		user, verb, group, resource, subresource string
		want                                     bool
	}{
		{"reader", "list", "", "secrets", "", true}, // reader-secrets.yaml is aggregated
		{"reader", "get", "shop.example.com", "databases", "", true},
		{"reader", "get", "", "pods", "exec", false},
		{"reader", "get", "", "pods", "log", false},
		{"logs", "get", "", "pods", "log", true},
		{"logs", "get", "", "pods", "", false},
		{"reader", "get", "", "nodes", "proxy", false},
		{"reader", "get", "", "services", "proxy", false},
		{"reader", "patch", "", "pods", "", false},
		{"reader", "delete", "", "pods", "", false},
		{"remover", "patch", "", "persistentvolumeclaims", "", true},
		{"remover", "update", "", "namespaces", "finalize", true},
		{"remover", "patch", "shop.example.com", "databases", "", true},
		{"remover", "delete", "", "persistentvolumeclaims", "", false},
		{"remover", "delete", "", "pods", "", false},
		{"remover", "delete", "", "namespaces", "", false},
		{"remover", "delete", "shop.example.com", "databases", "", false},
		{"remover", "delete", "apps", "deployments", "", true}, // foregroundDeletion and orphan, by a second DELETE
		{"remover", "deletecollection", "apps", "deployments", "", false},
		{"remover", "delete", "apiextensions.k8s.io", "customresourcedefinitions", "", false},
		{"remover", "update", "", "pods", "status", false},
		{"remover", "patch", "rbac.authorization.k8s.io", "clusterroles", "", false},
		{"remover", "get", "", "secrets", "", false},
	} {
		review, err := client.AuthorizationV1().SubjectAccessReviews().Create(t.Context(),
			&authorizationv1.SubjectAccessReview{
				Spec: authorizationv1.SubjectAccessReviewSpec{
					User: can.user,
					ResourceAttributes: &authorizationv1.ResourceAttributes{
						Namespace: "default", Verb: can.verb, Group: can.group, Resource: can.resource, Subresource: can.subresource,
					},
				},
			}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if review.Status.Allowed != can.want {
			t.Errorf("%s may %s %s.%s/%s: %v, want %v", can.user, can.verb, can.resource, can.group, can.subresource,
				review.Status.Allowed, can.want)
		}
	}
}

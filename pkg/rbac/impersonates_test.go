package rbac_test

import (
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
)

// TestImpersonators wants accounts that a rule lets act as another one, where it is bound, and by name if it has names.
func TestImpersonators(t *testing.T) {
	runner := rbac.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: "a", Name: "runner"}
	for name, c := range map[string]struct {
		verbs, resources, names []string
		namespace               string // of the binding; empty: everywhere
		want                    bool
	}{
		"everywhere":            {[]string{"impersonate"}, []string{"serviceaccounts"}, nil, "", true},
		"in its namespace":      {[]string{"impersonate"}, []string{"serviceaccounts"}, nil, "a", true},
		"in another":            {[]string{"impersonate"}, []string{"serviceaccounts"}, nil, "b", false},
		"by its name":           {[]string{"impersonate"}, []string{"serviceaccounts"}, []string{"runner"}, "", true},
		"by another name":       {[]string{"impersonate"}, []string{"serviceaccounts"}, []string{"other"}, "", false},
		"other verbs":           {[]string{"get", "update"}, []string{"serviceaccounts"}, nil, "", false},
		"users":                 {[]string{"impersonate"}, []string{"users"}, nil, "", false},
		"a wildcard is no sign": {[]string{"*"}, []string{"*"}, nil, "", false},
	} {
		rules := []rbacv1.PolicyRule{{
			Verbs: c.verbs, APIGroups: []string{""}, Resources: c.resources, ResourceNames: c.names,
		}}
		role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "r"}, Rules: rules}
		ref := rbacv1.RoleRef{Kind: "ClusterRole", Name: "r"}
		subjects := []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: "sys", Name: "deployer"}}
		var local []*rbacv1.RoleBinding
		var global []*rbacv1.ClusterRoleBinding
		if c.namespace == "" {
			global = append(global, &rbacv1.ClusterRoleBinding{RoleRef: ref, Subjects: subjects})
		} else {
			meta := metav1.ObjectMeta{Namespace: c.namespace, Name: "b"}
			local = append(local, &rbacv1.RoleBinding{ObjectMeta: meta, RoleRef: ref, Subjects: subjects})
		}
		got := rbac.NewGrants(nil, []*rbacv1.ClusterRole{role}, local, global).Impersonators(runner)
		if is := len(got) == 1 && got[0].Name == "deployer"; is != c.want {
			t.Errorf("%s: %v, want %t", name, got, c.want)
		}
		ann := rbac.Subject{Kind: rbacv1.UserKind, Name: "runner"}
		user := rbac.NewGrants(nil, []*rbacv1.ClusterRole{role}, local, global).Impersonators(ann)
		if is := len(user) == 1; is != (name == "users") {
			t.Errorf("%s: of a User %v", name, user)
		}
	}
}

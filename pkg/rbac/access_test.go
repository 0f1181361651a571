package rbac_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
)

func clusterRole(name string, rules ...rbacv1.PolicyRule) *rbacv1.ClusterRole {
	return &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name}, Rules: rules}
}

func rule(group, resource string, verbs ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{resource}, Verbs: verbs}
}

func everywhere(role, namespace, name string) *rbacv1.ClusterRoleBinding {
	return &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role + "-" + name}, RoleRef: rbacv1.RoleRef{Kind: "ClusterRole", Name: role},
		Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: namespace, Name: name}},
	}
}

func TestAccess(t *testing.T) {
	const group = "shop.example.com"
	admin := clusterRole("cluster-admin", rule("*", "*", "*"))
	admin.Labels = map[string]string{"kubernetes.io/bootstrapping": "rbac-defaults"}
	grants := rbac.NewGrants(
		[]*rbacv1.Role{{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "local"},
			Rules: []rbacv1.PolicyRule{rule(group, "databases", "patch")}}},
		[]*rbacv1.ClusterRole{
			admin, clusterRole("operator", rule(group, "databases", "get", "watch", "update"),
				rule(group, "databases/finalizers", "update")),
			clusterRole("group", rule(group, "*", "*")), clusterRole("viewer", rule(group, "databases", "get")),
			clusterRole("system:controller:generic-garbage-collector", rule("*", "*", "patch")),
			clusterRole("other", rule("other.example.com", "databases", "update")),
			clusterRole("everything", rule("*", "*", "update")),
		},
		[]*rbacv1.RoleBinding{
			{
				ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "local"}, RoleRef: rbacv1.RoleRef{Kind: "Role",
					Name: "local"},
				Subjects: []rbacv1.Subject{{Kind: "User", Name: "system:serviceaccount:shop:near"}, {Kind: "User", Name: "jane"},
					{Kind: "Group", Name: "system:masters"}},
			},
			{
				ObjectMeta: metav1.ObjectMeta{Namespace: "far", Name: "operator"}, RoleRef: rbacv1.RoleRef{Kind: "ClusterRole",
					Name: "operator"},
				Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "far", Name: "away"}},
			},
			{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "dangling"}, RoleRef: rbacv1.RoleRef{Kind: "Role",
				Name: "gone"}, Subjects: []rbacv1.Subject{{Kind: "User", Name: "x"}}},
		},
		[]*rbacv1.ClusterRoleBinding{
			everywhere("operator", "sys", "operator"), everywhere("group", "sys", "group"),
			everywhere("viewer", "sys", "viewer"), everywhere("cluster-admin", "cd", "deployer"),
			everywhere("system:controller:generic-garbage-collector", "kube-system", "collector"),
			everywhere("other", "sys", "other"), everywhere("everything", "sys", "tool"),
		},
	)
	type seen struct {
		Who                  string
		Writes, All, Special bool
		Elsewhere            int
	}
	var got []seen
	for _, access := range grants.Access(schema.GroupResource{Group: group, Resource: "databases"}, "shop") {
		got = append(got, seen{access.Subject.String(), access.Write, access.Ordinary.Write, access.Finalizers,
			len(access.Elsewhere)})
	}
	want := []seen{
		{"ServiceAccount cd/deployer", false, true, false, 0},
		{"ServiceAccount far/away", false, false, false, 1},
		{"ServiceAccount shop/near", true, false, false, 0},
		{"ServiceAccount sys/group", true, false, false, 0},
		{"ServiceAccount sys/operator", true, false, true, 0},
		{"ServiceAccount sys/tool", false, true, false, 0},
		{"ServiceAccount sys/viewer", false, false, false, 0},
		{"User jane", true, false, false, 0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("who may do what (-want +got):\n%s", diff)
	}
}

// TestAggregatedRole wants rights that came by an aggregated role to be changed where they come from.
func TestAggregatedRole(t *testing.T) {
	whole := clusterRole("manager-aggregated", rule("a.example.com", "things", "get"), rule("b.example.com", "things",
		"get"))
	whole.AggregationRule = &rbacv1.AggregationRule{
		ClusterRoleSelectors: []metav1.LabelSelector{{MatchLabels: map[string]string{"part": "manager"}}},
	}
	source := func(name, group string) *rbacv1.ClusterRole {
		role := clusterRole(name, rule(group, "things", "get"))
		role.Labels = map[string]string{"part": "manager"}
		return role
	}
	grants := rbac.NewGrants(
		nil, []*rbacv1.ClusterRole{whole, source("part-b", "b.example.com"), source("part-a", "a.example.com"),
			clusterRole("alone", rule("b.example.com", "things", "get"))},
		nil, []*rbacv1.ClusterRoleBinding{everywhere("manager-aggregated", "sys", "manager"),
			everywhere("alone", "sys", "other")},
	)
	got := map[string]string{}
	for _, access := range grants.Access(schema.GroupResource{Group: "b.example.com", Resource: "things"}, "shop") {
		got[access.Name] = access.Role
	}
	want := map[string]string{"manager": "ClusterRole part-b", "other": "ClusterRole alone"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOperators(t *testing.T) {
	grants := rbac.NewGrants(nil, []*rbacv1.ClusterRole{
		clusterRole("operator", rule("shop.example.com", "databases/finalizers", "update"),
			rule("shop.example.com", "databases", "update")),
		clusterRole("ui", rule("shop.example.com", "*", "patch")),
		clusterRole("viewer", rule("shop.example.com", "databases", "get")),
		clusterRole("everything", rule("*", "*", "*")),
	}, []*rbacv1.RoleBinding{{
		ObjectMeta: metav1.ObjectMeta{Namespace: "far", Name: "ui"}, RoleRef: rbacv1.RoleRef{Kind: "ClusterRole", Name: "ui"},
		Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "far", Name: "ui"}},
	}}, []*rbacv1.ClusterRoleBinding{everywhere("operator", "sys", "operator"), everywhere("viewer", "sys", "viewer"),
		everywhere("everything", "sys", "tool")})
	var got []string
	for _, access := range grants.Operators("shop.example.com") {
		got = append(got, access.Subject.String())
	}
	if want := []string{"ServiceAccount far/ui", "ServiceAccount sys/operator",
		"ServiceAccount sys/viewer"}; !slices.Equal(got, want) {
		t.Errorf("%q operate the group, want %q", got, want)
	}
	if !slices.Contains(grants.Groups(), "shop.example.com") {
		t.Errorf("the groups that rules name are %q", grants.Groups())
	}
}

// TestVerb asks by which verb an account may write: patch only where no rule grants another.
func TestVerb(t *testing.T) {
	const group = "shop.example.com"
	for _, c := range []struct {
		name                     string
		rules                    []rbacv1.PolicyRule
		verb, finalizers, status string
	}{
		{"patch", []rbacv1.PolicyRule{rule(group, "databases", "get", "patch")}, "patch", "update", "update"},
		{"update", []rbacv1.PolicyRule{rule(group, "databases", "update")}, "update", "update", "update"},
		{"both", []rbacv1.PolicyRule{rule(group, "databases", "update", "patch")}, "update", "update", "update"},
		{
			"both, by two rules", []rbacv1.PolicyRule{rule(group, "databases", "patch"), rule(group, "*", "update")},
			"update", "update", "update",
		},
		{"all", []rbacv1.PolicyRule{rule(group, "databases", "*")}, "update", "update", "update"},
		{
			"patch, and update for everything", []rbacv1.PolicyRule{rule(group, "databases", "patch"), rule("*", "*", "update")},
			"update", "update", "update",
		},
		{
			"subresources", []rbacv1.PolicyRule{
				rule(group, "databases/finalizers", "patch"), rule(group, "databases/status", "patch"),
				rule(group, "databases/status", "patch", "get"), rule(group, "databases", "get"),
			}, "update", "patch", "patch",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			grants := rbac.NewGrants(nil, []*rbacv1.ClusterRole{clusterRole("one", c.rules...)}, nil,
				[]*rbacv1.ClusterRoleBinding{everywhere("one", "ops", "one")})
			access := grants.Access(schema.GroupResource{Group: group, Resource: "databases"}, "shop")[0]
			got := []string{access.Verb(), access.FinalizersVerb(), access.StatusVerb()}
			if want := []string{c.verb, c.finalizers, c.status}; !slices.Equal(got, want) {
				t.Errorf("it may write by %q, want %q", got, want)
			}
		})
	}
}

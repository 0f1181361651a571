package rbac_test

import (
	"cmp"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
)

func TestDenied(t *testing.T) {
	for words, want := range map[string]string{
		`volumeattachments.storage.k8s.io "csi-1" is forbidden: User "system:serviceaccount:storage:attacher" cannot patch ` +
			`resource "volumeattachments" in API group "storage.k8s.io" at the cluster scope`: "ServiceAccount " +
			"storage/attacher|patch|volumeattachments.storage.k8s.io||csi-1",
		`drop: secrets \"db\" is forbidden: User \"system:serviceaccount:a:b\" cannot delete resource \"secrets\" in API ` +
			`group \"\" in the namespace \"shop\": Azure has no opinion`: "ServiceAccount " +
			"a/b|delete|secrets|shop|db",
		`pods is forbidden: User "jane" cannot list resource "pods" in API group "" in the ` +
			`namespace "x"`: "User jane|list|pods|x|",
		`databases.shop.example.com "orders" is forbidden: User "system:serviceaccount:a:b" cannot update resource ` +
			`"databases/status" in API group "shop.example.com" in the namespace "shop"`: "ServiceAccount " +
			"a/b|update|databases/status.shop.example.com|shop|orders",
		`pods "x" is forbidden: violates PodSecurity ` +
			`"restricted:latest"`: "",
		`pods "x" is forbidden: exceeded quota: q, ` +
			`requested: pods=1`: "",
		`AccessDenied: User: arn:aws:iam::1:user/x is not authorized ` +
			`to perform y`: "",
		"": "",
	} {
		denied, found := rbac.Denied(words)
		got := strings.Join([]string{denied.Subject.String(), denied.Verb, denied.Resource.String(), denied.Namespace,
			denied.Name}, "|")
		if found != (want != "") || found && got != want {
			t.Errorf("%s\n is %q, want %q", words, got, want)
		}
	}
}

func TestDenialAgainstRBAC(t *testing.T) {
	group := rbacv1.Subject{Kind: "Group", Name: "system:serviceaccounts:sys"}
	named := rule("", "secrets", "delete")
	named.ResourceNames = []string{"db"}
	aggregate, part := clusterRole("aggregate", rule("cluster.example.com", "machines", "get")),
		clusterRole("part", rule("cluster.example.com", "machines", "get"))
	part.Labels = map[string]string{"aggregate": "yes"}
	aggregate.AggregationRule = &rbacv1.AggregationRule{ClusterRoleSelectors: []metav1.LabelSelector{
		{MatchLabels: part.Labels}}}
	grants := rbac.NewGrants(
		[]*rbacv1.Role{{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "near"}, Rules: []rbacv1.PolicyRule{named}}},
		[]*rbacv1.ClusterRole{
			clusterRole("operator", rule("shop.example.com", "databases", "get", "patch"), rule("shop.example.com", "*/status",
				"update")),
			clusterRole("pods", rule("", "pods", "list")), clusterRole("all", rule("*", "*", "*")),
			aggregate, part,
		},
		[]*rbacv1.RoleBinding{{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "near"}, RoleRef: rbacv1.RoleRef{Kind: "Role", Name: "near"},
			Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "sys", Name: "operator"}},
		}},
		[]*rbacv1.ClusterRoleBinding{
			everywhere("operator", "sys", "operator"), everywhere("all", "sys", "root"), everywhere("aggregate", "capi",
				"manager"),
			{ObjectMeta: metav1.ObjectMeta{Name: "pods"}, RoleRef: rbacv1.RoleRef{Kind: "ClusterRole", Name: "pods"},
				Subjects: []rbacv1.Subject{group}},
		},
	)
	for _, c := range []struct {
		account, does string // VERB RESOURCE GROUP, and NAMESPACE/NAME
		object        string
		allowed       bool
		role          string
		namespace     string // of the account
	}{
		{"operator", "patch databases shop.example.com", "shop/orders", true, "ClusterRole operator", ""},
		{"operator", "update databases shop.example.com", "shop/orders", false, "ClusterRole operator", ""},
		{"operator", "update databases/status shop.example.com", "shop/orders", true, "ClusterRole operator", ""},
		{"operator", "update databases/finalizers shop.example.com", "shop/orders", false, "ClusterRole operator", ""},
		{"operator", "delete backups shop.example.com", "shop/b", false, "ClusterRole operator", ""},
		{"operator", "delete secrets ", "shop/db", true, "Role shop/near", ""},
		{"operator", "delete secrets ", "shop/other", false, "Role shop/near", ""},
		{"operator", "delete secrets ", "far/db", false, "ClusterRole operator", ""},
		{"operator", "list pods ", "far/", true, "ClusterRole operator", ""},
		{"root", "delete nodes ", "/n", true, "ClusterRole all", ""},
		{"manager", "patch machines cluster.example.com", "shop/m", false, "ClusterRole part", "capi"},
		{"stranger", "patch databases shop.example.com", "shop/orders", false, "", ""},
	} {
		does := strings.Split(c.does, " ")
		namespace, name, _ := strings.Cut(c.object, "/")
		denied := rbac.Denial{
			Subject: rbac.Subject{Kind: "ServiceAccount", Namespace: cmp.Or(c.namespace, "sys"), Name: c.account},
			Verb:    does[0], Namespace: namespace, Name: name,
		}
		denied.Resource.Resource, denied.Resource.Group = does[1], does[2]
		if got := grants.Allows(denied); got != c.allowed {
			t.Errorf("%s may %s %s: %t", c.account, c.does, c.object, got)
		}
		if got := grants.RoleOf(denied); got != c.role {
			t.Errorf("%s, %s %s: the role to edit is %q, want %q", c.account, c.does, c.object, got, c.role)
		}
	}
}

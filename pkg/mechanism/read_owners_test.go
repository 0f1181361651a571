package mechanism

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

func TestOwners(t *testing.T) {
	child, owner := configMap("child", ownedByMaps("owner")), configMap("owner", "")
	other := func(namespace, name string) string {
		object := manifest("v1", "ConfigMap", namespace, name, "", "")
		return strings.Replace(object, "uid: configmap-"+name, "uid: configmap-owner", 1)
	}
	for _, c := range []struct {
		name, objects, deny string
		want                finding.Ownership
		owner               string
	}{
		{name: "there", objects: child + owner, owner: "ConfigMap shop/owner"},
		{name: "absent", objects: child, want: finding.OwnerAbsent, owner: "ConfigMap shop/owner"},
		{
			name: "created again", objects: child + strings.Replace(owner, "configmap-owner", "new", 1),
			want: finding.OwnerReplaced, owner: "ConfigMap shop/owner",
		},
		{
			name: "by another name, in the same namespace", objects: child + other("shop", "renamed"),
			want: finding.OwnerMisnamed, owner: "ConfigMap shop/renamed",
		},
		{
			name: "in another namespace", objects: child + other("stock", "owner"),
			want: finding.OwnerElsewhere, owner: "ConfigMap stock/owner",
		},
		{
			name: "may not be read", objects: child + owner, deny: "configmaps",
			want: finding.OwnerUnreadable, owner: "ConfigMap shop/owner",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			tools := toolsFor(t, c.objects, c.deny)
			owners := Owners(t.Context(), tools, firstOf(t, tools, c.objects))
			if len(owners) != 1 || owners[0].State != c.want || owners[0].Owner.Ref.String() != c.owner {
				t.Errorf("%+v, want one that is %q, %s", owners, c.want, c.owner)
			}
		})
	}
}

func TestDependents(t *testing.T) {
	owner, near := configMap("owner", ""), configMap("near", ownedByMaps("owner"))
	far := manifest("v1", "ConfigMap", "stock", "far", ownedByMaps("owner"), "")
	node := manifest("v1", "Node", "", "n1", ownedByMaps("owner"), "")
	complaint := manifest("v1", "Event", "stock", "far.1", "", "reason: OwnerRefInvalidNamespace\n"+
		"involvedObject: {apiVersion: v1, kind: ConfigMap, namespace: stock, name: far, uid: configmap-far}\n"+
		"message: 'ownerRef [v1/ConfigMap, namespace: shop, name: owner, uid: configmap-owner] does not exist'")
	const inShop, inStock = "ConfigMap shop/near ", "ConfigMap stock/far OwnerElsewhere"
	const withoutOne = "Node n1 DependentClusterScoped"
	for _, c := range []struct {
		name, objects string
		everywhere    bool
		want          []string
	}{
		{name: "in its namespace, and without one", objects: near + far + node, want: []string{inShop, withoutOne}},
		{name: "everywhere", objects: near + far + node, everywhere: true, want: []string{inShop, inStock, withoutOne}},
		{name: "that an event is about", objects: near + far + complaint, want: []string{inShop, inStock}},
		{name: "none", objects: configMap("other", "")},
	} {
		t.Run(c.name, func(t *testing.T) {
			tools := toolsFor(t, owner+c.objects)
			dependents, err := Dependents(t.Context(), tools.Session, firstOf(t, tools, owner), c.everywhere)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, dependent := range dependents {
				got = append(got, dependent.Ref.String()+" "+string(dependent.State))
			}
			slices.Sort(got)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("dependents (-want +got):\n%s", diff)
			}
		})
	}
}

package uninstall

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestOrderByPlainNames has an Application deleted before the AppProject that it names by a mere project: default, and
// not before what only has that name.
func TestOrderByPlainNames(t *testing.T) {
	t.Parallel()
	of := func(group, kind, plural string) *session.Object {
		resource := cluster.Resource{Kind: kind, Namespaced: true}
		resource.Group, resource.Resource = group, plural
		meta := &metav1.PartialObjectMetadata{}
		meta.Namespace, meta.Name, meta.UID = "argocd", "default", types.UID(group+kind)
		return session.FromMetadata(resource, meta)
	}
	for name, c := range map[string]struct {
		used *session.Object
		want int // levels
	}{
		"the kind ends with the field's name": {used: of("argoproj.io", "AppProject", "appprojects"), want: 2},
		"another kind of that name":           {used: of("argoproj.io", "AppSet", "appsets"), want: 1},
		"a kind of another group":             {used: of("crossplane.io", "AppProject", "appprojects"), want: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			user := of("argoproj.io", "Application", "applications")
			user.Whole = &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"project": "default"}}}
			o := newOrder([]*session.Object{c.used, user}, new(survey).owners)
			o.byReferences()
			levels := o.levels()
			if len(levels) != c.want || c.want == 2 && levels[0][0] != user {
				t.Errorf("it has %d levels, want %d: %v", len(levels), c.want, levels)
			}
		})
	}
}

// TestOrderOfOperatorsOwn has what the operator needs for itself deleted after all else, also where nothing names it;
// what names others goes before these all the same.
func TestOrderOfOperatorsOwn(t *testing.T) {
	t.Parallel()
	of := func(kind, namespace, name string) *session.Object {
		resource := cluster.Resource{Kind: kind, Namespaced: namespace != ""}
		resource.Group, resource.Resource = "shop.example.com", strings.ToLower(kind)+"s"
		meta := &metav1.PartialObjectMetadata{}
		meta.Namespace, meta.Name, meta.UID = namespace, name, types.UID(kind+name)
		return session.FromMetadata(resource, meta)
	}
	more := func(kind, name string) []*session.Object { return []*session.Object{of(kind, "", name)} }
	runs := of("Deployment", "shop-system", "operator")
	for name, c := range map[string]struct {
		object *session.Object
		more   []*session.Object
		want   bool
	}{
		"of the cluster":                {object: of("ShopConfiguration", "", "default"), want: true},
		"in the operator's namespace":   {object: of("ShopConfig", "shop-system", "default"), want: true},
		"in another namespace":          {object: of("ShopConfig", "shop", "default")},
		"one of several":                {object: of("ShopConfig", "", "a"), more: more("ShopConfig", "b")},
		"a word that only ends like it": {object: of("Reconfig", "", "default")},
		"another kind":                  {object: of("Shop", "", "default")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &planner{found: &finder{parts: newParts(), survey: new(survey)}}
			runs := *runs
			runs.Resource.Group = "apps"
			p.found.parts.add(&runs)
			tenant := of("Tenant", "", "blue")
			objects := append([]*session.Object{c.object, tenant}, c.more...)
			o := newOrder(objects, new(survey).owners)
			o.late = p.operatorsOwn(objects)
			levels := o.levels()
			if late := len(levels) == 2 && levels[1][0] == c.object; late != c.want {
				t.Errorf("deleted late: %t, want %t: %v", late, c.want, levels)
			}
			if o.put(0, 1); c.want && o.levels()[0][0] != c.object {
				t.Error("what has to go first doesn't")
			}
		})
	}
}

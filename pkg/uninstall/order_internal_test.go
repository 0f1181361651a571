package uninstall

import (
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

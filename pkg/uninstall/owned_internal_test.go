package uninstall

import (
	"fmt"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestWhatGoesWithItsOwners deletes what owns others, through whatever is between them, and afterwards what something
// else owns as well.
func TestWhatGoesWithItsOwners(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		owners  map[string][]string // by name; what begins with x is no instance
		members []string
		want    string // the levels
	}{
		"a chain":               {map[string][]string{"b": {"a"}, "c": {"b"}}, []string{"a", "b", "c"}, "[[a]]"},
		"through a StatefulSet": {map[string][]string{"x": {"a"}, "b": {"x"}}, []string{"a", "b"}, "[[a]]"},
		"through two of these": {
			map[string][]string{"x": {"a"}, "xy": {"x"}, "b": {"xy"}}, []string{"a", "b"}, "[[a]]",
		},
		"below what stays":        {map[string][]string{"b": {"x"}}, []string{"a", "b"}, "[[a b]]"},
		"what stays owns it, too": {map[string][]string{"b": {"a", "x"}}, []string{"a", "b"}, "[[a] [b]]"},
		"two of them own it":      {map[string][]string{"c": {"a", "b"}}, []string{"a", "b", "c"}, "[[a b]]"},
		"two own each other":      {map[string][]string{"a": {"b"}, "b": {"a"}}, []string{"a", "b"}, "[[a b]]"},
		"two own each other, beside one": {
			map[string][]string{"a": {"b"}, "b": {"a"}}, []string{"a", "b", "c"}, "[[a b c]]",
		},
		"its owner does not exist":        {map[string][]string{"b": {"gone"}}, []string{"a", "b"}, "[[a b]]"},
		"it owns itself, and another one": {map[string][]string{"a": {"a"}, "b": {"a"}}, []string{"a", "b"}, "[[a]]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := &survey{byUID: map[string]*session.Object{}, ofKind: map[string][]*session.Object{}}
			for _, object := range append(slices.Clone(c.members), "x", "xy") {
				meta := &metav1.PartialObjectMetadata{}
				meta.Name, meta.UID = object, types.UID(object)
				for _, owner := range c.owners[object] {
					meta.OwnerReferences = append(meta.OwnerReferences, metav1.OwnerReference{UID: types.UID(owner)})
				}
				all.add(session.FromMetadata(cluster.Resource{Kind: "Widget"}, meta))
			}
			var members []*session.Object
			for _, object := range c.members {
				members = append(members, all.byUID[object])
			}
			levels := finding.Each(newOrder(members, all.owners).levels(), func(level []*session.Object) []string {
				return finding.Each(level, func(object *session.Object) string { return object.Ref.Name })
			})
			if got := fmt.Sprint(levels); got != c.want {
				t.Errorf("it deletes %s, want %s", got, c.want)
			}
		})
	}
}

package ownership_test

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// ownedBy is an object with owners, each by its name; one that begins with ~ isn't blocked by it.
func ownedBy(name string, owners ...string) *session.Object {
	meta := &metav1.PartialObjectMetadata{}
	for _, owner := range owners {
		owner, free := strings.CutPrefix(owner, "~")
		blocks := !free
		meta.OwnerReferences = append(meta.OwnerReferences,
			metav1.OwnerReference{UID: types.UID(owner), Name: owner, BlockOwnerDeletion: &blocks})
	}
	return &session.Object{Ref: *ref("ConfigMap", "shop", name, name), Meta: meta}
}

// TestCircles finds the objects that own one another.
func TestCircles(t *testing.T) {
	for name, c := range map[string]struct {
		objects       []*session.Object
		any, blocking string
	}{
		"none":         {[]*session.Object{ownedBy("a"), ownedBy("b", "a", "elsewhere")}, "", ""},
		"one":          {[]*session.Object{ownedBy("a", "a")}, "a", "a"},
		"one, free":    {[]*session.Object{ownedBy("a", "~a")}, "a", ""},
		"two":          {[]*session.Object{ownedBy("b", "a"), ownedBy("a", "b")}, "a b", "a b"},
		"two, by half": {[]*session.Object{ownedBy("b", "a"), ownedBy("a", "~b")}, "a b", ""},
		"three, of which two block": {[]*session.Object{
			ownedBy("a", "b", "~c"), ownedBy("b", "a"), ownedBy("c", "a")}, "a b c", "a b"},
		"two circles": {[]*session.Object{
			ownedBy("d", "c"), ownedBy("c", "d"), ownedBy("a", "a"), ownedBy("e", "c")}, "a, c d", "a, c d"},
	} {
		for onlyBlocking, want := range map[bool]string{false: c.any, true: c.blocking} {
			names := finding.Each(ownership.Circles(t.Context(), c.objects, onlyBlocking), func(circle []finding.Ref) string {
				return strings.Join(finding.Each(circle, func(object finding.Ref) string { return object.Name }), " ")
			})
			if is := strings.Join(names, ", "); is != want {
				t.Errorf("%s, only blocking %v: %q, want %q", name, onlyBlocking, is, want)
			}
		}
	}
}

// TestOpens says in which of the cases the garbage collector opens a circle.
func TestOpens(t *testing.T) {
	going := func(finalizers ...string) *session.Object {
		object := ownedBy("owner", "dependent")
		object.Meta.DeletionTimestamp = &metav1.Time{Time: time.Now()}
		object.Meta.Finalizers = finalizers
		return object
	}
	live, foreground := ownedBy("owner", "dependent"), going(metav1.FinalizerDeleteDependents)
	for name, c := range map[string]struct {
		dependent *session.Object
		below     []*session.Object
		want      bool
	}{
		"nothing depends on it":            {ownedBy("dependent", "owner"), nil, false},
		"a live one depends on it":         {ownedBy("dependent", "owner"), []*session.Object{live}, false},
		"one in background deletion":       {ownedBy("dependent", "owner"), []*session.Object{going("a/b")}, false},
		"its owner depends on it":          {ownedBy("dependent", "owner"), []*session.Object{live, foreground}, true},
		"and it is being deleted already":  {going(), []*session.Object{foreground}, false},
		"and waits for its own dependents": {foreground, []*session.Object{foreground}, false},
	} {
		if is := ownership.Opens(c.dependent, c.below); is != c.want {
			t.Errorf("%s: %v", name, is)
		}
	}
}

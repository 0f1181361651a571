package loss_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestDependents follows owners down: a claim below a custom resource takes its volume along.
func TestDependents(t *testing.T) {
	memory, err := clustertest.New(time.Now(), claim+volume(made, csi+bound+policy+"Delete"))
	if err != nil {
		t.Fatal(err)
	}
	reads := session.New(memory, session.Kubectl{})
	servedKinds, _ := memory.ServedKinds(t.Context())
	claims, _ := servedKinds.Find(schema.GroupResource{Resource: "persistentvolumeclaims"})
	below, err := reads.Read(t.Context(), claims, "shop", "data")
	if err != nil {
		t.Fatal(err)
	}
	top := &session.Object{Ref: finding.Ref{Kind: "Database", Name: "orders", UID: "orders-1"}}
	teller := &loss.Teller{Session: reads}
	taken := teller.Dependents(t.Context(), top, func(owner *session.Object) []*session.Object {
		if owner == top {
			return []*session.Object{below, below}
		}
		return nil
	})
	if len(taken) != 2 || taken[0].Situation != "VolumeDeleted" || taken[1].Details.Count != 1 {
		t.Errorf("it takes along %+v", taken)
	}
}

// TestNeverCollected leaves out what the garbage collector never deletes: a cluster-scoped dependent of an owner in a
// namespace.
func TestNeverCollected(t *testing.T) {
	node := &session.Object{
		Ref: finding.Ref{Kind: "Node", Name: "n1", UID: "n1-1"}, Meta: &metav1.PartialObjectMetadata{},
	}
	for namespace, want := range map[string]int{"shop": 0, "": 1} {
		memory, err := clustertest.New(time.Now(), "")
		if err != nil {
			t.Fatal(err)
		}
		top := &session.Object{Ref: finding.Ref{Kind: "Thing", Namespace: namespace, Name: "top", UID: "top-1"}}
		teller := &loss.Teller{Session: session.New(memory, session.Kubectl{})}
		taken := teller.Dependents(t.Context(), top, func(owner *session.Object) []*session.Object {
			if owner == top {
				return []*session.Object{node}
			}
			return nil
		})
		if len(taken) != want {
			t.Errorf("an owner in namespace %q takes along %+v, want %d", namespace, taken, want)
		}
	}
}

// TestOrphaned leaves out the dependents of an owner that orphans them, unless that is removed by force.
func TestOrphaned(t *testing.T) {
	memory, err := clustertest.New(time.Now(), "")
	if err != nil {
		t.Fatal(err)
	}
	teller := &loss.Teller{Session: session.New(memory, session.Kubectl{})}
	below := &session.Object{
		Ref: finding.Ref{Kind: "Thing", Name: "below", UID: "b"}, Meta: &metav1.PartialObjectMetadata{},
	}
	top := &session.Object{Ref: finding.Ref{Kind: "Thing", Name: "top", UID: "t"}, Meta: &metav1.PartialObjectMetadata{
		ObjectMeta: metav1.ObjectMeta{Finalizers: []string{"orphan", "example.com/hold"}},
	}}
	near := func(owner *session.Object) []*session.Object {
		if owner == top {
			return []*session.Object{below}
		}
		return nil
	}
	for forced, want := range map[string]int{"example.com/hold": 0, "orphan": 1} {
		hold := finding.Hold{Type: finding.Finalizer, Name: forced}
		if taken := teller.Dependents(t.Context(), top, near, hold); len(taken) != want {
			t.Errorf("with %s removed by force, it takes along %+v, want %d", forced, taken, want)
		}
	}
}

// TestOtherOwners says what becomes of a dependent that has another owner, and of what depends on it in turn: kept,
// it is no loss; where that can't be known, it may be one.
func TestOtherOwners(t *testing.T) {
	named := func(name string, owners ...string) *session.Object {
		object := &session.Object{Ref: finding.Ref{Kind: "Thing", Name: name, UID: name}}
		object.Meta = &metav1.PartialObjectMetadata{}
		for _, owner := range owners {
			refers := metav1.OwnerReference{Kind: "Thing", Name: owner, UID: types.UID(owner)}
			object.Meta.OwnerReferences = append(object.Meta.OwnerReferences, refers)
		}
		return object
	}
	top, alive, going := named("top"), named("other"), named("other")
	going.Meta.DeletionTimestamp = &metav1.Time{Time: time.Now()}
	dependent, below := named("dependent", "top", "other"), named("below", "dependent")
	waits := named("other")
	waits.Meta.DeletionTimestamp, waits.Meta.Finalizers = going.Meta.DeletionTimestamp, []string{"foregroundDeletion"}
	for _, c := range []struct {
		name  string
		state finding.Ownership
		owner *session.Object
		none  bool // nothing judges owners
		want  []string
	}{
		{name: "kept", state: finding.Honoured, owner: alive},
		{name: "gone", state: finding.OwnerAbsent, want: []string{"DependentsCollected dependent below"}},
		{name: "waits for it as well", state: finding.Honoured, owner: waits,
			want: []string{"DependentsCollected dependent below"}},
		{name: "being deleted", state: finding.Honoured, owner: going, want: []string{"DependentsShared dependent below"}},
		{name: "unreadable", state: finding.OwnerUnreadable, want: []string{"DependentsShared dependent below"}},
		{name: "unjudged", none: true, want: []string{"DependentsShared dependent below"}},
		{name: "of a kind that isn't served", state: finding.OwnerUnserved,
			want: []string{"DependentsShared below", "DependentsStuck dependent"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			memory, err := clustertest.New(time.Now(), "")
			if err != nil {
				t.Fatal(err)
			}
			teller := &loss.Teller{Session: session.New(memory, session.Kubectl{})}
			if !c.none {
				teller.Owners = func(_ context.Context, object *session.Object) []ownership.Judged {
					references := object.Meta.OwnerReferences
					return []ownership.Judged{
						{Reference: references[0], State: finding.Honoured, Owner: top},
						{Reference: references[1], State: c.state, Owner: c.owner},
					}
				}
			}
			var got []string
			for _, taken := range teller.Dependents(t.Context(), top, func(owner *session.Object) []*session.Object {
				return map[*session.Object][]*session.Object{top: {dependent}, dependent: {below}}[owner]
			}) {
				if taken.Details.May != (taken.Situation != "DependentsCollected") {
					t.Errorf("%s may stay: %t", taken.Situation, taken.Details.May)
				}
				names := strings.ReplaceAll(strings.Join(taken.Details.Names, " "), "Thing ", "")
				got = append(got, taken.Situation+" "+names)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("it takes along %q, want %q", got, c.want)
			}
		})
	}
}

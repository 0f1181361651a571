package ownership_test

import (
	"errors"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

var (
	configMaps = ownership.Kind{GroupKind: schema.GroupKind{Kind: "ConfigMap"}, Served: true, Namespaced: true}
	nodes      = ownership.Kind{GroupKind: schema.GroupKind{Kind: "Node"}, Served: true}
	unserved   = ownership.Kind{GroupKind: schema.GroupKind{Group: "gone.example.com", Kind: "Ghost"}}
	failing    = ownership.Kind{Served: true, Failure: errors.New("the server is currently unable to handle the request")}
)

func ref(kind, namespace, name, uid string) *finding.Ref {
	return &finding.Ref{APIVersion: "v1", Kind: kind, Namespace: namespace, Name: name, UID: uid}
}

// TestJudge goes through the rows of docs/deletion.md#how-owner-references-are-judged that are about one reference: to
// an owner of a kind, by the name owner and the uid o.
func TestJudge(t *testing.T) {
	child, clusterScoped := *ref("Pod", "shop", "child", "c"), *ref("Node", "", "child", "c")
	owner := ref("ConfigMap", "shop", "owner", "o")
	of := func(version, kind string) *finding.Ref {
		return &finding.Ref{APIVersion: version, Kind: kind, Namespace: "shop", Name: "owner", UID: "o"}
	}
	for _, c := range []struct {
		name      string
		dependent finding.Ref
		kind      ownership.Kind
		known     ownership.Owner
		want      finding.Ownership
	}{
		{"the owner is there", child, configMaps, ownership.Owner{Real: owner}, finding.Honoured},
		{"there is none", child, configMaps, ownership.Owner{}, finding.OwnerAbsent},
		{
			"it was created again", child, configMaps,
			ownership.Owner{Namesake: ref("ConfigMap", "shop", "owner", "new")}, finding.OwnerReplaced,
		},
		{
			"another kind", child, configMaps,
			ownership.Owner{Real: ref("Secret", "shop", "owner", "o")}, finding.OwnerMisnamed,
		},
		{
			"another group", child, configMaps,
			ownership.Owner{Real: of("x.io/v1", "ConfigMap")},
			finding.OwnerMisnamed,
		},
		{
			"another name", child, configMaps,
			ownership.Owner{Real: ref("ConfigMap", "shop", "other", "o")}, finding.OwnerMisnamed,
		},
		{
			"another name, in another namespace", child, configMaps,
			ownership.Owner{Real: ref("ConfigMap", "stock", "other", "o")}, finding.OwnerMisnamed,
		},
		{
			"another version of the group", child,
			ownership.Kind{GroupKind: schema.GroupKind{Group: "apps", Kind: "Deployment"}, Served: true, Namespaced: true},
			ownership.Owner{Real: of("apps/v1", "Deployment")},
			finding.Honoured,
		},
		{"the kind isn't served", child, unserved, ownership.Owner{}, finding.OwnerUnserved},
		{"the same, for a cluster-scoped dependent", clusterScoped, unserved, ownership.Owner{}, finding.OwnerUnserved},
		{
			"the owner is in another namespace", child, configMaps,
			ownership.Owner{Real: ref("ConfigMap", "stock", "owner", "o")}, finding.OwnerElsewhere,
		},
		{
			"a dependent without a namespace", clusterScoped, configMaps,
			ownership.Owner{Real: owner}, finding.DependentClusterScoped,
		},
		{"the same, and the owner is gone", clusterScoped, configMaps, ownership.Owner{}, finding.DependentClusterScoped},
		{
			"an owner without a namespace", child, nodes,
			ownership.Owner{Real: ref("Node", "", "owner", "o")}, finding.Honoured,
		},
		{"the same, which is gone", child, nodes, ownership.Owner{}, finding.OwnerAbsent},
		{"nobody could look", child, configMaps, ownership.Owner{Unread: true}, finding.OwnerUnreadable},
		{"discovery fails", child, failing, ownership.Owner{Real: owner}, finding.OwnerUnreadable},
	} {
		t.Run(c.name, func(t *testing.T) {
			reference := metav1.OwnerReference{APIVersion: "v1", Kind: c.kind.Kind, Name: "owner", UID: "o"}
			if got := ownership.Judge(c.dependent, reference, c.kind, c.known); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestJudgeNamesThatLeadElsewhere says nothing of owners whose names no object can have, whatever was found.
func TestJudgeNamesThatLeadElsewhere(t *testing.T) {
	child, owner := *ref("Pod", "shop", "child", "c"), ref("ConfigMap", "shop", "owner", "o")
	for _, name := range []string{"..", ".", "../../kube-system/secrets/x", "a/b", "a%2fb"} {
		for _, known := range []ownership.Owner{{}, {Real: owner}, {Namesake: owner}, {Unread: true}} {
			reference := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: name, UID: "o"}
			if got := ownership.Judge(child, reference, configMaps, known); got != finding.OwnerUnreadable {
				t.Errorf("%q, of which is known %+v: %q", name, known, got)
			}
		}
	}
}

func TestInCycle(t *testing.T) {
	for state, want := range map[finding.Ownership]finding.Ownership{
		finding.Honoured: finding.OwnersCycle, finding.OwnerMisnamed: finding.OwnerMisnamed,
	} {
		if got := ownership.InCycle(state); got != want {
			t.Errorf("%q in a cycle is %q, want %q", state, got, want)
		}
	}
}

// judged is a reference in a state, to an owner with a uid. An honoured owner is alive, or Terminating with finalizers.
func judged(state finding.Ownership, uid string, finalizers ...string) ownership.Judged {
	one := ownership.Judged{State: state, Reference: metav1.OwnerReference{UID: types.UID(uid)}}
	if state == finding.Honoured {
		one.Owner = &session.Object{Meta: &metav1.PartialObjectMetadata{}}
		if len(finalizers) > 0 {
			one.Owner.Meta.Finalizers = finalizers
			one.Owner.Meta.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)}
		}
	}
	return one
}

// TestDecide goes through the rows of docs/deletion.md#how-owner-references-are-judged that are about all references of
// a dependent.
func TestDecide(t *testing.T) {
	alive, solid := judged(finding.Honoured, "alive"), judged(finding.Honoured, "held", "example.com/cleanup")
	waits := judged(finding.Honoured, "waits", "foregroundDeletion")
	gone, replaced := judged(finding.OwnerAbsent, "gone"), judged(finding.OwnerReplaced, "replaced")
	unserved, unread := judged(finding.OwnerUnserved, "unserved"), judged(finding.OwnerUnreadable, "unread")
	undiscovered := judged(finding.OwnerUnreadable, "undiscovered")
	undiscovered.Undiscovered = errors.New("503")
	controller := gone
	controller.Reference.Controller = new(bool)
	*controller.Reference.Controller = true
	for _, c := range []struct {
		name       string
		references []ownership.Judged
		want       ownership.Outcome
		decisive   string // uid of the owner
	}{
		{"no owners", nil, ownership.Kept, ""},
		{"an owner that is there", []ownership.Judged{alive}, ownership.Kept, "alive"},
		{"one that is gone", []ownership.Judged{gone}, ownership.Collected, "gone"},
		{"one that was created again", []ownership.Judged{replaced}, ownership.Collected, "replaced"},
		{"one of another name", []ownership.Judged{judged(finding.OwnerMisnamed, "x")}, ownership.Collected, "x"},
		{"one of a kind that isn't served", []ownership.Judged{unserved}, ownership.Undecidable, "unserved"},
		{"one in another namespace", []ownership.Judged{judged(finding.OwnerElsewhere, "x")}, ownership.Collected, "x"},
		{
			"one with a namespace, of a dependent without", []ownership.Judged{judged(finding.DependentClusterScoped, "x")},
			ownership.Undecidable, "x",
		},
		{"one that waits for its dependents", []ownership.Judged{gone, waits}, ownership.GoesFirst, "waits"},
		{"one that is Terminating for other reasons", []ownership.Judged{solid}, ownership.Kept, "held"},
		{"several, and one is solid", []ownership.Judged{gone, waits, alive}, ownership.Kept, "alive"},
		{"one is solid, and one can't be read here", []ownership.Judged{unread, alive}, ownership.Kept, "alive"},
		{"several, and one fails", []ownership.Judged{gone, unserved}, ownership.Undecidable, "unserved"},
		{"one fails, and one is solid", []ownership.Judged{alive, undiscovered}, ownership.Undecidable, "undiscovered"},
		{"controller makes no difference", []ownership.Judged{controller}, ownership.Collected, "gone"},
		{"itself", []ownership.Judged{judged(finding.OwnersCycle, "self")}, ownership.Kept, "self"},
		{"one that can't be read here", []ownership.Judged{gone, unread}, ownership.Unknown, "unread"},
	} {
		t.Run(c.name, func(t *testing.T) {
			outcome, decisive := ownership.Decide(c.references)
			uid := ""
			if decisive != nil {
				uid = string(decisive.Reference.UID)
			}
			if outcome != c.want || uid != c.decisive {
				t.Errorf("%s by %q, want %s by %q", outcome, uid, c.want, c.decisive)
			}
		})
	}
}

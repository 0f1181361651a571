package attribution

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

var now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// stuck is a Terminating object, as the tests of this file tell them apart.
type stuck struct {
	kind, namespace, name, finalizer string
	managers                         []string // who hold the finalizer
	unsure                           bool     // what refuses its removal is unread
}

func (s stuck) resource() cluster.Resource {
	switch s.kind {
	case "ConfigMap":
		return cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, Kind: s.kind, Namespaced: true}
	case "Parcel":
		return cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Group: "post.acme.dev", Version: "v1", Resource: "parcels"}, Kind: s.kind, Namespaced: true}
	case "CephObjectStore":
		return cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Group: "ceph.rook.io", Version: "v1", Resource: "cephobjectstores"}, Kind: s.kind, Namespaced: true}
	}
	return cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Group: "shop.example.com", Version: "v1", Resource: strings.ToLower(s.kind) + "s"}, Kind: s.kind, Namespaced: true}
}

func (s stuck) document() string {
	var managers []string
	for _, manager := range s.managers {
		managers = append(managers, fmt.Sprintf(`{manager: %s, operation: Update, apiVersion: v1, time: "2026-06-01T12:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:finalizers": {'v:"%s"': {}}}}}`, manager, s.finalizer))
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {namespace: %s, name: %s, uid: %s-%s-%s, deletionTimestamp: %q, finalizers: [%q], managedFields: [%s]}\n",
		s.resource().APIVersion(), s.kind, s.namespace, s.name, s.kind, s.namespace, s.name, now.Add(-time.Hour).Format(time.RFC3339), s.finalizer, strings.Join(managers, ", "))
}

// shop is a cluster in which several programs may be a Database's controller, by what is known about each.
const shop = `
apiVersion: v1
kind: ServiceAccount
metadata: {namespace: shop-system, name: shop-operator}
---
apiVersion: v1
kind: ServiceAccount
metadata: {namespace: cd, name: deployer}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shop}
rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: [get, list, watch, update, patch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: shop}
roleRef: {kind: ClusterRole, name: shop}
subjects: [{kind: ServiceAccount, namespace: shop-system, name: shop-operator}, {kind: ServiceAccount, namespace: going, name: second}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {namespace: ruled, name: shop}
roleRef: {kind: ClusterRole, name: shop}
subjects: [{kind: ServiceAccount, namespace: cd, name: deployer}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {namespace: ruled-alike, name: shop}
roleRef: {kind: ClusterRole, name: shop}
subjects: [{kind: ServiceAccount, namespace: cd, name: deployer}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {namespace: people, name: shop}
roleRef: {kind: ClusterRole, name: reads}
subjects: [{kind: User, name: ann}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reads}
rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: [get]}]
---
apiVersion: v1
kind: Namespace
metadata: {name: going, uid: going, deletionTimestamp: "2026-07-01T11:00:00Z"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: own, name: rook-ceph-operator, uid: rook}
spec: {replicas: 0, template: {spec: {serviceAccountName: rook-ceph-system}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: rook-ceph, name: rook-ceph-operator, uid: rook-usual}
spec: {replicas: 1, template: {spec: {serviceAccountName: rook-ceph-system}}}
`

// finderOf returns a Finder that reads a cluster in memory.
func finderOf(reader cluster.Reader, known *plugins.Set) *Finder {
	reads := session.New(reader, session.Kubectl{})
	return NewFinder(reads, health.NewChecker(reads), known)
}

func shopFinder(t *testing.T, objects ...stuck) (*Finder, *clustertest.Memory) {
	t.Helper()
	documents := []string{shop}
	for _, one := range objects {
		documents = append(documents, one.document())
	}
	memory, err := clustertest.New(now, strings.Join(documents, "\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return finderOf(memory, known), memory
}

// told is the answer about an object, in words.
func told(t *testing.T, f *Finder, one stuck) string {
	t.Helper()
	meta, err := f.Session.Reader.Metadata(t.Context(), one.resource(), one.namespace, one.name)
	if err != nil {
		t.Fatal(err)
	}
	object, hold := session.FromMetadata(one.resource(), meta), finding.Hold{Type: finding.Finalizer, Name: one.finalizer}
	var answer session.Answer
	if known, found := f.Plugins.Find(one.finalizer, one.resource().GroupKind().String()); found {
		answer = f.AttributeKnown(t.Context(), object, hold, known, finding.Finding{Situation: "KnownFinalizer"})
	} else {
		var unsure []finding.Evidence
		if one.unsure {
			unsure = []finding.Evidence{{Source: "admission", Observed: "could not be read"}}
		}
		answer = f.Attribute(t.Context(), object, hold, unsure)
	}
	for _, wait := range answer.Waits {
		answer.Causes = append(answer.Causes, wait.Otherwise.Causes...)
	}
	var words strings.Builder
	voice := finding.Voice{Now: now}
	for _, cause := range answer.Causes {
		fmt.Fprintf(&words, "%s %s %s\n%s\n%s\n%s\n%+v\n%v\n", cause.Reason, cause.Object, cause.Certainty, voice.Message(cause), voice.Awaits(cause), cause.Key, remediesOf(voice, cause), cause.Candidates)
		for _, one := range cause.Evidence {
			fmt.Fprintf(&words, "%s: %s\n", one.Source, one.Observed)
		}
	}
	for _, note := range slices.Concat(answer.Progress, answer.Open, answer.Remarks) {
		fmt.Fprintf(&words, "%s %v %v\n", voice.Message(note), note.Evidence, remediesOf(voice, note))
	}
	return words.String()
}

// remediesOf are the remedies of a finding as people are told them.
func remediesOf(voice finding.Voice, one finding.Finding) (told []string) {
	for _, remedy := range voice.Remedies(one.Remedies) {
		told = append(told, fmt.Sprint(remedy.Action, remedy.Command, remedy.Risk, remedy.Loses))
	}
	return told
}

// TestSearchesAlike asks about two objects in one diagnosis: where they differ in what a search may know, there are
// two searches, where in anything else, one; and each is told what it would be told alone.
func TestSearchesAlike(t *testing.T) {
	first := stuck{kind: "Database", namespace: "a", name: "x", finalizer: "shop.example.com/cleanup", managers: []string{"shop-operator"}}
	note := stuck{kind: "ConfigMap", namespace: "a", name: "x", finalizer: "shop.example.com/cleanup"}
	store := stuck{kind: "CephObjectStore", namespace: "a", name: "x", finalizer: "cephobjectstore.ceph.rook.io"}
	with := func(one stuck, change func(*stuck)) stuck {
		change(&one)
		return one
	}
	cases := []struct {
		differs     string
		one, other  stuck
		searches    int
		differently bool // they know more than their names
	}{
		{"in its name", first, with(first, func(s *stuck) { s.name = "z" }), 1, false},
		{"in its namespace, and none has rules of its own", first, with(first, func(s *stuck) { s.namespace = "b" }), 1, false},
		{"in a namespace in which people may read", first, with(first, func(s *stuck) { s.namespace = "people" }), 1, false},
		{"in a namespace that has rules of its own", first, with(first, func(s *stuck) { s.namespace = "ruled" }), 2, true},
		{"in which of two namespaces with like rules", with(first, func(s *stuck) { s.namespace = "ruled" }), with(first, func(s *stuck) { s.namespace = "ruled-alike" }), 2, true},
		{"in being in the namespace in which a controller lived", with(first, func(s *stuck) { s.managers = []string{"second"} }), with(first, func(s *stuck) { s.managers, s.namespace = []string{"second"}, "going" }), 1, true},
		{"in the finalizer", first, with(first, func(s *stuck) { s.name, s.finalizer = "z", "shop.example.com/other" }), 2, false},
		{"in the kind", first, with(first, func(s *stuck) { s.kind = "ConfigMap" }), 2, true},
		{"in who set the finalizer", first, with(first, func(s *stuck) { s.name, s.managers = "z", []string{"second"} }), 2, true},
		{"in the order of who set it", with(first, func(s *stuck) { s.managers = []string{"second", "shop-operator"} }), with(first, func(s *stuck) { s.name, s.managers = "z", []string{"shop-operator", "second"} }), 2, false},
		{"in that a program of no name set it", note, with(note, func(s *stuck) { s.name, s.managers = "z", []string{"manager"} }), 2, false},
		{"in that what refuses is unread", first, with(first, func(s *stuck) { s.name, s.unsure = "z", true }), 2, true},
		{"in the namespace, of a finalizer that a plugin knows", store, with(store, func(s *stuck) { s.namespace = "own" }), 2, true},
		{"in the name, of a finalizer that a plugin knows", store, with(store, func(s *stuck) { s.name = "z" }), 1, false},
	}
	for _, c := range cases {
		t.Run(c.differs, func(t *testing.T) {
			together, _ := shopFinder(t, c.one, c.other)
			var words []string
			for _, one := range []stuck{c.one, c.other} {
				alone, _ := shopFinder(t, c.one, c.other)
				want, got := told(t, alone, one), told(t, together, one)
				if got != want {
					t.Errorf("together:\n%s\nalone:\n%s", got, want)
				}
				words = append(words, strings.NewReplacer(one.kind+" "+one.namespace+"/"+one.name, "OBJECT", "-n "+one.namespace, "-n NAMESPACE", "/"+one.name+" ", "/NAME ", " in "+one.namespace, " in NAMESPACE", one.finalizer, "FINALIZER").Replace(got))
			}
			if together.searches.Len() != c.searches {
				t.Errorf("%d searches, want %d", together.searches.Len(), c.searches)
			}
			if differ := words[0] != words[1]; c.differently && !differ {
				t.Errorf("both are told the same, so that this proves nothing:\n%s", words[0])
			} else if c.searches == 1 && !c.differently && differ {
				t.Errorf("one search, and two answers:\n%s\n%s", words[0], words[1])
			}
		})
	}
}

// TestSearchedOnce makes sure that a thousand objects that are alike cost no read, and no search, more than one.
func TestSearchedOnce(t *testing.T) {
	reads := func(count int) []string {
		var objects []stuck
		for i := range count {
			objects = append(objects, stuck{kind: "ConfigMap", namespace: fmt.Sprintf("n%d", i%10), name: fmt.Sprintf("x%d", i), finalizer: "shop.example.com/cleanup", managers: []string{"shop-operator"}})
		}
		w, memory := shopFinder(t, objects...)
		for _, one := range objects {
			told(t, w, one)
		}
		if w.searches.Len() != 1 {
			t.Errorf("%d searches for %d objects", w.searches.Len(), count)
		}
		return slices.Sorted(slices.Values(slices.DeleteFunc(memory.Reads, func(read string) bool { return strings.HasPrefix(read, "configmaps ") })))
	}
	if one, many := reads(1), reads(1000); !slices.Equal(one, many) {
		t.Errorf("for a thousand:\n%s\nfor one:\n%s", strings.Join(many, "\n"), strings.Join(one, "\n"))
	}
}

package removal

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// look is one object at one moment: as it was read, and what the diagnosis says of it.
type look struct {
	object    *session.Object
	diagnosis *result.Diagnosis
	taken     []finding.Taken // what goes with the object
	// below is what goes after it, with what that takes along, as of the plan; dependents are the ones that name it as
	// their owner, and unlistedBelow the kinds in which there may be more.
	below         []finding.Taken
	dependents    []*session.Object
	unlistedBelow *session.NotListed
	// stopped are workloads without pods that may be the controller of a finalizer that the user did not name, and
	// workloadsUnread are kinds in which there may be more, as of the plan.
	stopped         map[finding.Hold][]finding.Ref
	workloadsUnread []string
	// content is what is in a Namespace, kind by kind, and unlisted what could not be listed there.
	content  []result.Leftover
	unlisted []string
}

// addContent counts what is in a Namespace whose own list holds it: what is left of it when the entry goes comes back
// with the namespace's name (docs/deletion.md#a-namespace-that-was-finalized-by-force).
func (l *look) addContent(ctx context.Context, tools *mechanism.Tools) error {
	if !slices.Contains(l.object.Holds(), contentHold()) {
		return nil
	}
	servedKinds, err := tools.Session.Reader.ServedKinds(ctx)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	count := func(resource cluster.Resource, _ *metav1.PartialObjectMetadata) { counts[resource.QualifiedName()]++ }
	unread := cluster.ScanFor(ctx, tools.Session.Reader, servedKinds.Content(), l.object.Ref.Name, cluster.Selector{},
		count)
	for resource, count := range counts {
		l.content = append(l.content, result.Leftover{Resource: resource, Count: count})
	}
	slices.SortFunc(l.content, func(a, b result.Leftover) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Resource, b.Resource))
	})
	l.unlisted = session.NamesOf(unread)
	for _, version := range servedKinds.FailedVersions() {
		l.unlisted = append(l.unlisted, "*."+version.String())
	}
	return nil
}

// contentHold is the entry that keeps a Namespace until it is empty.
func contentHold() finding.Hold {
	return finding.Hold{Type: finding.SpecFinalizer, Name: string(corev1.FinalizerKubernetes)}
}

// facts are what a diagnosis rests on, in a form that two looks can be compared in, sorted.
func (l *look) facts() (facts []finding.Phrase) {
	for _, hold := range l.object.Holds() {
		facts = append(facts, finding.Phrase{Situation: "HoldFact", Details: finding.FactDetails{Hold: hold}})
	}
	for _, cause := range l.diagnosis.RootCauses {
		for _, object := range append([]finding.Ref{cause.Object}, cause.Others...) {
			is := finding.FactDetails{Reason: cause.Reason, Object: named(object), Name: cause.Finalizer}
			facts = append(facts, finding.Phrase{Situation: "CauseFact", Details: is})
		}
		for _, candidate := range cause.Candidates {
			is := finding.FactDetails{Object: named(candidate), Name: cause.Finalizer}
			facts = append(facts, finding.Phrase{Situation: "CandidateFact", Details: is})
		}
		for _, unread := range cause.Unread {
			is := finding.FactDetails{Name: cause.Finalizer, Unread: unread}
			facts = append(facts, finding.Phrase{Situation: "UnreadFact", Details: is})
		}
	}
	facts = append(facts, takenFacts(l.taken)...)
	for _, left := range l.content {
		facts = append(facts,
			finding.Phrase{Situation: "ContentFact", Details: finding.FactDetails{Name: left.Resource}})
	}
	for _, kind := range l.unlisted {
		facts = append(facts, finding.Phrase{Situation: "UnlistedFact", Details: finding.FactDetails{Name: kind}})
	}
	slices.SortFunc(facts, func(a, b finding.Phrase) int {
		return cmp.Or(cmp.Compare(a.Situation, b.Situation), cmp.Compare(fmt.Sprint(a.Details), fmt.Sprint(b.Details)))
	})
	return slices.Compact(facts)
}

func named(object finding.Ref) finding.Ref {
	return finding.Ref{Kind: object.Kind, Namespace: object.Namespace, Name: object.Name}
}

func without[T comparable](all, taken []T) []T {
	return slices.DeleteFunc(slices.Clone(all), func(one T) bool { return slices.Contains(taken, one) })
}

func (l *look) waitsFor(uid string) bool {
	return slices.ContainsFunc(l.reached(0), func(ref finding.Ref) bool { return ref.UID == uid })
}

// reached returns the objects at the far ends of waits that leave some nodes, all the way down.
func (l *look) reached(from ...int) (refs []finding.Ref) {
	blocking := l.diagnosis.Graph
	seen := map[int]bool{}
	for ; len(from) > 0; from = from[1:] {
		for _, edge := range blocking.Edges {
			if edge.From == from[0] && edge.Type == finding.WaitsFor && !seen[edge.To] {
				seen[edge.To] = true
				refs = append(refs, blocking.Nodes[edge.To].Ref)
				from = append(from, edge.To)
			}
		}
	}
	return refs
}

// goes is all that goes with an object, and after it.
func (l *look) goes() []finding.Taken { return slices.Concat(l.taken, l.below) }

// takenFacts are what is lost, in a form that two looks can be compared in: a volume that is deleted now, and was to be
// kept, is another plan.
func takenFacts(taken []finding.Taken) (facts []finding.Phrase) {
	for _, one := range taken {
		if one.Details.Volume == nil && one.Risk != finding.DataLoss {
			continue // the pods of a Node change
		}
		fact := finding.FactDetails{Object: named(one.Object), Name: one.Situation}
		if one.Details.Volume != nil {
			fact.Object = named(*one.Details.Volume)
		}
		facts = append(facts, finding.Phrase{Situation: "TakenFact", Details: fact})
	}
	return facts
}

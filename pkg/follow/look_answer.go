package follow

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Answer is what one look at the cluster has found.
type Answer struct {
	Result   result.Result // to be printed
	Items    []Item        // one for each target, or one for everything in a scope
	Gone     []result.Change
	Verdicts []result.Verdict
	Over     bool // that nothing is left is seen by this answer
	// Versions are the resourceVersions of what was read, by place.
	Versions map[finding.Ref]string
	// Complete says that a Terminating object that is not in the answer is gone.
	Complete bool
	// Kinds is what is served: it has the resources of kinds. Nil knows none.
	Kinds *cluster.ServedKinds

	nodes  []graph.Node // everything that the answer speaks of
	unread []finding.Unreadable
	listed bool // kind by kind: what of one can't be read says nothing about the others
	causes []cause
	until  time.Time // when something that it names should be over, or zero
}

// Item is what an answer says of one target.
type Item struct {
	Target finding.Ref // nothing for a scope
	Text   string      // in one line
	// Requested is when its deletion was requested, or zero.
	Requested time.Time
	key       string // the same while the answer is the same, however old it has become
}

// cause is a root cause, as far as it says which one it is.
type cause struct {
	reason    finding.Reason
	object    finding.Ref // its place
	finalizer string
}

// besides reports whether another cause differs by its finalizer alone.
func (c cause) besides(other cause) bool {
	return c != other && c.reason == other.reason && c.object == other.object
}

// OfDiagnoses returns the answer about some targets.
func OfDiagnoses(whole result.Result, items []result.Diagnosis) *Answer {
	answer := &Answer{Result: whole, Over: len(items) == 0}
	for _, item := range items {
		answer.Verdicts = append(answer.Verdicts, item.Verdict)
		about := Item{Target: item.Target, Text: string(item.Verdict) + ": " + item.Summary, key: keyOf(item)}
		if item.Deletion != nil {
			about.Requested = item.Deletion.RequestedAt
		}
		answer.Items = append(answer.Items, about)
		answer.unread = append(answer.unread, item.Unreadable...)
		answer.nodes = append(answer.nodes, item.Graph.Nodes...)
		answer.addCauses(item.RootCauses)
		for _, observation := range item.Observations {
			if observation.Until != nil {
				answer.appoint(*observation.Until, item.GeneratedAt)
			}
		}
	}
	return answer
}

// OfList returns the answer about everything Terminating in a scope. text is it in one line.
func OfList(list *result.List, text string) *Answer {
	answer := &Answer{
		Result: list, Items: []Item{{Text: text, key: keyOfList(list)}}, Over: len(list.Items) == 0, listed: true,
		unread: list.Unreadable, Complete: len(list.Unreadable) == 0, nodes: slices.Clone(list.Graph.Nodes),
		Verdicts: finding.Each(list.Items, func(item result.ListItem) result.Verdict { return item.Verdict }),
	}
	answer.addCauses(list.RootCauses)
	for _, item := range list.Items {
		answer.appoint(item.Until, list.GeneratedAt)
	}
	return answer
}

// appoint notes when something should be over, unless something else should be sooner. What should have been over when
// the cluster was looked at is no appointment.
func (a *Answer) appoint(until, looked time.Time) {
	if until.After(looked) && (a.until.IsZero() || until.Before(a.until)) {
		a.until = until
	}
}

// Unread is how many things could not be looked at.
func (a *Answer) Unread() int { return len(a.unread) }

func (a *Answer) addCauses(causes []result.RootCause) {
	for _, rootCause := range causes {
		for _, object := range append([]finding.Ref{rootCause.Object}, rootCause.Others...) {
			a.causes = append(a.causes, cause{reason: rootCause.Reason, object: object.Place(), finalizer: rootCause.Finalizer})
		}
	}
}

// keyOf tells answers about one target apart, without what time alone changes, or that fewer objects are left.
func keyOf(item result.Diagnosis) string {
	var parts []string
	for _, rootCause := range item.RootCauses {
		parts = append(parts, finding.KeyOf(rootCause.Reason, rootCause.Situation, rootCause.Finalizer, rootCause.Certainty,
			cmp.Or(rootCause.Key, rootCause.Object.Place().String())))
	}
	for _, observation := range item.Observations {
		if observation.Verdict != "" {
			parts = append(parts, finding.KeyOf(observation.Verdict, observation.Situation))
		}
	}
	slices.Sort(parts)
	return string(item.Verdict) + "\n" + strings.Join(slices.Compact(parts), "\n")
}

// keyOfList tells answers about a scope apart: by how many objects have which verdict, by how many causes there are,
// known and unknown, and by whether everything could be read.
func keyOfList(list *result.List) string {
	counts, unknown := map[result.Verdict]int{}, 0
	for _, item := range list.Items {
		counts[item.Verdict]++
	}
	for _, rootCause := range list.RootCauses {
		if rootCause.Reason == finding.ControllerUnknown {
			unknown++
		}
	}
	return finding.KeyOf(counts[result.Stuck], counts[result.Undetermined], counts[result.Progressing],
		len(list.RootCauses), unknown, len(list.Unreadable) > 0)
}

// helpless reports whether nothing but a person can help any of what is left.
func (a *Answer) helpless() bool {
	other := func(verdict result.Verdict) bool { return verdict != result.Stuck }
	return len(a.Verdicts) > 0 && !slices.ContainsFunc(a.Verdicts, other)
}

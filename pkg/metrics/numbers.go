package metrics

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// noReason is the label of an object for which no root cause was found.
const noReason finding.Reason = "None"

// otherName is the label of what has too many series. No kind, group or namespace can have this name.
const otherName = "(other)"

// Numbers are what one look has found.
type Numbers struct {
	at         time.Time // by the cluster's clock
	objects    []object  // Terminating
	findings   map[found]int
	unreadable int // kinds that could not be read, or not entirely
	carried    int // objects that only the look before has seen

	unlisted     map[schema.GroupKind]bool // kinds that could not be listed
	undiscovered map[schema.GroupVersion]bool
}

// object is a Terminating object.
type object struct {
	ref       finding.Ref
	resource  string
	verdict   result.Verdict
	deleted   time.Time
	reason    finding.Reason // of its first root cause
	cause     finding.Ref
	finalizer string
	blocked   []blocked // by each of its root causes
}

type blocked struct {
	reason    finding.Reason
	certainty finding.Certainty
}

// sortOfFinding is what findings of check have in common that are counted together.
type sortOfFinding struct {
	severity result.Severity
	reason   finding.Reason
}

// found is a sort of finding of check, and the kind of object that it is about.
type found struct {
	sortOfFinding
	kind    schema.GroupKind
	version schema.GroupVersion
}

// group are objects that share a time series.
type group struct {
	group, kind, namespace string
	verdict                result.Verdict
	reason                 finding.Reason
}

// size is how many objects a group has, and when the first of them was deleted.
type size struct {
	count  int
	oldest time.Time
}

func (s *size) add(count int, oldest time.Time) {
	if s.count == 0 || oldest.Before(s.oldest) {
		s.oldest = oldest
	}
	s.count += count
}

// groups counts the objects, in no more than most groups. The smallest of more are counted in one for each verdict and
// reason. What is stuck, and the largest groups, keep their names.
func (n *Numbers) groups(most int) map[group]*size {
	all := map[group]*size{}
	for _, one := range n.objects {
		add(all, one.group(), 1, one.deleted)
	}
	if len(all) <= most {
		return all
	}
	names := make([]group, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b group) int {
		return cmp.Or(
			cmp.Compare(rank(a.verdict), rank(b.verdict)), cmp.Compare(all[b].count, all[a].count),
			strings.Compare(a.namespace, b.namespace), strings.Compare(a.group, b.group),
			strings.Compare(a.kind, b.kind),
			cmp.Compare(a.reason, b.reason),
		)
	})
	for _, name := range names[most:] {
		rest := all[name]
		delete(all, name)
		other := group{
			group: otherName, kind: otherName, namespace: otherName, verdict: name.verdict, reason: name.reason,
		}
		add(all, other, rest.count, rest.oldest)
	}
	return all
}

func add(groups map[group]*size, to group, count int, oldest time.Time) {
	if groups[to] == nil {
		groups[to] = &size{}
	}
	groups[to].add(count, oldest)
}

// allVerdicts returns the verdicts of Terminating objects: what needs a person comes first.
func allVerdicts() []result.Verdict {
	return []result.Verdict{result.Stuck, result.Undetermined, result.Progressing}
}

func rank(verdict result.Verdict) int { return slices.Index(allVerdicts(), verdict) }

// group is the time series in which an object is counted.
func (o *object) group() group {
	return group{
		group: o.ref.Group(), kind: o.ref.Kind, namespace: o.namespace(), verdict: o.verdict, reason: o.reason,
	}
}

// namespace is where an object is counted: a Namespace in itself, as list -n does.
func (o *object) namespace() string {
	if o.ref.Kind == "Namespace" && o.ref.Group() == "" {
		return o.ref.Name
	}
	return o.ref.Namespace
}

// worst returns the objects that are named: no more than most, what needs a person and waits longest first.
func (n *Numbers) worst(most int) []object {
	sorted := slices.SortedFunc(slices.Values(n.objects), func(a, b object) int {
		return cmp.Or(
			cmp.Compare(rank(a.verdict), rank(b.verdict)), a.deleted.Compare(b.deleted),
			finding.Compare(a.ref, b.ref),
		)
	})
	return sorted[:min(most, len(sorted))]
}

// verdicts counts the objects by verdict; all of these are there, with 0 if need be.
func (n *Numbers) verdicts() map[result.Verdict]int {
	counts := map[result.Verdict]int{}
	for _, verdict := range allVerdicts() {
		counts[verdict] = 0
	}
	for _, one := range n.objects {
		counts[one.verdict]++
	}
	return counts
}

// blockedBy counts the objects under each of their root causes' reasons, once for each.
func (n *Numbers) blockedBy() map[blocked]int {
	counts := map[blocked]int{}
	for _, one := range n.objects {
		seen := map[blocked]bool{}
		for _, by := range one.blocked {
			if !seen[by] {
				counts[by]++
			}
			seen[by] = true
		}
	}
	return counts
}

// checked counts what check has found, by severity and reason.
func (n *Numbers) checked() map[sortOfFinding]int {
	counts := map[sortOfFinding]int{}
	for one, count := range n.findings {
		counts[one.sortOfFinding] += count
	}
	return counts
}

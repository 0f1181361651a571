package diagnosis

import (
	"cmp"
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// group is causes that are the same but for the object, the first of them by name in front.
type group struct {
	causes []finding.Finding
	nodes  []int // where they were found
	frees  int
}

// group joins the causes that are alike, counts what each joined cause frees and sorts them: what
// somebody must fix before what nobody can tell, what frees most first.
func (r *run) group() {
	byKey := map[string]*group{}
	r.groups, r.member = nil, make([]*group, len(r.causes))
	for number, cause := range r.causes {
		joined := byKey[cause.Key]
		if cause.Key == "" || joined == nil {
			joined = &group{}
			r.groups = append(r.groups, joined)
			byKey[cause.Key] = joined
		}
		joined.causes = append(joined.causes, cause)
		r.member[number] = joined
	}
	for node := range r.graph.Nodes() {
		for _, number := range r.at(node).causes {
			r.member[number].nodes = append(r.member[number].nodes, node)
		}
	}
	r.countFreed()
	for _, joined := range r.groups {
		slices.SortFunc(joined.causes, func(a, b finding.Finding) int { return finding.Compare(a.Object, b.Object) })
	}
	slices.SortFunc(r.groups, func(a, b *group) int {
		one, other := a.causes[0], b.causes[0]
		return cmp.Or(
			session.FalseFirst(unidentified(one), unidentified(other)), cmp.Compare(b.frees, a.frees),
			cmp.Compare(one.Reason, other.Reason), finding.Compare(one.Object, other.Object),
			cmp.Compare(one.Finalizer, other.Finalizer),
		)
	})
}

// countFreed counts, for each group, the Terminating objects that wait for nothing else.
func (r *run) countFreed() {
	for node, described := range r.graph.Nodes() {
		if !described.Terminating {
			continue
		}
		var only *group
		alone := true
		for reached := range r.graph.Reach(node) {
			place := r.at(reached)
			alone = alone && len(place.open) == 0 && len(place.progress) == 0 &&
				!slices.ContainsFunc(place.remarks, func(remark finding.Finding) bool { return remark.Holds })
			for _, number := range place.causes {
				alone = alone && (only == nil || only == r.member[number])
				only = r.member[number]
			}
		}
		if alone && only != nil {
			only.frees++
		}
	}
}

func (r *run) rootCauses(ctx context.Context) []report.RootCause {
	r.lookAtLosses(ctx)
	causes, voice := make([]report.RootCause, 0, len(r.groups)), r.voice()
	for _, joined := range r.groups {
		first := joined.causes[0]
		cause := report.RootCause{
			Reason: first.Reason, Situation: first.Situation, Details: first.Details,
			Object: first.Object, Finalizer: first.Finalizer, Also: first.Also, Certainty: first.Certainty,
			Key: first.Identity(), Message: voice.Message(first), Evidence: report.Evidence(first.Evidence),
			Remedies: voice.Remedies(r.weigh(ctx, joined.remedies(), r.taken[joined])), Count: len(joined.causes), Frees: joined.frees,
		}
		for _, other := range joined.causes[1:] {
			cause.Others = append(cause.Others, other.Object)
			if other.Certainty != finding.Proven {
				cause.Certainty = other.Certainty // what is told of them all is no surer than the least sure
			}
		}
		for _, one := range joined.causes {
			cause.Candidates = union(cause.Candidates, one.Candidates...)
			for _, unread := range one.Unread {
				cause.Unread = union(cause.Unread, voice.Unread(unread))
			}
		}
		causes = append(causes, cause)
	}
	return causes
}

// remedies are what to do about the first of a group's objects, and what else there is to do about those of other
// kinds.
func (g *group) remedies() []finding.Remedy {
	all, kinds := slices.Clone(g.causes[0].Remedies), []string{g.causes[0].Object.Kind}
	for _, other := range g.causes[1:] {
		if slices.Contains(kinds, other.Object.Kind) {
			continue
		}
		kinds = append(kinds, other.Object.Kind)
		for _, remedy := range other.Remedies {
			if !slices.ContainsFunc(all, func(one finding.Remedy) bool { return one.Step == remedy.Step }) {
				all = append(all, remedy)
			}
		}
	}
	return all
}

package diagnosis

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// target is the number of the node that was asked about.
const target = 0

// judge turns what was found into the result, and returns what sums it up beside it.
func (r *run) judge(ctx context.Context, object *session.Object) (*result.Diagnosis, finding.Finding) {
	r.groups.join(ctx)
	r.groups.ownFirst(object.Ref)
	r.addLogs(ctx)
	causes := r.rootCauses(ctx)
	if ctx.Err() != nil {
		r.found.interrupted(target, object)
		for i := range causes {
			causes[i].Remedies = r.offered(causes[i].Remedies)
		}
	}
	observations, notes := r.observations(ctx)
	for i := range observations {
		observations[i].Remedies = r.offered(observations[i].Remedies)
	}
	answer := &result.Diagnosis{
		APIVersion: result.APIVersion, Kind: "Diagnosis", GeneratedAt: result.InSeconds(r.tools.Session.AsOf()),
		Target: object.Ref, RootCauses: causes, Observations: observations, Graph: r.found.drawn(),
		Unreadable: r.found.unreadable(ctx),
	}
	overrideOpen(answer)
	answer.Ask = session.AskNext(ctx, r.tools.Session.Reader, object)
	answer.Takes, answer.Keep = r.losses.goesWith(ctx)
	r.abroad.addTo(answer)
	if r.tools.Border != nil {
		answer.Clusters = r.tools.Border.Asked()
	}
	if answer.Keep != nil && offered(answer.Observations, answer.Keep.Command) {
		answer.Keep = nil
	}
	keepAll(answer.RootCauses, answer.Keep)
	surely := r.found.graph.ReachSurely(target)
	for i := range r.groups.all {
		if ctx.Err() != nil {
			break
		}
		answer.RootCauses[i].Path = r.found.path(target, r.groups.all[i])
		answer.RootCauses[i].Certainty = likelyAt(surely, r.groups.all[i], answer.RootCauses[i].Certainty)
	}
	if object.Terminating() {
		answer.Deletion = &result.Deletion{RequestedAt: result.InSeconds(object.RequestedAt()), Holds: object.Holds()}
		if object.Is("", "Pod") {
			answer.Deletion.GracePeriodSeconds = object.Meta.DeletionGracePeriodSeconds
		}
	}
	answer.Verdict = verdict(object, answer)
	if answer.Verdict != result.Undetermined && !r.tools.Session.Reader.Source().Manifests() {
		answer.Ask = nil // what the user may read is enough
	}
	answer.Wide = r.tools.Session.Kubectl.Why(object, "-o", "wide")
	r.rescue(object, answer)
	answer.History, answer.HistoryLeftOut = r.history(object)
	summary := r.summary(object, answer.Verdict)
	answer.Summary, answer.Sums = voiceOf(r.tools).Message(summary), r.sums(summary)
	r.shorten(answer, summary, notes)
	return answer, summary
}

// offered reports whether a command is at an observation already.
func offered(at []result.Observation, command finding.Command) bool {
	return slices.ContainsFunc(at, func(observation result.Observation) bool {
		same := func(step finding.Remedy) bool { return slices.Equal(step.Command, command) }
		return slices.ContainsFunc(observation.Remedies, same)
	})
}

func verdict(object *session.Object, answer *result.Diagnosis) result.Verdict {
	if object.Meta != nil && !object.Terminating() {
		return result.NotTerminating
	}
	open := func(o result.Observation) bool { return o.Verdict == result.Undetermined }
	reason := func(cause result.RootCause) finding.Reason { return cause.Reason }
	return result.VerdictBy(finding.Each(answer.RootCauses, reason), slices.ContainsFunc(answer.Observations, open))
}

func (x *expansion) drawn() result.Graph {
	return result.GraphOf(&x.graph)
}

// path is the shortest chain of waits from a node to a cause's object.
func (x *expansion) path(start int, joined *group) (refs []finding.Ref) {
	goal := x.graph.Add(joined.causes[0].Object)
	way := x.graph.Path(start, goal)
	if way == nil {
		way = []int{goal}
		reached := x.graph.Reach(start)
		waited := func(node int) bool { _, is := slices.BinarySearch(reached, node); return is }
		if at := slices.IndexFunc(joined.nodes, waited); at >= 0 {
			way = append(x.graph.Path(start, joined.nodes[at]), goal)
		}
	}
	for _, node := range way {
		refs = append(refs, x.graph.Nodes()[node].Ref)
	}
	return refs
}

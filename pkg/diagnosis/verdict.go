package diagnosis

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// target is the number of the node that was asked about.
const target = 0

// judge turns what was found into the result, and returns what sums it up beside it.
func (r *run) judge(ctx context.Context, object *session.Object) (*report.Diagnosis, finding.Finding) {
	r.group()
	r.addLogs(ctx)
	observations, notes := r.observations()
	result := &report.Diagnosis{
		APIVersion: report.APIVersion, Kind: "Diagnosis", GeneratedAt: report.InSeconds(r.tools.Session.AsOf()),
		Target: object.Ref, RootCauses: r.rootCauses(ctx), Observations: observations, Graph: r.drawn(),
		Unreadable: r.unreadable(ctx),
	}
	result.Takes, result.Keep = r.goesWith()
	if result.Keep != nil && offered(result.Observations, result.Keep.Command) {
		result.Keep = nil
	}
	surely := r.graph.ReachSurely(target)
	for i := range r.groups {
		result.RootCauses[i].Path = r.path(target, r.groups[i])
		result.RootCauses[i].Certainty = likelyAt(surely, r.groups[i], result.RootCauses[i].Certainty)
	}
	if object.Terminating() {
		result.Deletion = &report.Deletion{RequestedAt: report.InSeconds(object.RequestedAt()), Holds: object.Holds()}
		if object.Is("", "Pod") {
			result.Deletion.GracePeriodSeconds = object.Meta.DeletionGracePeriodSeconds
		}
	}
	result.Verdict = verdict(object, result)
	result.History, result.HistoryLeftOut = r.history(object)
	summary := r.summary(object, result.Verdict)
	result.Summary, result.Sums = r.voice().Message(summary), r.sums(summary)
	r.shorten(result, summary, notes)
	return result, summary
}

// offered reports whether a command is at an observation already.
func offered(at []report.Observation, command finding.Command) bool {
	return slices.ContainsFunc(at, func(one report.Observation) bool {
		same := func(step finding.Remedy) bool { return slices.Equal(step.Command, command) }
		return slices.ContainsFunc(one.Remedies, same)
	})
}

func verdict(object *session.Object, result *report.Diagnosis) report.Verdict {
	if object.Meta != nil && !object.Terminating() {
		return report.NotTerminating
	}
	known := func(cause report.RootCause) bool { return cause.Reason != finding.ControllerUnknown }
	if slices.ContainsFunc(result.RootCauses, known) {
		return report.Stuck
	}
	unsettled := func(o report.Observation) bool { return o.Verdict == report.Undetermined }
	if len(result.RootCauses) > 0 || slices.ContainsFunc(result.Observations, unsettled) {
		return report.Undetermined
	}
	return report.Progressing
}

func (r *run) drawn() report.Graph {
	return report.GraphOf(&r.graph)
}

// path is the shortest chain of waits from a node to a cause's object.
func (r *run) path(start int, joined *group) (refs []finding.Ref) {
	goal := r.graph.Add(joined.causes[0].Object)
	way := r.graph.Path(start, goal)
	for i := 0; way == nil && i < len(joined.nodes); i++ {
		if way = r.graph.Path(start, joined.nodes[i]); way != nil {
			way = append(way, goal)
		}
	}
	if way == nil {
		way = []int{goal}
	}
	for _, node := range way {
		refs = append(refs, r.graph.Nodes()[node].Ref)
	}
	return refs
}

package diagnosis

import (
	"context"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

const (
	mostLogged = 5  // controllers whose logs are read
	mostNamed  = 20 // objects that are looked for in them, of one cause
)

// addLogs adds to the causes, and to what is in progress or isn't settled, what the logs of the controller say about
// the objects that wait for it, if that was requested.
func (r *run) addLogs(ctx context.Context) {
	since := r.found.firstDeletion()
	if r.tools.Attribution.LogReader == nil || since.IsZero() {
		return
	}
	var asked []finding.Ref
	say := func(about []finding.Finding, nodes []int) {
		who := program(about[0])
		abroad := about[0].Object.Cluster != "" // where no logs are read
		if who == nil || abroad || !slices.Contains(asked, *who) && len(asked) == mostLogged {
			return
		}
		asked = union(asked, *who)
		found := r.tools.Attribution.Logs(ctx, *who, since, r.found.waitingFor(*who, nodes))
		about[0] = withLogs(about[0], found)
	}
	for _, joined := range r.groups.all {
		say(joined.causes, joined.nodes)
	}
	told := map[string]bool{} // what is the same for many objects is said of the first
	for node := range r.found.graph.Nodes() {
		place := r.found.at(node)
		for _, notes := range [][]finding.Finding{place.open.findings, place.progress.findings} {
			for i, note := range notes {
				if !told[note.Identity()] {
					say(notes[i:i+1], []int{node})
				}
				told[note.Identity()] = true
			}
		}
	}
}

func program(about finding.Finding) *finding.Ref {
	if details, is := about.Details.(finding.Controlled); is {
		return details.Program()
	}
	return nil
}

// firstDeletion is when the first of the objects was deleted that are in view.
func (x *expansion) firstDeletion() (first time.Time) {
	for node := range x.graph.Nodes() {
		object := x.objects[node]
		if object == nil || !object.Terminating() {
			continue
		}
		if requested := object.RequestedAt(); first.IsZero() || requested.Before(first) {
			first = requested
		}
	}
	return first
}

// waitingFor are the objects of some nodes; of the program itself, the ones that wait for it.
func (x *expansion) waitingFor(who finding.Ref, nodes []int) (objects []finding.Ref) {
	for _, node := range nodes {
		if ref := x.graph.Nodes()[node].Ref; !ref.SameAs(who) {
			objects = union(objects, ref)
			continue
		}
		for _, edge := range x.graph.Edges() {
			if edge.To == node && edge.ForAnswer {
				objects = union(objects, x.graph.Nodes()[edge.From].Ref)
			}
		}
	}
	return objects[:min(len(objects), mostNamed)]
}

// withLogs adds what logs say behind all other evidence, and how to read them before what costs something.
func withLogs(about finding.Finding, logs attribution.Logged) finding.Finding {
	about.Evidence = append(slices.Clone(about.Evidence), logs.Evidence...)
	costs := slices.IndexFunc(about.Remedies, func(remedy finding.Remedy) bool {
		return remedy.Risk != finding.NoRisk && remedy.Risk != ""
	})
	if costs < 0 {
		costs = len(about.Remedies)
	}
	about.Remedies = slices.Insert(slices.Clone(about.Remedies), costs, logs.Remedies...)
	return about
}

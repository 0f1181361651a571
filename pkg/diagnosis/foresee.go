package diagnosis

import (
	"context"
	"slices"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Foreseen is what would be left of some objects, and why. Its texts are not escaped yet.
type Foreseen struct {
	Left       []Left // what would not be deleted without help
	RootCauses []result.RootCause
	Graph      result.Graph
}

// Left is an object that would stay, or may stay, with its root causes by index.
type Left struct {
	Object     *session.Object
	Verdict    result.Verdict // Stuck or Undetermined
	Awaits     string
	Unclear    string // why it is not clear whether it would wait for more; empty where that is clear
	RootCauses []int
}

// Foresee diagnoses some objects in one go, through tools that may see a cluster as it isn't yet. If ctx ends
// meanwhile, the answer is not complete.
func Foresee(ctx context.Context, tools *mechanism.Tools, objects []*session.Object) *Foreseen {
	r := newRun(tools)
	objects = r.explainAll(ctx, objects)
	foreseen := &Foreseen{RootCauses: r.rootCauses(ctx)}
	numbers, voice := r.groups.numbers(), voiceOf(tools)
	for _, object := range objects {
		if ctx.Err() != nil {
			break
		}
		of := r.groups.fateOf(object)
		if of.verdict == result.Progressing {
			continue
		}
		left := Left{Object: object, Verdict: of.verdict}
		left.Awaits, left.Unclear = of.all.Surely(voice, object.Ref)
		for _, part := range of.causes {
			left.RootCauses = append(left.RootCauses, numbers[part.whole])
		}
		slices.Sort(left.RootCauses)
		foreseen.Left = append(foreseen.Left, left)
	}
	for number, joined := range r.groups.all {
		if ctx.Err() != nil {
			break
		}
		first := joined.causes[0].Object
		holds := func(left Left) bool { return slices.Contains(left.RootCauses, number) }
		if at := slices.IndexFunc(foreseen.Left, holds); at >= 0 {
			first = foreseen.Left[at].Object.Ref
		}
		foreseen.RootCauses[number].Path = r.found.path(r.found.graph.Add(first), joined)
	}
	foreseen.Graph = r.found.drawn()
	return foreseen
}

// requestedBefore reports whether the deletion of all that a group's causes hold was requested before the deletion that
// is foreseen: their controllers act when they can, and don't wait for a deletion.
func (x *expansion) requestedBefore(joined *group) bool {
	foreseen := x.tools.Session.AsOf().Truncate(time.Second) // as it is written in objects
	held := false
	for node := range x.graph.Nodes() {
		object := x.objects[node]
		blocks := func(edge graph.Edge) bool { return slices.Contains(joined.nodes, edge.To) }
		waits := slices.Contains(joined.nodes, node) || slices.ContainsFunc(x.graph.WaitsOf(node), blocks)
		switch {
		case object == nil || !object.Terminating() || !waits:
		case !object.RequestedAt().Before(foreseen):
			return false
		default:
			held = true
		}
	}
	return held
}

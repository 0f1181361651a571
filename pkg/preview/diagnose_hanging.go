package preview

import (
	"context"
	"maps"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostRead is how many objects are read once more, each by itself, with what a listing leaves out; askedAtOnce of how
// many the answers are in memory at a time.
const (
	mostRead    = 100
	askedAtOnce = 500
)

// diagnose asks why objects would be Terminating still, and keeps what would hang. Namespaces and definitions wait for
// what they contain, and are asked about when the rest of that has gone.
func (p *previewer) diagnose(ctx context.Context, held []*session.Object) {
	var content, containers []*session.Object
	for _, object := range held {
		if contains(object) {
			containers = append(containers, object)
		} else {
			content = append(content, object)
		}
	}
	p.ask(ctx, content)
	for _, object := range content {
		if _, hangs := p.hanging[object.Ref.UID]; !hangs {
			is := p.cascade.states[object.Ref.UID]
			is.gone = true
			p.cascade.states[object.Ref.UID] = is
		}
	}
	p.ask(ctx, containers)
	for _, object := range containers {
		if object.Is("", "Namespace") {
			p.addContent(object, content)
		}
	}
}

// contains reports whether an object goes only when nothing is left in it.
func contains(object *session.Object) bool {
	return object.Is("", "Namespace") || object.Is("apiextensions.k8s.io", "CustomResourceDefinition")
}

// ask diagnoses objects as they would be at this moment, some at a time: what is found about each takes more memory
// than what comes of it.
func (p *previewer) ask(ctx context.Context, held []*session.Object) {
	if len(held) == 0 {
		return
	}
	tools := p.future.toolsThen()
	objects := tools.Session.Refetch(ctx, p.future.readHeld(ctx, tools, held))
	for _, some := range p.cascade.askedTogether(objects) {
		if foreseen := diagnosis.Foresee(ctx, tools, some); ctx.Err() == nil {
			p.keep(foreseen)
		}
	}
}

func (p *previewer) keep(foreseen *diagnosis.Foreseen) {
	places := make([]int, len(foreseen.RootCauses))
	for i, cause := range foreseen.RootCauses {
		places[i] = p.addCause(cause)
	}
	for _, left := range foreseen.Left {
		hanging := result.Hanging{Object: left.Object.Ref, Verdict: left.Verdict, Awaits: left.Awaits, Unclear: left.Unclear}
		for _, cause := range left.RootCauses {
			hanging.RootCauses = append(hanging.RootCauses, places[cause])
		}
		p.addHanging(hanging)
	}
	p.join(foreseen.Graph)
}

// future is the cluster as a deletion will have made it.
type future struct {
	options Options
	tools   *mechanism.Tools // that see the cluster as it is
	at      time.Time
	listed  []*session.Object
	cascade *cascade
	scans   cluster.Memo[scanned, []*metav1.PartialObjectMetadata]
}

// toolsThen are tools that see the cluster as it would be at this moment of the deletion.
func (f *future) toolsThen() *mechanism.Tools {
	return f.toolsWith(maps.Clone(f.cascade.states))
}

// toolsWith are tools that see the cluster with what a deletion has made of some objects, by uid.
func (f *future) toolsWith(states map[string]state) *mechanism.Tools {
	then := &after{
		Reader: f.tools.Session.Reader, at: f.at, states: states, opened: maps.Clone(f.cascade.opened), scans: &f.scans,
	}
	tools := f.options.Scanning(then)
	tools.Session.Foresees, tools.Session.Today = true, f.tools.Session
	mechanism.SeeBeside(tools, f.listed)
	return tools
}

// readHeld reads objects as they would be then: with what a listing leaves out, where they are few.
func (f *future) readHeld(
	ctx context.Context, tools *mechanism.Tools, held []*session.Object,
) (objects []*session.Object) {
	reads := make([]func(), len(held))
	objects = make([]*session.Object, len(held))
	for i, object := range held {
		objects[i] = f.cascade.states[object.Ref.UID].marked(f.at, object)
		reads[i] = func() {
			if read, err := tools.Session.Read(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name); err == nil {
				objects[i] = read
			}
		}
	}
	if len(held) <= mostRead {
		session.SideBySide(reads)
	}
	return objects
}

// held are those of some objects that something holds while others are in the given states.
func (f *future) held(ctx context.Context, waiting map[string]bool, states map[string]state) map[string]bool {
	held, tools := map[string]bool{}, f.toolsWith(states)
	var objects []*session.Object
	for uid := range waiting {
		objects = append(objects, states[uid].marked(f.at, f.cascade.byUID[uid]))
	}
	if len(objects) == 0 {
		return held
	}
	slices.SortFunc(objects, func(a, b *session.Object) int { return finding.Compare(a.Ref, b.Ref) })
	for _, left := range diagnosis.Foresee(ctx, tools, tools.Session.Refetch(ctx, objects)).Left {
		held[left.Object.Ref.UID] = true
	}
	return held
}

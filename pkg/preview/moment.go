package preview

import (
	"context"
	"maps"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
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
	tools := p.toolsThen()
	objects := tools.Session.Refetch(ctx, p.readHeld(ctx, tools, held))
	for _, some := range p.cascade.askedTogether(objects) {
		p.keep(diagnosis.Foresee(ctx, tools, some))
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

// toolsThen are tools that see the cluster as it would be at this moment of the deletion.
func (p *previewer) toolsThen() *mechanism.Tools {
	return p.toolsWith(maps.Clone(p.cascade.states))
}

// toolsWith are tools that see the cluster with what a deletion has made of some objects, by uid.
func (p *previewer) toolsWith(states map[string]state) *mechanism.Tools {
	then := &after{
		Reader: p.tools.Session.Reader, at: p.at, states: states, opened: maps.Clone(p.cascade.opened), scans: p.scans,
	}
	tools := p.options.Scanning(then)
	tools.Session.Foresees, tools.Session.Today = true, p.tools.Session
	mechanism.SeeBeside(tools, p.listed)
	return tools
}

// readHeld reads objects as they would be then: with what a listing leaves out, where they are few.
func (p *previewer) readHeld(
	ctx context.Context, tools *mechanism.Tools, held []*session.Object,
) (objects []*session.Object) {
	reads := make([]func(), len(held))
	objects = make([]*session.Object, len(held))
	for i, object := range held {
		objects[i] = p.cascade.states[object.Ref.UID].marked(p.at, object)
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

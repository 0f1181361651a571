package preview

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// addHanging keeps what would hang, and why, beside what is known of it already.
func (p *previewer) addHanging(hanging result.Hanging) {
	at, known := p.hanging[hanging.Object.UID]
	if !known {
		p.hanging[hanging.Object.UID] = len(p.result.Hanging)
		p.result.Hanging = append(p.result.Hanging, hanging)
		return
	}
	all := &p.result.Hanging[at]
	if hanging.Verdict == result.Stuck {
		all.Verdict = result.Stuck
	}
	for _, cause := range hanging.RootCauses {
		if !slices.Contains(all.RootCauses, cause) {
			all.RootCauses = append(all.RootCauses, cause)
		}
	}
}

// addContent has a namespace hang on what would hang in it: it is removed when its content is gone.
func (p *previewer) addContent(namespace *session.Object, content []*session.Object) {
	hold := &finding.Hold{Type: finding.SpecFinalizer, Name: string(corev1.FinalizerKubernetes)}
	itself := p.graph.Add(namespace.Ref)
	hanging := result.Hanging{Object: namespace.Ref, Verdict: result.Undetermined}
	var left []finding.Ref
	for _, object := range content {
		if object.Ref.Namespace != namespace.Ref.Name {
			continue
		}
		inside := p.graph.Add(object.Ref)
		p.graph.Link(graph.Edge{From: itself, To: inside, Type: finding.Contains})
		at, hangs := p.hanging[object.Ref.UID]
		if !hangs {
			continue
		}
		p.graph.Link(graph.Edge{From: itself, To: inside, Type: finding.WaitsFor, Hold: hold})
		left = append(left, object.Ref)
		if one := p.result.Hanging[at]; one.Verdict == result.Stuck {
			hanging.Verdict = result.Stuck
		}
		for _, cause := range p.result.Hanging[at].RootCauses {
			if !slices.Contains(hanging.RootCauses, cause) {
				hanging.RootCauses = append(hanging.RootCauses, cause)
			}
		}
	}
	if len(left) > 0 {
		hanging.Awaits = p.voice.Awaits(finding.Finding{
			Situation: "ContentLeft", Object: namespace.Ref, Details: finding.StayingDetails{Objects: left},
		})
		p.addHanging(hanging)
	}
}

// addCause keeps a root cause, and returns its place.
func (p *previewer) addCause(cause result.RootCause) int {
	same := func(known result.RootCause) bool {
		return known.Reason == cause.Reason && known.Object == cause.Object && known.Finalizer == cause.Finalizer
	}
	at, known := p.causes[cause.Key]
	if !known {
		at = slices.IndexFunc(p.result.RootCauses, same)
	}
	if at >= 0 {
		addOthers(&p.result.RootCauses[at], cause)
		return at
	}
	p.causes[cause.Key] = len(p.result.RootCauses)
	cause.Remedies = stepsBefore(cause)
	p.result.RootCauses = append(p.result.RootCauses, cause)
	return len(p.result.RootCauses) - 1
}

// costlySteps is up to how many steps a cause has one that costs data, too: who is to resolve it needs one that does.
const costlySteps = 2

// stepsBefore are the steps about a cause before a deletion. What would be forced is none; ending a protection is, with
// what it costs.
func stepsBefore(cause result.RootCause) []finding.Remedy {
	steps := slices.DeleteFunc(slices.Clone(cause.Remedies), func(remedy finding.Remedy) bool {
		return remedy.LastResort() || finding.Is(remedy.Step, finding.AfterDeletion) ||
			remedy.Retains() != nil // which is at what is lost
	})
	costs := func(remedy finding.Remedy) bool {
		return remedy.Risk == finding.DataLoss && !guarded(remedy) && cause.Reason != finding.DeletionProtected
	}
	room := costlySteps - len(slices.DeleteFunc(slices.Clone(steps), costs))
	return slices.DeleteFunc(steps, func(remedy finding.Remedy) bool {
		if !costs(remedy) {
			return false
		}
		room--
		return room < 0
	})
}

// guarded reports whether the step before another one keeps the data that this may cost.
func guarded(remedy finding.Remedy) bool {
	stop, is := remedy.Details.(finding.StopDetails)
	return is && stop.TakesClaims
}

// addOthers adds to a root cause the objects of the same one, found at others.
func addOthers(known *result.RootCause, more result.RootCause) {
	have := map[finding.Ref]bool{known.Object: true}
	for _, other := range known.Others {
		have[other] = true
	}
	for _, other := range append([]finding.Ref{more.Object}, more.Others...) {
		if !have[other] {
			have[other] = true
			known.Others = append(known.Others, other)
		}
	}
	known.Count = max(known.Count, len(known.Others)+1)
}

// countFreed counts the objects that would hang on one cause alone.
func (p *previewer) countFreed() {
	for i := range p.result.RootCauses {
		p.result.RootCauses[i].Frees = 0
	}
	for _, hanging := range p.result.Hanging {
		if len(hanging.RootCauses) == 1 {
			p.result.RootCauses[hanging.RootCauses[0]].Frees++
		}
	}
}

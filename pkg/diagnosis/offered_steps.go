package diagnosis

import (
	"context"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// offered are steps as an answer offers them: after half a diagnosis, without force.
func (r *run) offered(steps []finding.Remedy) []finding.Remedy {
	if r.found.cut {
		return slices.DeleteFunc(slices.Clone(steps), finding.Remedy.LastResort)
	}
	return steps
}

// ofWholeKinds are steps with one command for all objects of a kind where it would name only some of them, or each
// namespace would need one of its own, and with one for objects of several kinds that are few.
func (x *expansion) ofWholeKinds(steps []finding.Remedy) []finding.Remedy {
	return finding.OfSeveralKinds(finding.Each(steps, func(step finding.Remedy) finding.Remedy {
		return step.OfWholeKind(x.goesWhole)
	}))
}

// goesWhole reports whether all objects of a kind in a namespace are being deleted, with the namespace or with their
// definition; in all namespaces, if it is "".
func (x *expansion) goesWhole(kind, namespace string) bool {
	for node, described := range x.graph.Nodes() {
		object := x.objects[node]
		if object == nil || !described.Terminating {
			continue
		}
		if object.Is("", "Namespace") && object.Ref.Name == namespace ||
			object.Is("apiextensions.k8s.io", "CustomResourceDefinition") && object.Ref.Name == kind {
			return true
		}
	}
	return false
}

// keepable are steps where the one that keeps the data of volumes says what refuses it now. It is judged by what was
// read for the answer anyway: an answer that asked nothing of admission knows of no refusal.
func (x *expansion) keepable(ctx context.Context, steps []finding.Remedy) []finding.Remedy {
	return finding.Each(steps, func(step finding.Remedy) finding.Remedy {
		details, is := step.Details.(finding.StepDetails)
		if !is || step.Retains() == nil || !refusal.HasLooked(x.tools.Refusals) {
			return step
		}
		refused := x.tools.Refusals.Refused(ctx, finding.Each(details.Names, func(volume string) refusal.Write {
			return refusal.Write{Operation: admissionregistrationv1.Update, Object: x.volume(volume)}
		})...)
		details.RefusedBy = refused.By()
		step.Details = details
		return step
	})
}

// volume is the PersistentVolume of a name, as it was read if it was.
func (x *expansion) volume(name string) *session.Object {
	for node := range x.graph.Nodes() {
		if object := x.objects[node]; object != nil && object.Is("", "PersistentVolume") && object.Ref.Name == name {
			return object
		}
	}
	return session.Named(cluster.PersistentVolumes(), "", name)
}

package removal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

type form string

const (
	mergePatch  form = "MergePatch" // of metadata.finalizers
	deleteAgain form = "Delete"     // a second DELETE, for the garbage collector's own two entries
	finalize    form = "Finalize"   // a PUT of namespaces/finalize, for spec.finalizers
)

type step struct {
	form     form
	object   *session.Object // for its name and kind
	holds    []finding.Hold  // that it removes
	view     result.Write
	tryError error           // what the last dry run was answered with
	lifted   *finding.Phrase // the end of what refused the last dry run, which the API server has yet to learn of
}

// stepsFor returns the writes that remove entries from an object. The garbage collector's own entries are left to a
// second DELETE, which is the supported way, except where the API server would not act on it (while a Namespace has
// spec.finalizers, and while a Pod has grace left: docs/deletion.md#a-second-delete), and where the object would go
// with it: a DELETE with a resourceVersion that ends a Terminating object is always answered with a conflict (k8s v1.37
// apiserver/pkg/registry/generic/registry/store.go:Delete compares with the resourceVersion of an object that it has
// not filled in), and without one it isn't guarded.
func stepsFor(object *session.Object, entries []finding.Hold) []*step {
	holds := object.Holds()
	other := func(hold finding.Hold) bool { return hold.Type != finding.Finalizer }
	idle := len(without(holds, entries)) == 0 || slices.ContainsFunc(holds, other)
	groups := map[form][]finding.Hold{}
	for _, hold := range entries {
		switch {
		case hold.Type == finding.SpecFinalizer:
			groups[finalize] = append(groups[finalize], hold)
		case collectorHold(hold) && !idle:
			groups[deleteAgain] = append(groups[deleteAgain], hold)
		default:
			groups[mergePatch] = append(groups[mergePatch], hold)
		}
	}
	var steps []*step
	for _, form := range []form{mergePatch, deleteAgain, finalize} {
		if len(groups[form]) > 0 {
			steps = append(steps, newStep(form, object, groups[form]))
		}
	}
	return steps
}

func newStep(form form, object *session.Object, holds []finding.Hold) *step {
	one := &step{form: form, object: object, holds: holds}
	one.view = result.Write{Form: string(form), Request: finding.Voice{}.Phrase(one.request())}
	return one
}

func (s *step) request() finding.Phrase {
	details := finding.RemovalDetails{Other: &s.object.Ref}
	for _, hold := range s.holds {
		details.Names = append(details.Names, hold.Name)
	}
	return map[form]finding.Phrase{
		mergePatch:  {Situation: "MergePatchRequest", Details: details},
		deleteAgain: {Situation: "SecondDelete", Details: details},
		finalize:    {Situation: "FinalizeRequest", Details: details},
	}[s.form]
}

func (s *step) right() string {
	verb, resource := "patch", s.object.Resource.QualifiedName()
	switch s.form {
	case deleteAgain:
		verb = "delete"
	case finalize:
		verb, resource = "update", "namespaces/finalize"
	}
	if s.object.Ref.Namespace == "" {
		return verb + " " + resource
	}
	return fmt.Sprintf("%s %s in namespace %s", verb, resource, s.object.Ref.Namespace)
}

// send sends the write for an object in the state that was looked at, or tries it as a dry run. The entries
// that stay are those of that state.
func (s *step) send(ctx context.Context, writer cluster.Writer, seen *look, dryRun bool) (cluster.Written, error) {
	object := seen.object
	guard := cluster.Guard{UID: object.Ref.UID, ResourceVersion: object.Meta.ResourceVersion}
	switch s.form {
	case deleteAgain:
		return writer.DeleteAgain(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name, guard, dryRun)
	case finalize:
		var kept []string
		for _, hold := range without(object.Holds(), s.holds) {
			if hold.Type == finding.SpecFinalizer {
				kept = append(kept, hold.Name)
			}
		}
		return writer.FinalizeNamespace(ctx, object.Whole, kept, dryRun)
	}
	kept := s.kept(object)
	return writer.KeepFinalizers(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name, guard, kept, dryRun)
}

// kept are the finalizers that the write leaves on an object; duplicates of what stays stay.
func (s *step) kept(object *session.Object) []string {
	return slices.DeleteFunc(slices.Clone(object.Meta.Finalizers), func(name string) bool {
		return slices.Contains(s.holds, finding.Hold{Type: finding.Finalizer, Name: name})
	})
}

// deviation says that a write leaves, or has left, something else than what was shown: a mutating webhook
// or policy has changed it on its way.
type deviation struct{ wanted, left []string }

// Error implements error.
func (d *deviation) Error() string {
	name := func(names []string) string { return cmp.Or(strings.Join(names, ", "), "none") }
	return fmt.Sprintf("a mutating webhook or policy changes it, so that other finalizers are left than planned "+
		"(left: %s; planned: %s)", name(d.left), name(d.wanted))
}

func (s *step) deviates(seen *look, written cluster.Written) error {
	wanted := s.kept(seen.object)
	if written.Described && len(without(wanted, written.Finalizers))+len(without(written.Finalizers, wanted)) > 0 {
		return &deviation{wanted: wanted, left: written.Finalizers}
	}
	return nil
}

// tryAll sends an item's writes as dry runs. Where a second DELETE is refused, the plain removal of the
// entry takes its place, if that would pass: the object is Terminating already.
func tryAll(ctx context.Context, writer cluster.Writer, one *item) {
	for i, planned := range one.steps {
		err := try(ctx, writer, planned, one.seen)
		if err == nil || planned.form != deleteAgain || apierrors.IsConflict(err) {
			continue
		}
		instead := newStep(mergePatch, planned.object, planned.holds)
		if try(ctx, writer, instead, one.seen) == nil {
			one.steps[i] = instead
			one.warn(finding.Finding{Situation: "PatchInsteadOfDelete", Details: finding.RemovalDetails{
				Name: planned.holds[0].Name, Said: err.Error(),
			}})
		}
	}
}

func try(ctx context.Context, writer cluster.Writer, planned *step, seen *look) error {
	written, err := planned.send(ctx, writer, seen, true)
	if err == nil {
		err = planned.deviates(seen, written)
	}
	planned.view.DryRun, planned.view.Refusal, planned.tryError = true, "", err
	if err != nil {
		planned.view.Refusal = err.Error()
	}
	return err
}

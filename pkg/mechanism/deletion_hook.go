package mechanism

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// hookedDeletion is the answer for a hold whose controller runs, and waits until other programs remove annotations
// from the object: said is the answer of its mechanism. Nothing shows whether these programs are at work, so that it is
// open. The catalogue says which of them come before a drain. A deletion that is foreseen finds the programs at work,
// as it does the controller.
func hookedDeletion(ctx context.Context, t *Tools, held Held, said Answer) Answer {
	known, found := t.Plugins.Find(held.Hold.Name, held.Resource.GroupKind().String())
	if !found || held.Hold.Type != finding.Finalizer || t.Session.Foresees || said.Absent() || lacksReads(said) {
		return said
	}
	hooks, first := hooksOf(ctx, t, held, known)
	if len(hooks) == 0 || !first && len(said.Waits)+len(said.Causes) > 0 {
		return said
	}
	answer := Answer{Remarks: said.Remarks, Removal: session.RemovalUnsure, Open: []Finding{hookNote(t, held, hooks)}}
	for _, cause := range said.Causes {
		if cause.Reason != finding.ControllerUnknown {
			answer.Causes = append(answer.Causes, cause)
		}
	}
	return answer
}

// hooksOf are the hooks that an object has now: only the ones that come first, if there are any.
func hooksOf(ctx context.Context, t *Tools, held Held, known plugins.Finalizer) (hooks []finding.Hook, first bool) {
	var later []finding.Hook
	for _, kind := range known.Hooks {
		names := kind.Of(held.Object.Meta.Annotations)
		if len(names) == 0 || kind.If != "" && !hasField(ctx, t, held.Object, kind.If) {
			continue
		}
		for _, name := range names {
			one := finding.Hook{Annotation: name, Value: held.Object.Meta.Annotations[name], Before: kind.Before}
			if kind.First {
				hooks = append(hooks, one)
			} else {
				later = append(later, one)
			}
		}
	}
	if len(hooks) > 0 {
		return hooks, true
	}
	return later, false
}

// hasField reports whether an object has a field; it does not where the object can't be read.
func hasField(ctx context.Context, t *Tools, object *Object, path string) bool {
	err := t.Attribution.ReadFields(ctx, object) // a failed read is noted
	return err == nil && object.Whole != nil && len(plugins.Field{Path: path}.Values(object.Whole.Object)) > 0
}

func hookNote(t *Tools, held Held, hooks []finding.Hook) Finding {
	names := finding.Each(hooks, func(hook finding.Hook) string { return hook.Annotation })
	note := Finding{
		Situation: "HeldByHooks", Object: held.Ref, Finalizer: held.Hold.Name, Details: finding.HookDetails{Hooks: hooks},
		Key: finding.KeyOf("Hooks", held.Resource.QualifiedName(), held.Hold.Name, names),
	}
	for _, hook := range hooks {
		note.Evidence = append(note.Evidence,
			held.Ref.Observed("annotation %s: %q", hook.Annotation, hook.Value).Ranked(finding.Restated))
		note.Remedies = append(note.Remedies, Remedy{
			Step: "EndHook", Details: finding.StepDetails{Object: &held.Ref, Name: hook.Annotation, Text: hook.Before},
			Command: t.Session.Kubectl.Command(held.Object, "annotate", hook.Annotation+"-"), Risk: finding.Disruption,
		})
	}
	return note
}

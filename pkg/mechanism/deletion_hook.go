package mechanism

import (
	"context"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// hookedDeletion is the answer for a hold whose controller runs, and waits until other programs remove their hooks from
// the object: said is the answer of its mechanism. Nothing shows whether these programs are at work, so that it is
// open, also before a deletion. The catalogue says which of them come before a drain.
func hookedDeletion(ctx context.Context, t *Tools, held Held, said Answer) Answer {
	known, found := t.Plugins.Find(held.Hold.Name, held.Resource.GroupKind().String())
	if !found || held.Hold.Type != finding.Finalizer || said.Absent() || lacksReads(said) {
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
func hooksOf(ctx context.Context, t *Tools, held Held, known plugins.Finalizer) (hooks []hook, first bool) {
	var later []hook
	for _, kind := range known.Hooks {
		all := annotated(kind, held.Object)
		if kind.Path != "" {
			_ = t.Attribution.ReadFields(ctx, held.Object) // a failed read is noted
			all = inList(kind, fieldsOf(held.Object))
		}
		switch {
		case len(all) == 0 || kind.If != "" && !hasField(ctx, t, held.Object, kind.If):
		case kind.First:
			hooks = append(hooks, all...)
		default:
			later = append(later, all...)
		}
	}
	if len(hooks) > 0 {
		return hooks, true
	}
	return later, false
}

// hook is one, with what shows it and what ends it.
type hook struct {
	finding.Hook
	observed string
	ends     []string // the end of a command
}

// annotated are the hooks of a kind among an object's annotations.
func annotated(kind plugins.Hook, object *Object) (hooks []hook) {
	for _, name := range kind.Of(object.Meta.Annotations) {
		value := object.Meta.Annotations[name]
		hooks = append(hooks, hook{
			Hook:     finding.Hook{Annotation: name, Value: value, Before: kind.Before},
			observed: fmt.Sprintf("annotation %s: %q", name, value),
			ends:     []string{"annotate", name + "-"},
		})
	}
	return hooks
}

// inList are the hooks of a kind in a list of an object. An item is removed only as long as it is where it was seen.
func inList(kind plugins.Hook, object map[string]any) (hooks []hook) {
	for _, item := range kind.In(object) {
		field, at := switches.Field(item.Path), fmt.Sprintf("/%s/%d", strings.Join(item.Path, "/"), item.At)
		patch := fmt.Sprintf(`[{"op":"test","path":"%s/name","value":%q},{"op":"remove","path":%q}]`, at, item.Name, at)
		hooks = append(hooks, hook{
			Hook:     finding.Hook{Field: field, Name: item.Name, Value: item.Owner, Before: kind.Before},
			observed: fmt.Sprintf("%s: %s, owner %q", field, item.Name, item.Owner),
			ends:     []string{"patch", "--type=json", "-p", patch},
		})
	}
	return hooks
}

// hasField reports whether an object has a field; it does not where the object can't be read.
func hasField(ctx context.Context, t *Tools, object *Object, path string) bool {
	err := t.Attribution.ReadFields(ctx, object) // a failed read is noted
	return err == nil && object.Whole != nil && len(plugins.Field{Path: path}.Values(object.Whole.Object)) > 0
}

func hookNote(t *Tools, held Held, hooks []hook) Finding {
	names := finding.Each(hooks, func(one hook) string { return one.Annotation + one.Field + one.Name })
	details := finding.HookDetails{Hooks: finding.Each(hooks, func(one hook) finding.Hook { return one.Hook })}
	note := Finding{
		Situation: "HeldByHooks", Object: held.Ref, Finalizer: held.Hold.Name, Details: details,
		Key: finding.KeyOf("Hooks", held.Resource.QualifiedName(), held.Hold.Name, names),
	}
	for _, one := range hooks {
		name := one.Annotation
		if one.Field != "" {
			name = one.Name + " in " + one.Field
		}
		note.Evidence = append(note.Evidence, held.Ref.Observed("%s", one.observed).Ranked(finding.Restated))
		note.Remedies = append(note.Remedies, Remedy{
			Step: "EndHook", Details: finding.StepDetails{Object: &held.Ref, Name: name, Text: one.Before},
			Command: t.Session.Kubectl.Command(held.Object, one.ends[0], one.ends[1:]...), Risk: finding.Disruption,
		})
	}
	return note
}

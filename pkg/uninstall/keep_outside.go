package uninstall

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// keepOutside are the steps after which the operator leaves alone what its objects stand for outside the cluster, or
// have created, by the settings that the catalogue knows of its project: one step for each kind and setting. An object
// that has the setting needs no step.
func (p *planner) keepOutside(ctx context.Context) (steps []result.UninstallStep) {
	for _, kind := range p.found.served {
		var live []*session.Object
		for _, object := range kind.objects {
			if !object.Terminating() && len(p.keptBy(object)) > 0 {
				live = append(live, object)
			}
		}
		p.tools.Session.Wholes(ctx, live)
		together := map[string][]*session.Object{}
		var patches []string // in the order in which they were found
		for _, object := range live {
			patch := p.patchToKeep(object)
			if patch == "" {
				continue
			}
			if together[patch] == nil {
				patches = append(patches, patch)
			}
			together[patch] = append(together[patch], object)
		}
		for _, patch := range patches {
			steps = append(steps, p.keepsOutside(together[patch], patch))
		}
	}
	return steps
}

// known is what the catalogue has of rescuing an object, by its finalizers.
func (p *planner) known(object *session.Object) (found []plugins.Finalizer) {
	for _, finalizer := range object.Meta.Finalizers {
		known, is := p.tools.Plugins.Find(finalizer, object.Resource.GroupKind().String())
		if is && known.Rescue != nil {
			found = append(found, known)
		}
	}
	return found
}

// keptBy are the settings by which the controllers of an object's finalizers leave alone what it stands for.
func (p *planner) keptBy(object *session.Object) (settings []plugins.Setting) {
	for _, known := range p.known(object) {
		settings = append(settings, known.Rescue.Keep...)
	}
	return settings
}

// patchToKeep is the change of an object that keeps what it stands for; empty where none is known, or it was made.
func (p *planner) patchToKeep(object *session.Object) string {
	if object.Whole == nil {
		return ""
	}
	fields := object.Whole.Object
	setting, suits := plugins.Suiting(p.keptBy(object), fields)
	if !suits || setting.MadeIn(fields) {
		return ""
	}
	return setting.Patch
}

func (p *planner) keepsOutside(objects []*session.Object, patch string) result.UninstallStep {
	refs := finding.Each(objects, func(object *session.Object) finding.Ref { return object.Ref })
	outside := func(known plugins.Finalizer) bool { return !known.Creates() }
	details := finding.UninstallDetails{
		Objects: refs, Created: !slices.ContainsFunc(p.known(objects[0]), outside),
	}
	return result.UninstallStep{
		Phase: result.PhaseKeep, Objects: refs, Paths: session.Paths(objects), Risk: finding.NoRisk,
		Action:   p.voice.Action(finding.Remedy{Step: "UninstallKeepOutside", Details: details}),
		Commands: p.write.patches(objects, patch),
	}
}

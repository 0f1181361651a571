package uninstall

import (
	"context"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// finder finds an operator in the cluster: what it consists of, which kinds it defines, and what else needs it.
type finder struct {
	options  Options
	tools    *mechanism.Tools
	voice    finding.Voice
	plan     *result.UninstallPlan
	survey   *survey
	parts    *parts
	served   []*served
	guests   map[string]*guests  // by resource and finalizer
	accounts []finding.Ref       // as which the operator runs
	rules    []rbacv1.PolicyRule // what these may do, by bindings for them alone
}

// onlyKind reports whether the plan is for one definition alone: the operator stays.
func (f *finder) onlyKind() bool {
	return f.options.Object != nil &&
		f.options.Object.Resource.GroupResource() == cluster.CustomResourceDefinitions().GroupResource()
}

// note keeps a sentence that is to be known beside the steps.
func (f *finder) note(situation finding.Finding) {
	f.plan.Notes = append(f.plan.Notes, f.voice.Message(situation))
}

// find finds what was named, and what belongs to the same operator.
func (f *finder) find(ctx context.Context) error {
	if err := f.findNamed(ctx); err != nil {
		return err
	}
	if f.onlyKind() {
		return nil
	}
	if f.options.Manifests == nil {
		f.addInstalledTogether()
	}
	f.addServing(ctx)
	f.noteAppliers()
	return nil
}

// findNamed finds the objects that were named.
func (f *finder) findNamed(ctx context.Context) error {
	target := &f.plan.Target
	target.Namespace = f.options.Namespace
	switch {
	case f.options.Object != nil:
		return f.findObject(ctx, *f.options.Object)
	case f.options.Release != "":
		target.Type, target.Name = "Release", f.options.Release
		f.addReleases(namedReleases(f.options.Release, f.options.Namespace))
	case f.options.Project != "":
		target.Type, target.Name = "Project", f.options.Project
		f.addProject()
	default:
		target.Type = "Manifests"
		for _, manifest := range f.options.Manifests {
			if object := f.survey.find(manifest); object != nil {
				f.parts.add(object)
			} else if f.survey.unlisted[manifest.Resource.QualifiedName()] {
				f.findAlone(ctx, manifest)
			}
		}
	}
	return nil
}

// findAlone reads an object of a kind that may not be listed.
func (f *finder) findAlone(ctx context.Context, target session.Target) {
	if object, err := f.tools.Session.Read(ctx, target.Resource, target.Namespace, target.Name); err == nil {
		f.survey.add(object)
		f.parts.add(object)
	}
}

// findObject finds one object, which the user takes for there: it is an error if it isn't.
func (f *finder) findObject(ctx context.Context, target session.Target) error {
	object := f.survey.find(target)
	if object == nil {
		read, err := f.tools.Session.Read(ctx, target.Resource, target.Namespace, target.Name)
		if err != nil {
			return err
		}
		object = read
		f.survey.add(object)
	}
	f.plan.Target.Type, f.plan.Target.Object = "Object", &object.Ref
	f.plan.Target.Namespace = ""
	f.parts.add(object)
	if !object.Is("", "Namespace") {
		return nil
	}
	for _, inside := range f.survey.each(func(candidate *session.Object) bool {
		return candidate.Ref.Namespace == object.Ref.Name && roleOf(candidate) == result.RoleWorkload && !f.isOwned(candidate)
	}) {
		f.parts.add(inside)
	}
	return nil
}

// isOwned reports whether an object that was listed controls another one, with which it goes.
func (f *finder) isOwned(object *session.Object) bool { return f.survey.topOwner(object) != object }

// addProject adds the workloads and the definitions that the catalogue knows of a project.
func (f *finder) addProject() {
	for _, known := range f.options.Plugins.All() {
		if known.Project != f.options.Project {
			continue
		}
		for _, object := range f.survey.objects {
			if f.isWorkloadOf(object, known) || isKindOf(object, known) {
				f.parts.add(object)
			}
		}
	}
}

func (f *finder) isWorkloadOf(object *session.Object, known plugins.Finalizer) bool {
	if roleOf(object) != result.RoleWorkload || f.isOwned(object) {
		return false
	}
	return slices.ContainsFunc(known.Workloads, func(pattern string) bool {
		return plugins.Match(pattern, object.Resource.Kind+"/"+object.Ref.Name)
	})
}

// isKindOf reports whether an object is the definition of a kind on which the project sets its finalizer, by name: a
// finalizer that may be on any kind says nothing.
func isKindOf(object *session.Object, known plugins.Finalizer) bool {
	if roleOf(object) != result.RoleDefinition {
		return false
	}
	return slices.ContainsFunc(known.Kinds, func(kind string) bool { return definesKind(object.Ref.Name, kind) })
}

// addInstalledTogether adds what was installed by the same release as what was found: its namespace apart, in which
// there may be something else.
func (f *finder) addInstalledTogether() {
	var releases []release
	for _, object := range f.parts.objects {
		for _, one := range releasesOf(object) {
			if !slices.Contains(releases, one) && (roleOf(object) == result.RoleWorkload || f.options.Object == nil) {
				releases = append(releases, one)
			}
		}
	}
	f.addReleases(func(object *session.Object) bool {
		return slices.ContainsFunc(releasesOf(object), func(one release) bool { return slices.Contains(releases, one) })
	})
}

// addReleases adds what was installed by releases: not what something else controls, which goes with that.
func (f *finder) addReleases(belongs func(*session.Object) bool) {
	for _, object := range f.survey.objects {
		if belongs(object) && !f.isOwned(object) {
			f.parts.add(object)
		}
	}
}

// readPart reads an object whole. What is gone meanwhile is none.
func (f *finder) readPart(ctx context.Context, object *session.Object) map[string]any {
	whole, err := f.tools.Session.Whole(ctx, object)
	if err != nil {
		return nil // a failed read is noted
	}
	return whole.Object
}

// isController reports whether a workload is one of the operator's.
func (f *finder) isController(ref finding.Ref) bool {
	return slices.ContainsFunc(f.parts.of(result.RoleWorkload), func(object *session.Object) bool {
		return object.Ref.SameAs(ref) || slices.Contains(controlledBy(f.survey, object), ref.Place())
	})
}

// controlledBy are the workloads that another object controls: the Deployments of what installed them.
func controlledBy(s *survey, top *session.Object) (below []finding.Ref) {
	for _, object := range s.ofKind[cluster.Deployments().QualifiedName()] {
		if object != top && s.topOwner(object) == top {
			below = append(below, object.Ref.Place())
		}
	}
	return below
}

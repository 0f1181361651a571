package uninstall

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// commands writes the commands of steps.
type commands struct {
	kubectl session.Kubectl
	survey  *survey
}

// deletes are the commands that delete objects, but for the ones whose deletion was requested before.
func (c commands) deletes(objects []*session.Object, flags ...string) []finding.Command {
	live := slices.DeleteFunc(slices.Clone(objects), (*session.Object).Terminating)
	return c.kubectl.ForAll(live, "delete", append([]string{"--ignore-not-found"}, flags...)...)
}

// patches are the commands that change objects by a JSON merge patch.
func (c commands) patches(objects []*session.Object, patch string) []finding.Command {
	return c.kubectl.ForAll(objects, "patch", "--type", "merge", "-p", patch)
}

// waits are the commands that end when objects are gone, or one of them needs a person.
func (c commands) waits(objects []*session.Object) []finding.Command {
	return finding.Each(session.Together(objects), func(group []*session.Object) finding.Command {
		command := append(append(c.kubectl.Program.Command("why"), session.Paths(group)...), c.kubectl.Flags...)
		if namespace := group[0].Ref.Namespace; namespace != "" {
			command = append(command, "-n", namespace)
		}
		return append(command, "--watch", "--until", "stuck", "--timeout", "10m", "--ignore-not-found")
	})
}

// waitsFor are the commands that end when objects are gone that are deleted with others, and have finalizers: they may
// not be deleted yet when the others are gone.
func (c commands) waitsFor(goes []result.Going) []finding.Command {
	var held []*session.Object
	for _, kind := range goes {
		for _, ref := range kind.Objects {
			if object := c.survey.byUID[ref.UID]; object != nil && len(object.Meta.Finalizers) > 0 {
				held = append(held, object)
			}
		}
	}
	return c.kubectl.ForAll(held, "wait", "--for=delete", "--timeout=10m")
}

// isHeld reports whether an object goes only when a controller has done something: it is worth to see what that is.
func isHeld(object *session.Object) bool {
	return object.Terminating() || len(object.Holds()) > 0 || object.Is("", "Namespace")
}

// releases are the commands that remove a finalizer from live objects. They fail where the object's list has changed.
func (c commands) releases(objects []*session.Object, finalizer string) []finding.Command {
	return finding.Each(objects, func(object *session.Object) finding.Command {
		return c.kubectl.Command(object, "patch", "--type", "json", "-p", session.RemovalPatch(object, finalizer))
	})
}

// savesAll prints all objects of a kind, and saves prints some objects without a namespace.
func (c commands) savesAll(of *served) finding.Command {
	command := c.kubectl.Prefix(finding.Ref{}, "get", of.resource.QualifiedName())
	if of.resource.Namespaced {
		command = append(command, "--all-namespaces")
	}
	return append(command, "-o", "yaml")
}

func (c commands) saves(objects []*session.Object) finding.Command {
	command := append(c.kubectl.Prefix(finding.Ref{}, "get"), session.Paths(objects)...)
	return append(command, "-o", "yaml")
}

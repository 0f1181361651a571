package attribution

import (
	"context"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/limits"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// unlessServesOthers is a decision about a program, unless the held object is a class that names its controller, and
// the program has written to classes that name another one, to none that names this one, and not to the object: a
// setting that no template shows limits it to its own. Then it isn't the controller, and what is isn't seen, unless
// another program may be it. A list that can't be read shows nothing.
func unlessServesOthers(ctx context.Context, h *held, found decision) decision {
	c := found.candidate
	whose, is := naming.ClassOf(h.object.Resource.Kind)
	if c == nil || !is || h.search.criteria.kindOfKubernetes() || writesUnderOwnName(h.object.Meta, c) {
		return found
	}
	if err := readSiblings(ctx, h.search.finder, h.object); err != nil || h.object.Whole == nil {
		return found
	}
	named := controllerOf(h.object.Whole.Object)
	list, err := h.search.session.Reader.List(ctx, h.object.Resource, h.object.Ref.Namespace, cluster.Selector{})
	if err != nil || !isControllerName(named) {
		return found
	}
	other := writtenForAnother(h, c, list, named)
	if other == nil {
		return found
	}
	class := limits.Class{Whose: whose, Name: h.object.Ref.Name, Controller: named, Ref: &h.object.Ref}
	observed, _ := observedClass(class)
	h.search.evidence = append(slices.Clone(h.search.evidence), observed, other.Ref.Observed(
		"names the controller %s; %s has written to it, and to none that names %s",
		controllerOf(other.Whole.Object), c, named))
	if len(h.search.rivals) > 0 {
		return decision{}
	}
	h.search.elsewhere = append(slices.Clone(h.search.elsewhere), instance{
		candidate: c, workload: *c.ref(), serves: controllerOf(other.Whole.Object),
	})
	h.search.leads.classes = append(slices.Clone(h.search.leads.classes), class)
	return decision{state: Missing}
}

// writtenForAnother is the first object of a list that names another controller and that a candidate has written to;
// nil where there is none, or where it has written to one that names this controller, too.
func writtenForAnother(
	h *held, c *candidate, list []unstructured.Unstructured, named string,
) (other *session.Object) {
	for i := range list {
		one, err := session.FromWhole(h.object.Resource, &list[i])
		if err != nil || one.Ref.UID == h.object.Ref.UID || !writesUnderOwnName(one.Meta, c) {
			continue
		}
		switch its := controllerOf(list[i].Object); {
		case its == named:
			return nil
		case other == nil && isControllerName(its):
			other = one
		}
	}
	return other
}

// isControllerName reports whether a name is qualified as those of controllers are in classes: DOMAIN/PATH.
func isControllerName(name string) bool {
	return regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+/.+$`).MatchString(name)
}

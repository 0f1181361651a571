package audit

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// checkFinalizers finds names that the API server's rules don't allow, that nobody can be found by, or
// that stand on an object twice (deletion-mechanics 0.3). Custom resources may carry all of these.
func (c *checker) checkFinalizers() {
	explained := map[[2]string]bool{}
	const own = "use a name of their own"
	for _, object := range c.census.Held {
		told := map[string]bool{}
		for i, name := range object.Meta.Finalizers {
			if slices.Contains(object.Meta.Finalizers[:i], name) && !told[name] {
				told[name] = true
				c.addName(object, name, report.Warning, report.DuplicateFinalizer, "carries the finalizer %s twice. Who removes one entry leaves the other, and the object stays.", "write it once")
			}
			if slices.Contains(object.Meta.Finalizers[:i], name) {
				continue
			}
			is := [2]string{name, object.Resource.GroupKind().String()}
			known, asked := explained[is]
			if !asked {
				_, known = c.tools.Plugins.Find(is[0], is[1])
				explained[is] = known
			}
			switch {
			case known, standard(name):
			case len(validation.IsQualifiedName(name)) > 0:
				c.addName(object, name, report.Error, report.InvalidFinalizer, "carries the finalizer %s, which is no qualified name. Updates that the API server validates may be refused.", own)
			case !strings.Contains(name, "/"):
				c.addName(object, name, report.Warning, report.UnqualifiedFinalizer, "carries the finalizer %s, which names no domain: whose it is can't be told from it, and two controllers may take it for theirs.", own)
			}
		}
		if slices.Contains(object.Meta.Finalizers, metav1.FinalizerOrphanDependents) && slices.Contains(object.Meta.Finalizers, metav1.FinalizerDeleteDependents) {
			c.addName(object, metav1.FinalizerOrphanDependents, report.Error, report.InvalidFinalizer, "carries both orphan and foregroundDeletion (%s): updates of it don't pass validation.", "keep one of the two")
		}
	}
}

// standard tells of a name without a domain whether it is one of Kubernetes' own (k8s v1.37
// pkg/apis/core/helper/helpers.go:IsStandardFinalizerName).
func standard(name string) bool {
	return name == "kubernetes" || name == metav1.FinalizerOrphanDependents || name == metav1.FinalizerDeleteDependents
}

func (c *checker) addName(object *session.Object, name string, severity report.Severity, reason finding.Reason, message, action string) {
	c.add(strings.Join([]string{string(reason), object.Resource.QualifiedName(), name}, "\x00"), report.Finding{
		Severity: severity, Reason: reason, Object: object.Ref, Finalizer: name, Message: object.Ref.String() + " " + fmt.Sprintf(message, name),
		Evidence: []finding.Evidence{{Source: object.Ref.String(), Observed: "metadata.finalizers: " + strings.Join(object.Meta.Finalizers, ", "), Object: &object.Ref}},
		Remedies: []finding.Remedy{{
			Action:  "See who wrote the entry, and have them " + action + ".",
			Command: c.tools.Session.Kubectl.Command(object, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}"), Risk: finding.NoRisk,
		}},
	})
}

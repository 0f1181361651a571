package audit

import (
	"context"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// checkFinalizers finds names that the API server's rules don't allow, that lead to no controller, or that an object
// has twice (docs/deletion.md#finalizers-of-kubernetes). Custom resources may carry all of these.
func (c *checker) checkFinalizers(ctx context.Context) {
	known := map[[2]string]bool{} // to plugins, by name and kind
	for _, object := range c.inventory.Held {
		if ctx.Err() != nil {
			return
		}
		twice := map[string]bool{}
		for i, name := range object.Meta.Finalizers {
			if slices.Contains(object.Meta.Finalizers[:i], name) {
				if !twice[name] {
					c.addName(object, name, found{severity: result.Warning, Finding: finding.Finding{
						Reason: result.DuplicateFinalizer, Situation: "FinalizerIsThereTwice",
						Remedies: []finding.Remedy{{Step: "SeeWhoWroteTwice"}},
					}})
				}
				twice[name] = true
				continue
			}
			is := [2]string{name, object.Resource.GroupKind().String()}
			if _, asked := known[is]; !asked {
				_, known[is] = c.tools.Plugins.Find(is[0], is[1])
			}
			if !known[is] && !standard(name) {
				c.checkName(object, name)
			}
		}
		if slices.Contains(object.Meta.Finalizers, metav1.FinalizerOrphanDependents) &&
			slices.Contains(object.Meta.Finalizers, metav1.FinalizerDeleteDependents) {
			c.addName(object, metav1.FinalizerOrphanDependents, found{severity: result.Error, Finding: finding.Finding{
				Reason: result.InvalidFinalizer, Situation: "FinalizersExcludeEachOther",
				Remedies: []finding.Remedy{{Step: "SeeWhoWroteBoth"}},
			}})
		}
	}
}

func (c *checker) checkName(object *session.Object, name string) {
	remedies := []finding.Remedy{{Step: "SeeWhoNamedIt"}}
	switch {
	case len(validation.IsQualifiedName(name)) > 0:
		c.addName(object, name, found{severity: result.Error, Finding: finding.Finding{
			Reason: result.InvalidFinalizer, Situation: "FinalizerIsNoName", Remedies: remedies,
		}})
	case !strings.Contains(name, "/"):
		c.addName(object, name, found{severity: result.Warning, Finding: finding.Finding{
			Reason: result.UnqualifiedFinalizer, Situation: "FinalizerHasNoDomain", Remedies: remedies,
		}})
	}
}

// standard reports whether a name without a domain is one of Kubernetes' own (k8s v1.37
// pkg/apis/core/helper/helpers.go:IsStandardFinalizerName).
func standard(name string) bool {
	return name == "kubernetes" || name == metav1.FinalizerOrphanDependents || name == metav1.FinalizerDeleteDependents
}

func (c *checker) addName(object *session.Object, name string, one found) {
	one.Object, one.Finalizer = object.Ref, name
	one.Key = finding.KeyOf(one.Reason, object.Resource.QualifiedName(), name)
	one.Details = finding.FinalizerNamesDetails{Finalizers: object.Meta.Finalizers}
	observed := "metadata.finalizers: " + strings.Join(object.Meta.Finalizers, ", ")
	one.Evidence = []finding.Evidence{session.ObservedOf(object, observed)}
	one.Remedies[0].Risk = finding.NoRisk
	one.Remedies[0].Command = c.tools.Session.Kubectl.Command(
		object, "get", "-o", "jsonpath={.metadata.managedFields[*].manager}",
	)
	c.add(one)
}

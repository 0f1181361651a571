package uninstall

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/spelling"
)

// release is what installed an object: a release of Helm, or an operator of the Operator Lifecycle Manager.
type release struct{ tool, namespace, name string }

// What objects say of their origin. Helm writes the annotations, and charts the labels; the label of OLM is
// operators.coreos.com/PACKAGE.NAMESPACE (operator-lifecycle-manager
// pkg/controller/operators/decorators/operator.go:ComponentLabelKeyPrefix).
const (
	helmRelease   = "meta.helm.sh/release-name"
	helmNamespace = "meta.helm.sh/release-namespace"
	instanceLabel = "app.kubernetes.io/instance"
	managedLabel  = "app.kubernetes.io/managed-by"
	operatorLabel = "operators.coreos.com/"
)

// The tools that install.
const (
	helm = "Helm"
	olm  = "OLM"
)

// releasesOf are the releases that an object says it belongs to.
func releasesOf(object *session.Object) (found []release) {
	if object.Meta == nil {
		return nil
	}
	if name := object.Meta.Annotations[helmRelease]; name != "" {
		found = append(found, release{helm, object.Meta.Annotations[helmNamespace], name})
	} else if name := object.Meta.Labels[instanceLabel]; name != "" && object.Meta.Labels[managedLabel] == helm {
		found = append(found, release{helm, object.Ref.Namespace, name}) // helm template, applied
	}
	for label := range object.Meta.Labels {
		if operator, is := strings.CutPrefix(label, operatorLabel); is {
			name, namespace, _ := strings.Cut(operator, ".")
			found = append(found, release{olm, namespace, name})
		}
	}
	return found
}

// similarReleases are the names of releases that were seen, and are like the one that was asked for.
func (f *finder) similarReleases(asked result.UninstallTarget) []string {
	if asked.Type != "Release" {
		return nil
	}
	var names []string
	for _, object := range f.survey.objects {
		for _, seen := range releasesOf(object) {
			if !slices.Contains(names, seen.name) {
				names = append(names, seen.name)
			}
		}
	}
	return spelling.Like(asked.Name, names)
}

// noteAppliers says which tools keep the operator's parts as they are in a repository: they would create them again.
func (f *finder) noteAppliers() {
	known := map[string]bool{}
	for _, object := range f.parts.objects {
		if object.Meta == nil {
			continue
		}
		for _, applier := range session.AppliersOf(object) {
			if !known[applier] {
				known[applier] = true
				f.note(finding.Finding{
					Situation: "UninstallAppliedBy", Object: object.Ref, Details: finding.UninstallDetails{Name: applier},
				})
			}
		}
	}
}

// namedReleases returns what belongs to the releases of a name, in a namespace or in any. What is in no namespace, and
// doesn't say from where it was installed, belongs to each.
func namedReleases(name, namespace string) func(*session.Object) bool {
	return func(object *session.Object) bool {
		for _, one := range releasesOf(object) {
			here := namespace == "" || one.namespace == "" || one.namespace == namespace
			if here && (one.name == name || one.name+"."+one.namespace == name) {
				return true
			}
		}
		return false
	}
}

package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// answerQuestions notes which lists are complete, because a text has the command that asked for them.
func (a *assembly) answerQuestions() {
	for _, question := range a.pasted.questions {
		for _, typed := range question.Resources {
			resource, known := a.typed(typed)
			kind := resource.GroupVersion().WithKind(resource.Kind)
			switch {
			case !known:
			case !resource.Namespaced, question.All:
				a.listed = append(a.listed, listing{kind: kind, metadata: question.MetadataOnly})
			case question.Namespace != "":
				a.listed = append(a.listed, listing{kind, question.Namespace, question.MetadataOnly})
			}
		}
	}
}

// answerFailures notes what kubectl's errors say of lists.
func answerFailures(a *assembly) {
	emptied := 0
	for _, failure := range a.pasted.failures {
		resource, known := a.typed(failure.Resource)
		kind := resource.GroupVersion().WithKind(resource.Kind)
		if failure.Kind == paste.NotFound && known && kind == namespaceKind() && emptied < mostEmptied {
			emptyMissing(a, failure.Name)
			emptied++
		}
	}
}

// typed returns the resource that was typed: pods, po, challenges.acme.cert-manager.io.
func (a *assembly) typed(name string) (cluster.Resource, bool) {
	known := a.serves().Resources
	if meant := cluster.Meant(known, name); len(meant) > 0 {
		return cluster.Preferred(meant), true
	}
	resource, group, qualified := strings.Cut(name, ".")
	if !qualified {
		return cluster.Resource{}, false
	}
	found, is := a.serves().Find(schema.GroupResource{Group: group, Resource: resource})
	found.Namespaced = true
	a.kinds[found.GroupVersion().WithKind(found.Kind)] = found
	return found, is
}

// serve learns of a resource from kubectl api-resources.
func (a *assembly) serve(served paste.Served) {
	version, err := schema.ParseGroupVersion(served.APIVersion)
	kind := version.WithKind(served.Kind)
	if err != nil || version.Version == "" || served.Kind == "" || a.kinds[kind].Resource != "" {
		return
	}
	a.kinds[kind] = cluster.Resource{
		GroupVersionResource: version.WithResource(served.Resource), Kind: served.Kind, Namespaced: served.Namespaced,
		ShortNames: served.ShortNames, Verbs: allVerbs(),
	}
}

// undiscovered are the group versions that could not be discovered: by the errors of kubectl in a text, and by
// APIServices whose backend does not answer.
func undiscovered(a *assembly) map[schema.GroupVersion]error {
	failed := map[schema.GroupVersion]error{}
	for kind, objects := range a.objects {
		if kind.Group != "apiregistration.k8s.io" || kind.Kind != "APIService" {
			continue
		}
		for _, object := range objects {
			if version, why := unavailable(object.body.Bytes()); why != nil {
				failed[version] = why
			}
		}
	}
	for _, failure := range a.pasted.failures {
		if failure.Kind == paste.Undiscovered {
			failed[failure.Version] = errors.New(failure.Message)
		}
	}
	return failed
}

// unavailable returns the group version of an APIService, and what it says of a backend that doesn't answer.
func unavailable(body []byte) (version schema.GroupVersion, why error) {
	var service struct {
		Spec struct {
			Group, Version string
			Service        *struct{}
		}
		Status struct {
			Conditions []struct{ Type, Status, Reason, Message string }
		}
	}
	if json.Unmarshal(body, &service) != nil || service.Spec.Service == nil {
		return version, nil
	}
	for _, condition := range service.Status.Conditions {
		if condition.Type == "Available" && condition.Status == "False" {
			why = fmt.Errorf("its APIService is not available: %s: %s", condition.Reason, condition.Message)
		}
	}
	return schema.GroupVersion{Group: service.Spec.Group, Version: service.Spec.Version}, why
}

// addFailures notes what kubectl was told not to exist, or not to be allowed. What is in the files after all is there.
func addFailures(a *assembly, builder *snapshot.Builder) error {
	for _, failure := range a.pasted.failures {
		resource, known := a.typed(failure.Resource)
		kind, key := resource.GroupVersion().WithKind(resource.Kind), objectKey{failure.Namespace, failure.Name}
		if !resource.Namespaced {
			key.namespace = ""
		}
		_, has := a.objects[kind][key]
		if !known || has || resource.Namespaced && key.namespace == "" && failure.Kind == paste.NotFound {
			continue
		}
		var why error
		switch failure.Kind {
		case paste.NotFound:
			why = apierrors.NewNotFound(resource.GroupResource(), failure.Name)
		case paste.Forbidden:
			why = apierrors.NewForbidden(resource.GroupResource(), failure.Name, errors.New(failure.Message))
		case paste.ServerError:
			why = &apierrors.StatusError{ErrStatus: metav1.Status{
				Status: metav1.StatusFailure, Reason: metav1.StatusReason(failure.Reason), Message: failure.Message,
			}}
		default:
			continue
		}
		if err := builder.Failed(resource, key.namespace, failure.Name, why); err != nil {
			return err
		}
	}
	return nil
}

// emptyMissing notes that nothing is in a namespace that does not exist.
func emptyMissing(a *assembly, namespace string) {
	if slices.Contains(a.namespaces(), namespace) {
		return
	}
	for kind, resource := range a.kinds {
		if resource.Namespaced && cluster.ServedByKubernetes(kind.Group) {
			a.listed = append(a.listed, listing{kind: kind, namespace: namespace})
		}
	}
}

// mostEmptied is how many namespaces that don't exist are noted.
const mostEmptied = 100

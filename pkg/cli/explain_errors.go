package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
)

// explainTarget says why a target could not be read, naming it as TYPE/NAME -n NAMESPACE, and what
// to do about it.
func explainTarget(ctx context.Context, c *connection, target diagnosis.Target, err error) error {
	name := target.Resource.QualifiedName() + "/" + target.Name
	if target.Namespace != "" {
		name += " -n " + target.Namespace
	}
	var gone *diagnosis.GoneError
	switch {
	case errors.As(err, &gone):
		return gone
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: interrupted before anything was known", name)
	case apierrors.IsNotFound(err) && target.Namespace != "":
		if text, missing := noNamespace(ctx, c, target.Namespace); missing {
			return fmt.Errorf("%s: not found, because %s", name, text)
		}
		return fmt.Errorf("%s: not found; it may be gone by now, or in another namespace than %q (-n)",
			name, target.Namespace)
	case apierrors.IsNotFound(err):
		return fmt.Errorf("%s: not found; it may be gone by now", name)
	case apierrors.IsForbidden(err):
		return fmt.Errorf("%s: you may not read it: %w", name, err)
	case apierrors.IsMethodNotSupported(err):
		return fmt.Errorf("%s: objects of this type can't be read", name)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// noneFound says that a selector found nothing, and where.
func noneFound(ctx context.Context, c *connection, allNamespaces bool) string {
	if allNamespaces {
		return "No resources found."
	}
	if text, missing := noNamespace(ctx, c, c.namespace); missing {
		return "No resources found: " + text
	}
	return fmt.Sprintf("No resources found in namespace %q.", c.namespace)
}

// explainTargets rewords what resource.Builder says about arguments where kubectl's words lead
// nowhere.
func explainTargets(err error) error {
	if strings.Contains(err.Error(), "no name was specified") {
		return errors.New("a type alone is not enough: name an object (TYPE/NAME), " +
			"or select some with -l or --field-selector")
	}
	return err
}

// noNamespace tells whether a namespace isn't there, and says so, with one that may have been meant. It is asked
// where nothing was found: people who mistype a namespace otherwise read that all is well in it.
func noNamespace(ctx context.Context, c *connection, namespace string) (text string, missing bool) {
	if namespace == "" {
		return "", false
	}
	if _, err := c.reader.Metadata(ctx, cluster.Namespaces(), "", namespace); !apierrors.IsNotFound(err) {
		return "", false
	}
	text = fmt.Sprintf("there is no namespace %q", namespace)
	near := map[string]int{} // as far as namespaces may be listed
	_ = c.reader.EachMetadata(ctx, cluster.Namespaces(), "", cluster.Selector{}, func(object *metav1.PartialObjectMetadata) {
		if isNear(namespace, object.Name) {
			near[object.Name] = distance(namespace, object.Name)
		}
	})
	if len(near) > 0 {
		return text + "; did you mean " + strings.Join(closest(3, near), " or ") + "?", true
	}
	return text + "; name another one with -n", true
}

// warnOfNamespace warns where nothing was found because the namespace isn't there. That is no error, as it is none
// for kubectl get: scripts ask about namespaces that may have gone, and are told so.
func warnOfNamespace(ctx context.Context, c *connection, errOut io.Writer, namespace string) {
	if text, missing := noNamespace(ctx, c, namespace); missing {
		warn(errOut, text)
	}
}

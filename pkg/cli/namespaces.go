package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

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
	if near := nearestNamespaces(ctx, c, namespace); len(near) > 0 {
		return text + "; did you mean " + strings.Join(near, " or ") + "?", true
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

// nearestNamespaces returns up to three namespaces whose names are a slip of the finger away, as far as they may be
// listed.
func nearestNamespaces(ctx context.Context, c *connection, wanted string) []string {
	var near []string
	_ = c.reader.EachMetadata(ctx, cluster.Namespaces(), "", cluster.Selector{}, func(object *metav1.PartialObjectMetadata) {
		if isNear(wanted, object.Name) {
			near = append(near, object.Name)
		}
	})
	slices.SortStableFunc(near, func(a, b string) int { return distance(wanted, a) - distance(wanted, b) })
	return near[:min(len(near), 3)]
}

// isNear tells whether a name is a slip of the finger away. Of short ones everything is.
func isNear(wanted, name string) bool {
	return min(len(wanted), len(name)) > 2 && distance(wanted, name) <= slip(wanted)
}

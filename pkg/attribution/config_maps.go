package attribution

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/limits"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// givenBy are the ConfigMaps from which a template's programs get variables that may say what they act on, by their
// names, with what is in them. One that isn't there gives nothing. It answers false if one of them can't be read: the
// program may then act on other objects alone.
func givenBy(
	ctx context.Context, s *search, namespace string, template corev1.PodTemplateSpec,
) (given map[string]map[string]string, read bool) {
	given = map[string]map[string]string{}
	for _, name := range limits.ConfigMaps(template) {
		named := session.Named(cluster.ConfigMaps(), namespace, name)
		whole, err := session.ReadAs[corev1.ConfigMap](ctx, s.session, named)
		switch {
		case apierrors.IsNotFound(err):
		case err != nil:
			return nil, s.cannot(finding.Unread{Object: &named.Ref}, err)
		default:
			given[name] = whole.Data
		}
	}
	return given, true
}

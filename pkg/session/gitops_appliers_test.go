package session_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func TestAppliersOf(t *testing.T) {
	const tracking = "argocd.argoproj.io/tracking-id"
	for _, c := range []struct{ key, value, want string }{
		{tracking, "web:apps/Deployment:shop/web", "Application web"},
		{tracking, "teams_web:apps/Deployment:shop/web", "Application web"},
		{tracking, "", ""},
		{tracking, "\x1b[31mrun this; rm -rf:x", ""},
		{"kustomize.toolkit.fluxcd.io/name", "shop", "Kustomization shop"},
		{"helm.toolkit.fluxcd.io/name", "shop", "HelmRelease shop"},
		{"app.kubernetes.io/instance", "shop", ""},
	} {
		meta := &metav1.PartialObjectMetadata{}
		meta.Labels = map[string]string{c.key: c.value}
		meta.Annotations = map[string]string{c.key: c.value}
		if got := strings.Join(session.AppliersOf(&session.Object{Meta: meta}), ", "); got != c.want {
			t.Errorf("%s: %q is applied by %q, want %q", c.key, c.value, got, c.want)
		}
	}
	if got := session.AppliersOf(&session.Object{}); got != nil {
		t.Errorf("an object without metadata is applied by %q", got)
	}
}

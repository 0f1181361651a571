package attribution

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestUnknownLogin: a program that has a kubeconfig may act as another user, and what that holds is never said.
func TestUnknownLogin(t *testing.T) {
	for name, c := range map[string]struct {
		container corev1.Container
		want      bool
	}{
		"an argument":              {corev1.Container{Args: []string{"--kubeconfig-data=planted"}}, true},
		"a file in an argument":    {corev1.Container{Args: []string{"--from", "/planted/kubeconfig"}}, true},
		"a variable":               {corev1.Container{Env: []corev1.EnvVar{{Name: "KUBECONFIG", Value: "planted"}}}, true},
		"none":                     {corev1.Container{Args: []string{"--config=planted"}}, false},
		"another variable's value": {corev1.Container{Env: []corev1.EnvVar{{Name: "CONFIG", Value: "planted"}}}, false},
	} {
		one := &candidate{pods: []*corev1.Pod{{Spec: corev1.PodSpec{Containers: []corev1.Container{c.container}}}}}
		if got := one.unknownLogin(); got != c.want || one.unknownLogin() != got || len(one.evidence) > 1 {
			t.Errorf("%s: %v, want %v, with %d pieces of evidence", name, got, c.want, len(one.evidence))
		}
		for _, said := range one.evidence {
			if strings.Contains(said.Observed, "planted") {
				t.Errorf("%s: %q quotes the value", name, said.Observed)
			}
		}
	}
	if (&candidate{}).unknownLogin() {
		t.Error("nothing is known of its template")
	}
}

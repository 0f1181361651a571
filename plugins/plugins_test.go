package plugins_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

func TestEmbedded(t *testing.T) {
	set, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	found, known := set.Find("kubernetes.io/pvc-protection", "PersistentVolumeClaim")
	if !known || found.RemovedBy == "" || found.WaitsFor == "" || found.Loses == "" || found.Source == "" {
		t.Errorf("pvc-protection is known: %t, %+v; want every statement", known, found)
	}
	if _, known := set.Find("kubernetes.io/pvc-protection", "ConfigMap"); known {
		t.Error("a finalizer is known on a kind that it doesn't belong to")
	}
	if _, known := set.Find("foregroundDeletion", "Database.shop.example.com"); !known {
		t.Error("a finalizer without kinds isn't known on every kind")
	}
}

// TestObserves wants scanners to be known, also those in the user's own files, and no program that manages objects.
func TestObserves(t *testing.T) {
	set, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	own := "apiVersion: finalizers.kubectl/v1alpha1\nkind: FinalizerPlugin\nproject: Ours\nobservers: [our-scan-*]\n"
	if err := os.WriteFile(filepath.Join(dir, "ours.yaml"), []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	if problems, err := set.AddDir(dir); err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for name, want := range map[string]bool{
		"kyverno-scan": true, "Trivy-Operator": true, "our-scan-nightly": true, "descheduler": true,
		"": false, "karmada-descheduler": false, "service-controller": false, "velero": false, "cert-manager": false,
		"kubelet": false,
	} {
		if got := set.Observes(name); got != want {
			t.Errorf("%s only observes: %t", name, got)
		}
	}
	for _, project := range set.Projects() {
		if len(project.Names) == 0 {
			t.Errorf("%s is listed without any finalizer", project.Project)
		}
	}
	for _, known := range set.All() {
		for _, name := range append(known.Managers, known.Reporters...) {
			if set.Observes(name) {
				t.Errorf("%s removes %v and only observes", name, known.Names)
			}
		}
	}
}

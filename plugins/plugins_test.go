package plugins_test

import (
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

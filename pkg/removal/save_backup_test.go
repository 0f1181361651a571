package removal_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// TestReadFailureIsNoFullDisk says that the object can't be read, and not that there is no room.
func TestReadFailureIsNoFullDisk(t *testing.T) {
	b := newBench(t, held, removal.Options{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes"}, "configmaps/notes")
	plan, err := b.planned(t)
	if err != nil {
		t.Fatal(err)
	}
	b.Options.Confirm = plan.Report.Token
	b.memory.Break("configmaps", errors.New("broken pipe"))
	done := b.Run(t.Context(), plan)
	if last := done.Guards[len(done.Guards)-1]; last.Number != 5 || strings.Contains(last.Satisfy, "room") ||
		!strings.Contains(last.Why, "could not be read") {
		t.Errorf("%+v", last)
	}
}

// TestCreatable saves what can be created: without what the API server sets, and a claim's volume without what binds
// it.
func TestCreatable(t *testing.T) {
	b := newBench(t, backedUp, removal.Options{Finalizers: []string{"velero.io/hold"}, Force: true, Confirm: "yes"},
		"persistentvolumeclaims/notes")
	backup := b.run(t).Items[0].Backup
	if backup == nil || backup.Create == "" || backup.Volume == "" || len(backup.Restore) != 3 {
		t.Fatalf("%+v", backup)
	}
	for _, path := range []string{backup.Create, backup.Volume} {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, left := range []string{"uid:", "resourceVersion:", "deletionTimestamp:", "finalizers:", "pv.kubernetes.io/",
			"status:"} {
			if strings.Contains(string(content), left) {
				t.Errorf("%s has %s\n%s", path, left, content)
			}
		}
	}
}

// TestBackIntoNamespace says that nothing can be created in a namespace that is being deleted.
func TestBackIntoNamespace(t *testing.T) {
	const shop = "---\napiVersion: v1\nkind: Namespace\n" +
		"metadata: {name: shop, uid: shop-1%s}\nspec: {finalizers: [kubernetes]}\n"
	for deleted, want := range map[string]string{
		"": "Create ConfigMap shop/notes again.",
		", deletionTimestamp: 2026-01-02T03:00:00Z": "Wait until Namespace shop is gone, because nothing can be created " +
			"in it while it is being deleted. Then create the namespace and ConfigMap shop/notes again.",
	} {
		options := removal.Options{Finalizers: []string{"a/x", "b/y"}, Force: true, Confirm: "yes"}
		b := newBench(t, held+fmt.Sprintf(shop, deleted), options, "configmaps/notes")
		backup := b.run(t).Items[0].Backup
		if backup == nil || len(backup.Restore) == 0 {
			t.Fatalf("%+v", backup)
		}
		if got := backup.Restore[len(backup.Restore)-1].Action; !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestSecretsAreSavedWithoutData reads no Secret whole, and saves no copy of its data.
func TestSecretsAreSavedWithoutData(t *testing.T) {
	secret := strings.Replace(strings.Replace(held, "ConfigMap", "Secret", 1), "finalizers:",
		`annotations: {kubectl.kubernetes.io/last-applied-configuration: hidden}, finalizers:`, 1)
	b := newBench(t, secret, removal.Options{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes"})
	b.targets = []session.Target{
		{Resource: cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "secrets"},
			Kind: "Secret", Namespaced: true}, Namespace: "shop", Name: "notes"}}
	done := b.run(t)
	backup := done.Items[0].Backup
	if backup == nil || !backup.MetadataOnly {
		t.Fatalf("%s: %+v", done.Summary, backup)
	}
	content, err := os.ReadFile(backup.Path)
	if err != nil || strings.Contains(string(content), "hidden") || strings.Contains(string(content), "value") ||
		!strings.Contains(string(content), "notes-1") {
		t.Errorf("%v:\n%s", err, content)
	}
}

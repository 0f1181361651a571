package main

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// TestRemoveWithFullDisk has no room for a backup.
func TestRemoveWithFullDisk(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=4096"); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	if err := os.WriteFile(folder+"/full", make([]byte, 4096), 0o600); err != nil {
		t.Fatal(err)
	}
	mustBreak(t, plane, "- apply: |\n    apiVersion: v1\n    kind: Namespace\n    metadata: {name: attacks}\n"+heldMap(
		"disk"))
	full := newLab(t, plane, "remove-full", controlplane.ClusterAdmins)
	full.backups = folder
	done := full.confirmed(t, removeHold("disk")...)
	if last := done.report.Guards[len(done.report.Guards)-1]; done.code != 5 || last.Number != 5 ||
		!strings.Contains(last.Why, "no space") {
		t.Errorf("%d: %+v", done.code, last)
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
		t.Errorf("half a backup is left: %v %v", files, err)
	}
	if found := object(t, plane, "configmaps", "attacks", "disk"); found == nil || len(found.GetFinalizers()) != 2 {
		t.Error("it was written to")
	}
}

package controlplane

import (
	"context"
	"os"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/testenv"
)

// requiredEnv makes a test that needs a control plane fail when there are no binaries. Without it, these tests are
// skipped, so that `go test ./...` works before `make controlplane`.
const requiredEnv = "CONTROLPLANE_REQUIRED"

// Main is the body of TestMain for packages whose tests start control planes. They run in an
// environment of their own.
func Main(m testenv.Tests) {
	SuperviseIfAsked()
	os.Exit(testenv.Isolate(m).Run())
}

// Require skips a test for which no control plane is built, or fails it where one has to be.
func Require(t testing.TB) {
	t.Helper()
	if _, err := FindBinaries(); err != nil {
		if os.Getenv(requiredEnv) == "" {
			t.Skip(err)
		}
		t.Fatal(err)
	}
}

// ForTest boots a control plane for one test and takes it down when the test has ended. The test fails if the program
// has asked for what no command asks for, as where another's name has chosen a path.
func ForTest(t testing.TB) *ControlPlane {
	t.Helper()
	return ForTestAs(t, "")
}

// ForTestAs boots one that behaves as a version of Kubernetes: 1.34.
func ForTestAs(t testing.TB, version string) *ControlPlane {
	t.Helper()
	Require(t)
	// Not t.TempDir(): its path carries the test's name and may be too long for a socket.
	dir, err := os.MkdirTemp("", "controlplane-")
	if err != nil {
		t.Fatal(err)
	}
	plane, err := Start(t.Context(), Options{Dir: dir, Version: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		checkPaths(t, plane)
		if err := plane.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("stop the control plane: %v", err)
		}
		if t.Failed() {
			t.Logf("the control plane's logs are in %s", dir)
			return
		}
		_ = os.RemoveAll(dir)
	})
	return plane
}

func checkPaths(t testing.TB, plane *ControlPlane) {
	t.Helper()
	astray, sent, err := plane.Astray(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Errorf("read the audit log: %v", err)
	}
	if len(astray) == 0 {
		t.Logf("the program has sent %d requests, all by paths of objects, lists and discovery", sent)
	}
	for _, path := range astray {
		t.Errorf("the program went astray: %s", path)
	}
}

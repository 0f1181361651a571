package naming_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

func TestLockIn(t *testing.T) {
	for args, want := range map[string]string{
		"--leader-elect --leader-election-id=vat-lock":                       "/vat-lock",
		"--leader-election-id vat-lock --leader-election-namespace locks":    "locks/vat-lock",
		"--leader-elect-resource-name=x --leader-elect-resource-namespace=y": "y/x",
		"--leaderElectionId=x":              "/x",
		"-election-id=ingress-nginx-leader": "/ingress-nginx-leader",
		"--leader-election-lock-name=a --leader-election-lease-duration=15s --v=2": "/a",
		"--leader-elect --namespace=shop --name=x":                                 "/",
		"--leader-election-id --leader-elect":                                      "/",
		"--selection-id=x --select-name=y":                                         "/",
	} {
		namespace, name := naming.LockIn(strings.Fields(args))
		if got := namespace + "/" + name; got != want {
			t.Errorf("%q names the lock %q, want %q", args, got, want)
		}
	}
}

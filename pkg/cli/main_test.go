package cli

import (
	"os"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/testenv"
)

// TestMain takes the environment away: a kubeconfig or a cluster of the machine would change what commands answer.
func TestMain(m *testing.M) { os.Exit(testenv.Isolate(m).Run()) }

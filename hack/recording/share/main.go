// Command share looks for what the recordings of tests have in common, and keeps it once: go run ./hack/recording/share
package main

import (
	"fmt"
	"os"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
)

func main() {
	if err := recording.Share("hack"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

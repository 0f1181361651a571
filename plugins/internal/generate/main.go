// Command generate writes index.json and schema.json again: go generate ./plugins.
package main

import (
	"fmt"
	"os"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins/internal/derived"
)

func main() {
	for name, make := range map[string]func(string) ([]byte, error){
		"index.json": derived.Index, "schema.json": derived.Schema,
	} {
		data, err := make(".")
		if err == nil {
			err = os.WriteFile(name, data, 0o644)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "error: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

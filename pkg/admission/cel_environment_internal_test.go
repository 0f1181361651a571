package admission

import (
	"slices"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apiserver/pkg/cel/environment"
)

// TestServerLibrary compares what expressions can call with what they can call in the API server.
func TestServerLibrary(t *testing.T) {
	ours, err := environmentWith()()
	if err != nil {
		t.Fatal(err)
	}
	theirs := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
	if diff := cmp.Diff(callable(theirs), callable(ours)); diff != "" {
		t.Errorf("the API server's functions, and ours:\n%s", diff)
	}
}

// callable names the overloads of functions, and the macros.
func callable(env *cel.Env) (names []string) {
	for name, function := range env.Functions() {
		for _, overload := range function.OverloadDecls() {
			names = append(names, name+": "+overload.ID())
		}
	}
	for _, macro := range env.Macros() {
		names = append(names, "macro "+macro.MacroKey())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

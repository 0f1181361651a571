package admission

import (
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/interpreter"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/library"
)

// environmentWith returns what makes, when first asked, an environment with the API server's functions and variables.
func environmentWith(variables ...cel.EnvOption) func() (*cel.Env, error) {
	return sync.OnceValues(func() (*cel.Env, error) {
		return cel.NewEnv(cel.Lib(serverLibrary{}), cel.Lib(variableLibrary(variables)))
	})
}

// serverLibrary is the language and the functions of expressions that are stored, as the API server runs them (k8s
// v1.37 apiserver/pkg/cel/environment/base.go:baseOpts, which brings the server's flags and metrics along).
type serverLibrary struct{}

// CompileOptions implements cel.Library.
func (serverLibrary) CompileOptions() []cel.EnvOption {
	return []cel.EnvOption{
		cel.HomogeneousAggregateLiterals(), cel.EagerlyValidateDeclarations(true), cel.DefaultUTCTimeZone(true),
		cel.CrossTypeNumericComparisons(true), cel.OptionalTypes(),
		cel.CostEstimatorOptions(checker.PresenceTestHasCost(false)),
		cel.ASTValidators(cel.ValidateDurationLiterals(), cel.ValidateTimestampLiterals(), cel.ValidateRegexLiterals(),
			cel.ValidateHomogeneousAggregateLiterals()),
		library.URLs(), library.Regex(), library.Authz(), library.AuthzSelectors(), library.Quantity(), library.IP(),
		library.CIDR(), library.Format(), library.SemverLib(library.SemverVersion(1)),
		library.Lists(library.ListsVersion(1)),
		ext.Strings(ext.StringsVersion(2)), ext.Sets(), ext.TwoVarComprehensions(), ext.Lists(ext.ListsVersion(3)),
	}
}

// ProgramOptions implements cel.Library.
func (serverLibrary) ProgramOptions() []cel.ProgramOption {
	return []cel.ProgramOption{
		cel.EvalOptions(cel.OptOptimize, cel.OptTrackCost), cel.CostLimit(celconfig.PerCallLimit),
		cel.CostTrackerOptions(interpreter.PresenceTestHasCost(false)), cel.CostTracking(&library.CostEstimator{}),
	}
}

// variableLibrary is what expressions can name beside that.
type variableLibrary []cel.EnvOption

// CompileOptions implements cel.Library.
func (v variableLibrary) CompileOptions() []cel.EnvOption { return v }

// ProgramOptions implements cel.Library.
func (variableLibrary) ProgramOptions() []cel.ProgramOption { return nil }

package admission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// Conditions compiles boolean CEL expressions over variables of its own, with the functions that the API server knows.
type Conditions struct {
	environment func() (*cel.Env, error)
	variables   []string
}

// Condition is one compiled expression.
type Condition struct {
	program cel.Program
	reads   []Read
}

// NewConditions returns a compiler. It is made ready when first used.
func NewConditions(variables ...string) *Conditions {
	options := make([]cel.EnvOption, len(variables))
	for i, variable := range variables {
		options[i] = cel.Variable(variable, cel.DynType)
	}
	return &Conditions{environment: environmentWith(options...), variables: variables}
}

// Compile checks an expression and makes it ready.
func (c *Conditions) Compile(expression string) (*Condition, error) {
	env, err := c.environment()
	if err != nil {
		return nil, err
	}
	checked, issues := env.Compile(expression)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	if kind := checked.OutputType(); kind != cel.BoolType && kind != cel.DynType {
		return nil, fmt.Errorf("it yields %s, not true or false", kind)
	}
	program, err := env.Program(checked, cel.CostLimit(celconfig.PerCallLimit))
	return &Condition{program: program, reads: readsOf(checked.NativeRep().Expr(), c.variables...)}, err
}

// Holds evaluates the expression. A field that isn't there is an error, unless it is asked for with has() or a ?; one
// that a recording doesn't hold always is.
func (c *Condition) Holds(values map[string]any) (bool, error) {
	for _, read := range c.reads {
		fields, _ := values[read.Variable].(map[string]any)
		if path, hidden := (&Content{Fields: fields, Whole: true}).hidden(read); hidden {
			return false, fmt.Errorf("the recording doesn't hold %s.%s", read.Variable, strings.Join(path, "."))
		}
	}
	value, _, err := c.program.Eval(values)
	if err != nil {
		return false, err
	}
	holds, isBool := value.(types.Bool)
	if !isBool {
		return false, fmt.Errorf("it yields %s, not true or false", value.Type().TypeName())
	}
	return bool(holds), nil
}

// NeedsOnly reports whether an expression asks of a variable for no other fields than these.
func (c *Condition) NeedsOnly(variable string, fields ...string) bool {
	return !slices.ContainsFunc(c.reads, func(read Read) bool {
		return read.Variable == variable && (len(read.Path) == 0 || !slices.Contains(fields, read.Path[0]))
	})
}

package admission

import (
	"fmt"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"k8s.io/api/admissionregistration/v1"
	"k8s.io/apiserver/pkg/cel/library"
)

// Evaluator evaluates the CEL expressions of webhooks and policies as the API server does, with the
// same functions, except that what isn't known of a request stays unknown.
type Evaluator struct {
	environment func() (*cel.Env, error)

	mu       sync.Mutex
	compiled map[string]*compiled
}

type compiled struct {
	program cel.Program
	uses    map[string]*uses
}

// NewEvaluator returns an Evaluator. It is made ready when first used, which takes some milliseconds that most
// diagnoses can do without.
func NewEvaluator() *Evaluator {
	// The API server declares types for some of these. It has checked the expressions; dynamic types evaluate alike.
	return &Evaluator{compiled: map[string]*compiled{}, environment: environmentWith(
		cel.Variable("object", cel.DynType), cel.Variable("oldObject", cel.DynType), cel.Variable("request", cel.DynType),
		cel.Variable("namespaceObject", cel.DynType), cel.Variable("params", cel.DynType),
		cel.Variable("variables", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("authorizer", library.AuthorizerType),
		cel.Variable("authorizer.requestResource", library.ResourceCheckType),
	)}
}

// bindings are what a policy adds to an expression's variables.
type bindings struct {
	hasParam     bool
	param        *Content
	paramUnknown bool
	variables    []v1.Variable
}

// boolean evaluates an expression. failure says why it has no value; an error on incomplete knowledge is none: it says
// nothing.
func (e *Evaluator) boolean(expression string, request *Request, bound *bindings) (value Match, failure string) {
	result, known, err := e.evaluate(expression, request, bound)
	switch {
	case !known:
		return Maybe, ""
	case err != nil:
		return No, err.Error()
	case result == types.True:
		return Yes, ""
	}
	return No, ""
}

func (e *Evaluator) evaluate(
	expression string, request *Request, bound *bindings,
) (value ref.Val, known bool, err error) {
	program := e.compile(expression)
	if program == nil {
		return nil, false, nil
	}
	scope := newScope(request, bound, program.uses)
	if bound != nil {
		e.addVariables(scope, request, bound)
	}
	activation, err := cel.PartialVars(scope.values, scope.unknown...)
	if err != nil {
		return nil, false, nil
	}
	value, _, err = program.program.Eval(activation)
	if value != nil && types.IsUnknown(value) || err != nil && scope.guessed {
		return nil, false, nil
	}
	return value, true, err
}

// addVariables evaluates a policy's variables in order. One that is unknown or fails stays unknown:
// an expression that doesn't use it doesn't mind.
func (e *Evaluator) addVariables(scope *scope, request *Request, bound *bindings) {
	values := map[string]any{}
	scope.values["variables"] = values
	for i, variable := range bound.variables {
		earlier := *bound
		earlier.variables = bound.variables[:i]
		value, known, err := e.evaluate(variable.Expression, request, &earlier)
		if known && err == nil {
			values[variable.Name] = value
			continue
		}
		scope.guess(cel.AttributePattern("variables").QualString(variable.Name))
	}
}

// compile returns nil for an expression that is newer than this evaluator: the server has accepted it.
func (e *Evaluator) compile(expression string) *compiled {
	e.mu.Lock()
	defer e.mu.Unlock()
	made, known := e.compiled[expression]
	if env, err := e.environment(); !known && err == nil {
		if checked, issues := env.Compile(expression); issues.Err() == nil {
			if program, err := env.Program(checked, cel.EvalOptions(cel.OptPartialEval)); err == nil {
				made = &compiled{program: program, uses: usesOf(checked.NativeRep().Expr(), "object", "oldObject")}
			}
		}
		e.compiled[expression] = made
	}
	return made
}

// uses is what an expression wants to know of a variable.
type uses struct {
	named  int
	fields []string // those that it selects
}

// whole tells whether the variable is used otherwise than by selecting a field.
func (u *uses) whole() bool { return u.named > len(u.fields) }

// usesOf returns what an expression wants to know of some variables, by their names.
func usesOf(expression ast.Expr, variables ...string) map[string]*uses {
	found := map[string]*uses{}
	for _, variable := range variables {
		found[variable] = &uses{}
	}
	note := func(of ast.Expr, field string) {
		if of.Kind() == ast.IdentKind && found[of.AsIdent()] != nil {
			found[of.AsIdent()].fields = append(found[of.AsIdent()].fields, field)
		}
	}
	ast.PreOrderVisit(expression, ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.IdentKind:
			if use := found[e.AsIdent()]; use != nil {
				use.named++
			}
		case ast.SelectKind:
			note(e.AsSelect().Operand(), e.AsSelect().FieldName())
		case ast.CallKind:
			if of := e.AsCall().Args(); len(of) == 2 && of[1].Kind() == ast.LiteralKind {
				note(of[0], fmt.Sprint(of[1].AsLiteral().Value()))
			}
		}
	}))
	return found
}

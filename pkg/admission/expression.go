package admission

import (
	"fmt"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

// Evaluator evaluates the CEL expressions of webhooks and policies as the API server does, with the
// same functions, except that what isn't known of a request stays unknown.
type Evaluator struct {
	environment func() (*cel.Env, error)

	mu       sync.Mutex
	compiled map[string]compiled
}

type compiled struct {
	program cel.Program
	uses    map[string]*uses
	err     error
}

// NewEvaluator returns an Evaluator. It is made ready when first used, which takes some
// milliseconds that most diagnoses can do without.
func NewEvaluator() *Evaluator {
	return &Evaluator{environment: sync.OnceValues(newEnvironment), compiled: map[string]compiled{}}
}

// newest is a version of which all functions are known: the server has accepted its expressions.
func newEnvironment() (*cel.Env, error) {
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	extended, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions: []cel.EnvOption{
			// The API server declares types for some of these. It has checked the expressions; dynamic types evaluate alike.
			cel.Variable("object", cel.DynType), cel.Variable("oldObject", cel.DynType), cel.Variable("request", cel.DynType),
			cel.Variable("namespaceObject", cel.DynType), cel.Variable("params", cel.DynType),
			cel.Variable("variables", cel.MapType(cel.StringType, cel.DynType)),
			cel.Variable("authorizer", library.AuthorizerType),
			cel.Variable("authorizer.requestResource", library.ResourceCheckType),
		},
	})
	if err != nil {
		return nil, err
	}
	return extended.Env(environment.StoredExpressions)
}

// bindings are what a policy adds to an expression's variables.
type bindings struct {
	hasParam     bool
	param        *Content
	paramUnknown bool
	variables    []admissionregistrationv1.Variable
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
	if program.err != nil {
		return nil, false, nil // newer than this evaluator: the server has accepted it
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
	if value != nil && types.IsUnknown(value) {
		return nil, false, nil
	}
	if err != nil && scope.guessed {
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

func (e *Evaluator) compile(expression string) compiled {
	e.mu.Lock()
	defer e.mu.Unlock()
	if known, found := e.compiled[expression]; found {
		return known
	}
	made := e.compileNew(expression)
	e.compiled[expression] = made
	return made
}

func (e *Evaluator) compileNew(expression string) compiled {
	env, err := e.environment()
	if err != nil {
		return compiled{err: err}
	}
	checked, issues := env.Compile(expression)
	if issues.Err() != nil {
		return compiled{err: issues.Err()}
	}
	program, err := env.Program(checked, cel.EvalOptions(cel.OptPartialEval))
	if err != nil {
		return compiled{err: err}
	}
	return compiled{program: program, uses: usesOf(checked.NativeRep().Expr())}
}

// uses is what an expression wants to know of object or oldObject.
type uses struct {
	fields []string
	whole  bool // it is used otherwise than by selecting a field
}

// usesOf returns what an expression wants to know of object and oldObject, by their names.
func usesOf(expression ast.Expr) map[string]*uses {
	found := map[string]*uses{"object": {}, "oldObject": {}}
	named, selected := map[string]int{}, map[string]int{}
	note := func(of ast.Expr, field string) {
		found[of.AsIdent()].fields = append(found[of.AsIdent()].fields, field)
		selected[of.AsIdent()]++
	}
	ast.PreOrderVisit(expression, ast.NewExprVisitor(func(e ast.Expr) {
		switch {
		case isObject(e):
			named[e.AsIdent()]++
		case e.Kind() == ast.SelectKind && isObject(e.AsSelect().Operand()):
			note(e.AsSelect().Operand(), e.AsSelect().FieldName())
		case e.Kind() == ast.CallKind:
			arguments := e.AsCall().Args()
			if len(arguments) == 2 && isObject(arguments[0]) && arguments[1].Kind() == ast.LiteralKind {
				note(arguments[0], fmt.Sprint(arguments[1].AsLiteral().Value()))
			}
		}
	}))
	for name, use := range found {
		use.whole = named[name] > selected[name]
	}
	return found
}

func isObject(e ast.Expr) bool {
	return e.Kind() == ast.IdentKind && (e.AsIdent() == "object" || e.AsIdent() == "oldObject")
}

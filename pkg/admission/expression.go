package admission

import (
	"fmt"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/interpreter"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/library"
)

// Evaluator evaluates CEL expressions as the API server does, except that what isn't known of a request stays unknown.
type Evaluator struct {
	environment func() (*cel.Env, error)
	mu          sync.Mutex // of compiled
	compiled    map[string]*compiled
	givenUp     sync.Map // expressions that took too long, by their text
}

type compiled struct {
	program cel.Program
	uses    map[string]*uses
}

// NewEvaluator returns an Evaluator. It is made ready when first used: most diagnoses can do without.
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

// compile returns nil for an expression that is newer than this evaluator: the server has accepted it.
func (e *Evaluator) compile(expression string) *compiled {
	e.mu.Lock()
	defer e.mu.Unlock()
	made, known := e.compiled[expression]
	if env, err := e.environment(); !known && err == nil {
		if checked, issues := env.Compile(expression); issues.Err() == nil {
			program, err := env.Program(checked, cel.EvalOptions(cel.OptPartialEval), cel.CostTracking(&costs{}),
				cel.CostLimit(celconfig.PerCallLimit), cel.InterruptCheckFrequency(celconfig.CheckFrequency))
			if err == nil {
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

// scope is the variables of one evaluation.
type scope struct {
	values  map[string]any
	unknown []*interpreter.AttributePattern
	guessed bool // something is unknown, so an error says nothing
}

func (s *scope) guess(pattern *interpreter.AttributePattern) {
	s.unknown = append(s.unknown, pattern)
	s.guessed = true
}

func newScope(request *Request, bound *bindings, uses map[string]*uses) *scope {
	null := types.NullValue
	s := &scope{values: map[string]any{"object": null, "oldObject": null, "namespaceObject": null, "params": null}}
	// Whether somebody is allowed something is never asked on another's behalf.
	s.unknown = append(s.unknown, cel.AttributePattern("authorizer"), cel.AttributePattern("authorizer.requestResource"))
	s.addContent("object", request.Object, uses["object"])
	s.addContent("oldObject", request.OldObject, uses["oldObject"])
	s.addRequest(request)
	switch within := request.Within; {
	case request.Namespace == "" || request.isNamespace():
	case within == nil || within.Content == nil:
		s.guess(cel.AttributePattern("namespaceObject"))
	default:
		s.values["namespaceObject"] = within.Content.Fields
	}
	if bound != nil && bound.hasParam {
		switch {
		case bound.paramUnknown:
			s.guess(cel.AttributePattern("params"))
		case bound.param != nil:
			s.values["params"] = bound.param.Fields
		}
	}
	return s
}

// addContent adds an object. Of one of which only metadata was read, every other field is unknown.
func (s *scope) addContent(name string, content *Content, use *uses) {
	if content == nil {
		return
	}
	s.values[name] = content.Fields
	if content.Whole {
		return
	}
	s.guessed = s.guessed || use.whole()
	for _, field := range use.fields {
		if field != "metadata" && field != "apiVersion" && field != "kind" {
			s.guess(cel.AttributePattern(name).QualString(field))
		}
	}
}

// addRequest adds the request (k8s v1.37 apiserver/pkg/admission/plugin/cel:CreateAdmissionRequest).
func (s *scope) addRequest(request *Request) {
	kind := map[string]any{"group": request.Kind.Group, "version": request.Kind.Version, "kind": request.Kind.Kind}
	of := request.Resource
	resource := map[string]any{"group": of.Group, "version": of.Version, "resource": of.Resource}
	user := map[string]any{"username": request.User}
	s.values["request"] = map[string]any{
		"kind": kind, "requestKind": kind, "resource": resource, "requestResource": resource,
		"subResource": request.Subresource, "requestSubResource": request.Subresource,
		"name": request.Name, "namespace": request.Namespace, "operation": string(request.Operation),
		"dryRun": false, "userInfo": user,
	}
	info := func(field string) *interpreter.AttributePattern {
		return cel.AttributePattern("request").QualString("userInfo").QualString(field)
	}
	groups, known := request.groups()
	user["groups"] = groups
	s.unknown = append(s.unknown, info("uid"), info("extra"),
		cel.AttributePattern("request").QualString("options"), cel.AttributePattern("request").QualString("uid"))
	if request.User == "" {
		s.unknown = append(s.unknown, info("username"))
	}
	if !known {
		s.unknown = append(s.unknown, info("groups"))
	}
}

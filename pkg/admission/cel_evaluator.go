package admission

import (
	"sync"

	"github.com/google/cel-go/cel"
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
	reads   []Read
}

// NewEvaluator returns an Evaluator. It is made ready when first used: most diagnoses can do without.
func NewEvaluator() *Evaluator {
	// The API server declares types for some of these. It has checked the expressions; dynamic types evaluate alike.
	return &Evaluator{compiled: map[string]*compiled{}, environment: environmentWith(
		cel.Variable("object", cel.DynType), cel.Variable("oldObject", cel.DynType),
		cel.Variable("request", cel.DynType),
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
				reads := readsOf(checked.NativeRep().Expr(), "object", "oldObject", "namespaceObject", "params")
				made = &compiled{program: program, reads: reads}
			}
		}
		e.compiled[expression] = made
	}
	return made
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

func newScope(request *Request, bound *bindings, reads []Read) *scope {
	null := types.NullValue
	s := &scope{values: map[string]any{"object": null, "oldObject": null, "namespaceObject": null, "params": null}}
	// Whether an account is allowed something is never asked on another's behalf.
	s.unknown = append(s.unknown, cel.AttributePattern("authorizer"),
		cel.AttributePattern("authorizer.requestResource"))
	s.addContent("object", request.Object, reads)
	s.addContent("oldObject", request.OldObject, reads)
	s.addRequest(request)
	switch within := request.Within; {
	case request.Namespace == "" || request.isNamespace():
	case within == nil || within.Content == nil:
		s.guess(cel.AttributePattern("namespaceObject"))
	default:
		s.addContent("namespaceObject", within.Content, reads)
	}
	if bound != nil && bound.hasParam {
		switch {
		case bound.paramUnknown:
			s.guess(cel.AttributePattern("params"))
		case bound.param != nil:
			s.addContent("params", bound.param, reads)
		}
	}
	return s
}

// addContent adds an object. If only its metadata was read, every other field is unknown. If it was recorded, the
// fields that the recording doesn't hold are unknown.
func (s *scope) addContent(name string, content *Content, reads []Read) {
	if content == nil {
		return
	}
	s.values[name] = content.Fields
	for _, read := range reads {
		switch path, hidden := content.hidden(read); {
		case read.Variable != name || !hidden:
		case len(path) == 0:
			s.guessed = true
		default:
			pattern := cel.AttributePattern(name)
			for _, field := range path {
				pattern = pattern.QualString(field)
			}
			s.guess(pattern)
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

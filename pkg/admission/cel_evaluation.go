package admission

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
	"k8s.io/api/admissionregistration/v1"
)

// The API server's budget allows an expression about a second. What compares values that hold one another many times
// over is counted only when it has come to its end, so that there is a longest time too; and one that was given up
// after a long time is not begun again for another request.
const (
	longest = 10 * time.Second
	long    = time.Second
)

// bindings are what a policy adds to an expression's variables.
type bindings struct {
	hasParam     bool
	param        *Content
	paramUnknown bool
	variables    []v1.Variable
}

// evaluation is of the expressions of one webhook, or of one policy with its binding and parameter, for one request.
// Each variable is evaluated when an expression first uses it, and once. It is not for several goroutines.
type evaluation struct {
	*Evaluator
	ctx     context.Context // of one call of the Evaluator, as long as which it lives
	request *Request
	bound   *bindings       // nil for webhooks
	named   map[string]int  // the variables, by their places
	values  map[int]outcome // of the variables
	left    int64           // of what the expressions may cost
	over    atomic.Bool     // they took more than they may: nothing more is decided
}

// outcome is what an expression came to: a value or an error, unless what isn't known decides.
type outcome struct {
	value ref.Val
	known bool
	err   error
}

func (e *Evaluator) evaluation(ctx context.Context, request *Request, bound *bindings) *evaluation {
	all := &evaluation{
		Evaluator: e, ctx: ctx, request: request, bound: bound, named: map[string]int{}, values: map[int]outcome{},
	}
	if bound != nil {
		for i, variable := range bound.variables {
			all.named[variable.Name] = i
		}
	}
	return all
}

// allow sets what the expressions that follow may cost together.
func (e *evaluation) allow(cost int64) {
	if !e.over.Load() { // or something may be running still
		e.left = cost
	}
}

// costly reports whether expressions took more than the API server allows, so that what follows from them is not known:
// it refuses the request in most cases, but counts the cost of some expressions in another way than this program.
func (e *evaluation) costly() bool { return e.over.Load() }

// boolean evaluates an expression. failure says why it has no value; an error on incomplete knowledge says nothing.
func (e *evaluation) boolean(expression string) (value Match, failure string) {
	result, known, err := e.evaluate(expression)
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

// evaluate evaluates an expression that may use all variables. One that takes too long is left to itself, until the
// program ends: nothing can stop it, and nothing looks at what it does.
func (e *evaluation) evaluate(source string) (value ref.Val, known bool, err error) {
	if _, given := e.givenUp.Load(source); given {
		e.over.Store(true)
	}
	if e.over.Load() || e.ctx.Err() != nil {
		return nil, false, nil
	}
	count, begun := 0, time.Now()
	if e.bound != nil {
		count = len(e.bound.variables)
	}
	done := make(chan outcome, 1)
	go func() { done <- e.with(source, count) }()
	timer := time.NewTimer(longest)
	defer timer.Stop()
	select {
	case result := <-done:
		value, known, err = result.value, result.known, result.err
	case <-e.ctx.Done():
		e.over.Store(true)
	case <-timer.C:
		e.over.Store(true)
	}
	if e.over.Load() && time.Since(begun) > long {
		e.givenUp.Store(source, true)
	}
	return value, known, err
}

// with evaluates an expression that may use the first so many variables.
func (e *evaluation) with(source string, variables int) outcome {
	program := e.compile(source)
	if program == nil || e.over.Load() || e.ctx.Err() != nil {
		return outcome{}
	}
	scope := newScope(e.request, e.bound, program.reads)
	if e.bound != nil {
		scope.values["variables"] = &variableMap{Mapper: emptyMap(), of: e, count: variables, scope: scope}
	}
	activation, err := cel.PartialVars(scope.values, scope.unknown...)
	if err != nil {
		return outcome{}
	}
	value, details, err := program.program.ContextEval(e.ctx, activation)
	if cost := details.ActualCost(); cost != nil {
		e.left -= int64(min(*cost, 1<<62))
	}
	var cancelled interpreter.EvalCancelledError
	if e.left < 0 || errors.As(err, &cancelled) {
		e.over.Store(true)
	}
	if e.over.Load() || e.ctx.Err() != nil || types.IsUnknown(value) || err != nil && scope.guessed {
		return outcome{}
	}
	return outcome{value: value, known: true, err: err}
}

// variable returns the value of a variable, which may use those before it.
func (e *evaluation) variable(index int) outcome {
	result, done := e.values[index]
	if !done {
		result = e.with(e.bound.variables[index].Expression, index)
		e.values[index] = result
	}
	return result
}

// variableMap is the variables of a policy as an expression sees them. They have no order there, nor a number (k8s
// v1.37 apiserver/pkg/admission/plugin/cel/composition.go).
type variableMap struct {
	traits.Mapper
	of    *evaluation
	count int    // of the ones that may be used
	scope *scope // of the expression that uses them
}

func emptyMap() traits.Mapper {
	return types.DefaultTypeAdapter.NativeToValue(map[string]any{}).(traits.Mapper)
}

// Find implements traits.Mapper.
func (m *variableMap) Find(key ref.Val) (ref.Val, bool) {
	name, is := key.(types.String)
	index, known := m.of.named[string(name)]
	if !is || !known || index >= m.count {
		return nil, false
	}
	switch result := m.of.variable(index); {
	case !result.known:
		m.scope.guessed = true
		return types.NewUnknown(0, nil), true
	case result.err != nil:
		return types.NewErr("composited variable %q fails to evaluate: %v", string(name), result.err), true
	default:
		return result.value, true
	}
}

// Get implements traits.Mapper.
func (m *variableMap) Get(key ref.Val) ref.Val {
	if value, found := m.Find(key); found {
		return value
	}
	return types.ValOrErr(key, "no such key: %v", key)
}

// Contains implements traits.Mapper.
func (m *variableMap) Contains(key ref.Val) ref.Val {
	value, found := m.Find(key)
	if types.IsUnknownOrError(value) {
		return value
	}
	return types.Bool(found)
}

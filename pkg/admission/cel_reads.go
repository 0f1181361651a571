package admission

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/common/ast"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
)

// Read is a field that an expression reads of a variable.
type Read struct {
	Variable string
	Path     []string // the names of the fields on the way, through lists as well; empty for the variable itself
	// Value says that all that is there is looked at; Keys, that the keys of a map are, if it is one. Otherwise an
	// expression asks whether something is there, or for a list's elements.
	Value, Keys bool
}

// Reads returns what an expression reads of some variables.
func (c *Conditions) Reads(expression string, variables ...string) ([]Read, error) {
	env, err := c.environment()
	if err != nil {
		return nil, err
	}
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	return readsOf(parsed.NativeRep().Expr(), variables...), nil
}

func readsOf(expression ast.Expr, variables ...string) []Read {
	r := &reading{bound: map[string]*Read{}}
	for _, variable := range variables {
		r.bound[variable] = &Read{Variable: variable}
	}
	r.value(expression)
	return r.found
}

// reading walks through an expression.
type reading struct {
	bound map[string]*Read // what names stand for
	found []Read
}

// value notes what an expression reads, if its value is used.
func (r *reading) value(e ast.Expr) {
	if at := r.path(e); at != nil {
		at.Value = e.Kind() != ast.SelectKind || !e.AsSelect().IsTestOnly()
		r.found = append(r.found, *at)
		return
	}
	switch e.Kind() {
	case ast.CallKind:
		if call := e.AsCall(); call.IsMemberFunction() {
			r.value(call.Target())
		}
		r.values(e.AsCall().Args())
	case ast.ListKind:
		r.values(e.AsList().Elements())
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			r.values([]ast.Expr{entry.AsMapEntry().Key(), entry.AsMapEntry().Value()})
		}
	case ast.StructKind:
		for _, field := range e.AsStruct().Fields() {
			r.value(field.AsStructField().Value())
		}
	case ast.SelectKind:
		r.value(e.AsSelect().Operand())
	case ast.ComprehensionKind:
		r.comprehension(e.AsComprehension())
	}
}

func (r *reading) values(all []ast.Expr) {
	for _, expr := range all {
		r.value(expr)
	}
}

// comprehension goes through a list or the keys of a map, whose elements stand where it does.
func (r *reading) comprehension(expr ast.ComprehensionExpr) {
	over := r.path(expr.IterRange())
	if over == nil {
		r.value(expr.IterRange())
	} else {
		over.Keys = true
		r.found = append(r.found, *over)
		over = over.below()
	}
	names := []string{expr.IterVar(), expr.IterVar2(), expr.AccuVar()}
	outside := make([]*Read, len(names))
	for i, name := range names {
		outside[i] = r.bound[name]
		r.bound[name] = nil
		if i < len(names)-1 {
			r.bound[name] = over
		}
	}
	r.values([]ast.Expr{expr.AccuInit(), expr.LoopCondition(), expr.LoopStep(), expr.Result()})
	for i, name := range names {
		r.bound[name] = outside[i]
	}
}

// path returns where the value of an expression is, if that is in a variable.
func (r *reading) path(e ast.Expr) *Read {
	switch e.Kind() {
	case ast.IdentKind:
		if at := r.bound[e.AsIdent()]; at != nil {
			return at.below()
		}
	case ast.SelectKind:
		if at := r.path(e.AsSelect().Operand()); at != nil {
			return at.below(e.AsSelect().FieldName())
		}
	case ast.CallKind:
		return r.called(e.AsCall())
	}
	return nil
}

// called follows what selects a field by a key, or passes it on where there is one.
func (r *reading) called(call ast.CallExpr) *Read {
	args := call.Args()
	switch name := call.FunctionName(); {
	case call.IsMemberFunction() && slices.Contains([]string{"orValue", "or", "value", "hasValue"}, name):
		at := r.path(call.Target())
		if at != nil {
			r.values(args)
		}
		return at
	case len(args) == 2 && slices.Contains([]string{"_[_]", "_[?_]", "_?._"}, name):
		at := r.path(args[0])
		if at == nil || args[1].Kind() == ast.LiteralKind {
			if key, isText := literal(args[1]).(string); isText && at != nil {
				return at.below(key)
			}
			return at // an element of a list
		}
		r.value(args[1])
		at.Value = true
		r.found = append(r.found, *at)
		return at
	}
	return nil
}

func literal(e ast.Expr) any {
	if e.Kind() != ast.LiteralKind {
		return nil
	}
	return e.AsLiteral().Value()
}

func (r *Read) below(fields ...string) *Read {
	return &Read{Variable: r.Variable, Path: append(slices.Clone(r.Path), fields...)}
}

// String implements fmt.Stringer.
func (r Read) String() string { return fmt.Sprint(r.Variable, r.Path) }

// hidden reports whether a read comes to an unknown part of an object, and where: as far as fields lead, and no list.
// If not all of the object was read, this is all but its metadata. If it was recorded, this is what was left out.
func (c *Content) hidden(read Read) (path []string, hidden bool) {
	if !c.Whole {
		known := len(read.Path) > 0 && slices.Contains([]string{"metadata", "apiVersion", "kind"}, read.Path[0])
		if !known {
			return read.Path[:min(1, len(read.Path))], len(read.Path) > 0 || read.Value
		}
	}
	depth, hidden := read.hiddenIn(c.Fields, read.Path)
	return read.Path[:depth], hidden
}

// hiddenIn follows fields, and returns how far they lead to what is hidden.
func (r Read) hiddenIn(value any, path []string) (depth int, hidden bool) {
	switch value := value.(type) {
	case []any:
		return 0, len(path) > 0 && slices.ContainsFunc(value, func(one any) bool {
			_, hidden := r.hiddenIn(one, path)
			return hidden
		}) || len(path) == 0 && r.Value && leftout.In(value)
	case map[string]any:
		if len(path) == 0 {
			_, partial := value[leftout.Mark]
			return 0, r.Keys && partial || r.Value && leftout.In(value)
		}
		inner, there := value[path[0]]
		if !there {
			return 1, leftout.Lacks(value, path[0])
		}
		depth, hidden = r.hiddenIn(inner, path[1:])
		return depth + 1, hidden
	}
	return 0, r.Value && leftout.In(value)
}

package main

import (
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// fields are the fields that are read, by their JSON names, for each type that has them.
type fields struct {
	read map[string]map[string]bool
	// roots are the types of objects.
	roots map[string]bool
}

func newFields() *fields {
	f := &fields{read: map[string]map[string]bool{}, roots: map[string]bool{}}
	for _, some := range []map[string][]string{byLibraries(), withoutType()} {
		for text, names := range some {
			f.add(text, names...)
		}
	}
	for _, text := range also() {
		f.roots[text] = true
	}
	return f
}

func (f *fields) add(text string, names ...string) {
	if f.read[text] == nil {
		f.read[text] = map[string]bool{}
	}
	for _, name := range names {
		f.read[text][name] = true
	}
}

// collect adds the fields that a package selects. It fails for what objects are decoded into and no view.
func (f *fields) collect(of *checked) error {
	for _, selection := range of.info.Selections {
		if selection.Kind() != types.MethodExpr {
			f.selected(selection)
		}
	}
	for name, instance := range of.info.Instances {
		function := of.info.Uses[name]
		if function == nil || function.Pkg() == nil || function.Pkg().Path() != module+"pkg/session" {
			continue
		}
		for i := range instance.TypeArgs.Len() {
			into, is := types.Unalias(instance.TypeArgs.At(i)).(*types.Named)
			if is && strings.HasPrefix(into.String(), module) && views()[into.String()] == nil {
				return fmt.Errorf("%s: objects are decoded into %s: declare of which kinds", of.path, into)
			}
		}
	}
	return nil
}

// selected adds the fields on the way of one selection, embedded ones among them.
func (f *fields) selected(selection *types.Selection) {
	at, path := selection.Recv(), selection.Index()
	if selection.Kind() == types.MethodVal {
		path = path[:len(path)-1]
	}
	for _, index := range path {
		at = under(at)
		in, is := at.Underlying().(*types.Struct)
		if !is {
			return
		}
		if name, inline := jsonName(in, index); name != "" || inline {
			f.add(at.String(), name)
			f.roots[at.String()] = f.roots[at.String()] || isObject(in)
		}
		at = in.Field(index).Type()
	}
}

// isObject reports whether a struct is that of objects, which have a kind and metadata.
func isObject(of *types.Struct) bool {
	embeds := map[string]bool{}
	for field := range of.Fields() {
		embeds[field.Name()] = field.Embedded()
	}
	return embeds["TypeMeta"] && embeds["ObjectMeta"]
}

// under strips pointers, lists and aliases off a type.
func under(of types.Type) types.Type {
	for {
		of = types.Unalias(of)
		switch outer := of.(type) {
		case *types.Pointer:
			of = outer.Elem()
		case *types.Slice:
			of = outer.Elem()
		default:
			return of
		}
	}
}

// jsonName is the JSON name of a field, or says that its own fields replace it.
func jsonName(of *types.Struct, index int) (name string, inline bool) {
	name, _, _ = strings.Cut(reflect.StructTag(of.Tag(index)).Get("json"), ",")
	return name, name == "" && of.Field(index).Embedded()
}

// text writes down kinds and types, each with the fields that are read of it.
func (f *fields) text(of *program) (string, error) {
	kinds := map[string][]string{}
	for root, is := range f.roots {
		if kind := kindOf(root); is && kind != "" {
			kinds[kind] = append(kinds[kind], root)
		}
	}
	for view, of := range views() {
		for _, kind := range of {
			kinds[kind] = append(kinds[kind], view)
		}
	}
	t := texts{fields: f, lines: map[string]string{}}
	var out strings.Builder
	out.WriteString("# What is read of whole objects of Kubernetes' own kinds.\n")
	out.WriteString("# Written by hack/reads: go generate ./pkg/snapshot\n")
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		slices.Sort(kinds[kind])
		fmt.Fprintf(&out, "kind %s", kind)
		for _, name := range kinds[kind] {
			root, err := of.named(name)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&out, " %s", t.name(root, ""))
		}
		out.WriteString("\n")
	}
	for _, name := range slices.Sorted(maps.Keys(t.lines)) {
		fmt.Fprintf(&out, "type %s%s\n", name, t.lines[name])
	}
	return out.String(), nil
}

// kindOf is the kind of the objects of a type of k8s.io/api, KIND.GROUP; empty for any other type.
func kindOf(full string) string {
	path, is := strings.CutPrefix(full, "k8s.io/api/")
	parts := strings.Split(path, "/")
	if !is || len(parts) != 2 {
		return ""
	}
	_, kind, _ := strings.Cut(parts[1], ".")
	group, differs := groups()[parts[0]]
	if !differs {
		group = parts[0]
	}
	return strings.TrimSuffix(kind+"."+group, ".")
}

// texts are the types that were written down, by name.
type texts struct {
	*fields
	lines map[string]string
}

// name returns what a type is called, and writes it down if it has fields. A struct without a name is called by place.
func (t texts) name(of types.Type, place string) string {
	switch of.String() {
	case "k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta":
		return "metadata"
	case "k8s.io/apimachinery/pkg/apis/meta/v1.Time", "k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime",
		"k8s.io/apimachinery/pkg/api/resource.Quantity", "k8s.io/apimachinery/pkg/util/intstr.IntOrString":
		return ""
	}
	if _, is := of.Underlying().(*types.Map); is {
		return "texts"
	}
	in, is := of.Underlying().(*types.Struct)
	if !is {
		return ""
	}
	name := place
	if named, is := of.(*types.Named); is {
		name = strings.TrimPrefix(strings.TrimPrefix(named.String(), "k8s.io/api/"), module+"pkg/")
		name = strings.ReplaceAll(name, "k8s.io/apimachinery/pkg/apis/", "")
	}
	if _, done := t.lines[name]; !done {
		t.lines[name] = "" // it may hold itself
		t.lines[name] = t.fieldsOf(of, in, name)
	}
	return name
}

// fieldsOf lists the fields that are read of a struct: NAME, or NAME:TYPE.
func (t texts) fieldsOf(of types.Type, in *types.Struct, name string) string {
	var all []string
	for index := range in.NumFields() {
		field, inline := jsonName(in, index)
		inner := under(in.Field(index).Type())
		switch {
		case inline:
			if embedded, is := inner.Underlying().(*types.Struct); is {
				all = append(all, strings.Fields(t.fieldsOf(inner, embedded, name))...)
			}
		case field == "" || !t.read[of.String()][field]:
		default:
			if kind := t.name(inner, name+"."+field); kind != "" {
				field += ":" + kind
			}
			all = append(all, field)
		}
	}
	slices.Sort(all)
	return " " + strings.Join(all, " ")
}

package mcpserver

import (
	"cmp"
	"context"
	"encoding"
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Cut is a list that is not whole in an answer. It is the longest one, where several entries have a list in that place.
type Cut struct {
	List string `json:"list"` // such as items, rootCauses[].others
	Kept int    `json:"kept"`
	Of   int    `json:"of"`
}

// cutter shortens lists, and remembers how long they were, by their place. It shortens texts, too.
type cutter map[string]*Cut

// cut leaves so many entries in each list of a result, the worst first. If ctx ends meanwhile, the rest stays as it is.
func (c cutter) cut(ctx context.Context, answer result.Result, most int) {
	if list, is := answer.(*result.List); is {
		order := []result.Verdict{result.Stuck, result.Undetermined, result.Progressing}
		slices.SortStableFunc(list.Items, func(a, b result.ListItem) int {
			return cmp.Compare(slices.Index(order, a.Verdict), slices.Index(order, b.Verdict))
		})
	}
	c.value(ctx, reflect.ValueOf(answer), "", max(1, most))
}

// shorten leaves the beginning of each text of a result that is too long: whoever writes a message could otherwise fill
// an answer with it. If ctx ends meanwhile, the rest stays as it is.
func shorten(ctx context.Context, answer result.Result) {
	cutter{}.value(ctx, reflect.ValueOf(answer), "", math.MaxInt)
}

// mostWords is how many bytes a text within an answer has at most, what is said in place of the rest included.
const mostWords = 2 << 10

func shortened(text string) string {
	const room = len("… and 12345678901234567890 more bytes")
	if len(text) <= mostWords {
		return text
	}
	begins := strings.ToValidUTF8(text[:mostWords-room], "")
	return fmt.Sprintf("%s… and %d more bytes", begins, len(text)-len(begins))
}

func (c cutter) made() []Cut {
	var cuts []Cut
	for _, list := range slices.Sorted(maps.Keys(c)) {
		cuts = append(cuts, *c[list])
	}
	return cuts
}

func (c cutter) value(ctx context.Context, value reflect.Value, path string, most int) {
	if ctx.Err() != nil {
		return
	}
	if _, isText := value.Interface().(encoding.TextMarshaler); isText {
		return
	}
	switch value.Kind() {
	case reflect.Interface:
		if !value.IsNil() && value.CanSet() { // what an interface holds can't be changed in its place
			own := reflect.New(value.Elem().Type()).Elem()
			own.Set(value.Elem())
			c.value(ctx, own, path, most)
			value.Set(own)
		}
	case reflect.Pointer:
		if !value.IsNil() {
			c.value(ctx, value.Elem(), path, most)
		}
	case reflect.Struct:
		c.structure(ctx, value, path, most)
	case reflect.Slice:
		c.list(value, path, most)
		for i := range value.Len() {
			c.value(ctx, value.Index(i), path+"[]", most)
		}
	case reflect.String:
		if value.CanSet() {
			value.SetString(shortened(value.String()))
		}
	}
}

// structure cuts the lists in a structure. Edges go with the nodes that they join.
func (c cutter) structure(ctx context.Context, value reflect.Value, path string, most int) {
	if nodes, edges := value.FieldByName("Nodes"), value.FieldByName("Edges"); nodes.IsValid() && edges.IsValid() {
		c.edges(edges, place(path, "edges"), min(most, nodes.Len()))
	}
	for i := range value.NumField() {
		field := value.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case !field.IsExported() || name == "-":
		case field.Anonymous && name == "":
			c.value(ctx, value.Field(i), path, most)
		default:
			c.value(ctx, value.Field(i), place(path, name), most)
		}
	}
}

func place(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

func (c cutter) list(value reflect.Value, path string, most int) {
	if value.Len() <= most || !value.CanSet() {
		return
	}
	c.note(path, value.Len(), most)
	value.Set(value.Slice(0, most))
}

// edges leaves out the edges whose nodes are left out.
func (c cutter) edges(value reflect.Value, path string, nodes int) {
	kept := reflect.MakeSlice(value.Type(), 0, value.Len())
	for i := range value.Len() {
		edge := value.Index(i)
		if int(edge.FieldByName("From").Int()) < nodes && int(edge.FieldByName("To").Int()) < nodes {
			kept = reflect.Append(kept, edge)
		}
	}
	if kept.Len() < value.Len() {
		c.note(path, value.Len(), kept.Len())
		value.Set(kept)
	}
}

// note remembers that a list was cut, and how long the longest of its place was at first.
func (c cutter) note(path string, of, kept int) {
	switch before := c[path]; {
	case before == nil || of > before.Of:
		c[path] = &Cut{List: path, Kept: kept, Of: of}
	case of <= before.Kept: // it is cut again
		before.Kept = min(before.Kept, kept)
	}
}

package files

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/bounds"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// listSeen is what a file says of a list that it holds.
type listSeen struct {
	apiVersion, kind string
	namespace        string // of its first item
	mixed            bool   // its items are of several namespaces
	partial          bool   // the API server had more to tell
	items            int
	first            schema.GroupVersionKind
}

// objects returns what a list is of, or nothing where that isn't clear.
func (l listSeen) objects() schema.GroupVersionKind {
	if kind := strings.TrimSuffix(l.kind, "List"); kind != "" {
		return schema.FromAPIVersionAndKind(l.apiVersion, kind)
	}
	return l.first
}

// readJSON reads one object or list after the other. kept, if there is one, has what was not understood.
func (a *assembly) readJSON(in *bufio.Reader, kept *retained) (lists []listSeen, err error) {
	decoder, start := json.NewDecoder(a.weighed(in)), int64(0)
	if kept != nil {
		start = kept.read() - int64(in.Buffered())
	}
	decoder.UseNumber()
	a.understood = func() {
		if a.sinceObject, a.weight = 0, 0; kept != nil {
			kept.understood(start + decoder.InputOffset())
		}
	}
	for {
		a.understood()
		list, err := a.readObject(decoder)
		if list != nil {
			lists = append(lists, *list)
		}
		if err != nil {
			return lists, ended(err)
		}
	}
}

// weighed is an error where what is decoded would take too much memory.
func (a *assembly) weighed(in io.Reader) io.Reader {
	return snapshot.ReaderFunc(func(into []byte) (int, error) {
		n, err := in.Read(into)
		if a.weight += bounds.JSON(into[:n]); a.weight > heaviestObject {
			return 0, errTooLarge
		}
		return n, err
	})
}

// readObject reads one object, or a list, whose items are taken in as they arrive. It answers io.EOF at the end.
func (a *assembly) readObject(decoder *json.Decoder) (*listSeen, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	if token != json.Delim('{') {
		return nil, errNoObject
	}
	fields, list := map[string]any{}, &listSeen{items: -1}
	var unnamed []map[string]any // items whose kind only the list's kind shows
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, cut(err)
		}
		key, _ := token.(string)
		if key == "items" {
			if unnamed, err = a.readItems(decoder, list); err != nil {
				return nil, err
			}
			continue
		}
		var value any
		if err := decoder.Decode(&value); err != nil {
			return nil, cut(err)
		}
		fields[key] = value
		list.apiVersion, _ = fields["apiVersion"].(string)
		list.kind, _ = fields["kind"].(string)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, cut(err)
	}
	return a.understand(fields, list, unnamed)
}

// understand takes in what was read: a list, an object, or what kubectl get --output-watch-events says of one.
func (a *assembly) understand(fields map[string]any, list *listSeen, unnamed []map[string]any) (*listSeen, error) {
	if list.items < 0 || list.kind != "" && !strings.HasSuffix(list.kind, "List") {
		if list.items > 0 {
			return nil, fmt.Errorf("it contains a %s with items, which is not a list", list.kind)
		}
		if changed, is := fields["object"].(map[string]any); is && list.kind == "" {
			switch fields["type"] {
			case "ADDED", "MODIFIED":
				return nil, a.take(changed)
			case "DELETED":
				return nil, a.drop(changed)
			case "BOOKMARK", "ERROR":
				return nil, nil // of no object
			}
			return nil, errNoObject
		}
		return nil, a.take(fields)
	}
	if list.kind == "" {
		return nil, a.takeUnnamed(unnamed)
	}
	next, _, _ := unstructured.NestedString(fields, "metadata", "continue")
	left, _, _ := unstructured.NestedFieldNoCopy(fields, "metadata", "remainingItemCount")
	list.partial = next != "" || left != nil && left != json.Number("0")
	for _, item := range unnamed {
		if err := a.takeOf(list, item); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (a *assembly) readItems(decoder *json.Decoder, list *listSeen) (unnamed []map[string]any, err error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, cut(err)
	}
	list.items = 0
	if token == nil {
		return nil, nil // no items
	}
	if token != json.Delim('[') {
		return nil, errors.New("it contains a list without items")
	}
	start := decoder.InputOffset()
	for decoder.More() {
		var item map[string]any
		if err := decoder.Decode(&item); err != nil {
			return nil, cut(err)
		}
		a.understood()
		object := unstructured.Unstructured{Object: item}
		if list.items++; list.items == 1 {
			list.namespace, list.first = object.GetNamespace(), object.GroupVersionKind()
		}
		list.mixed = list.mixed || object.GetNamespace() != list.namespace
		switch kind, _ := item["kind"].(string); {
		case kind != "" && item["apiVersion"] != nil:
			err = a.take(item)
		case list.kind != "":
			err = a.takeOf(list, item)
		case decoder.InputOffset()-start > mostBetween:
			err = errors.New("it contains a list that does not say what its items are")
		default:
			unnamed = append(unnamed, item)
		}
		if err != nil {
			return nil, err
		}
	}
	_, err = decoder.Token()
	return unnamed, cut(err)
}

// takeOf takes in an item that leaves it to its list what it is.
func (a *assembly) takeOf(list *listSeen, item map[string]any) error {
	kind := strings.TrimSuffix(list.kind, "List")
	if kind == "" || item == nil {
		return errNoObject
	}
	item["apiVersion"], item["kind"] = list.apiVersion, kind
	return a.take(item)
}

// tooDeep is an error for what is nested deeper than any object of Kubernetes.
func tooDeep(value any, left int) error {
	if left == 0 {
		return fmt.Errorf("it is nested deeper than %d levels, which no Kubernetes object is", mostLevels)
	}
	var inside iter.Seq[any]
	switch value := value.(type) {
	case map[string]any:
		inside = maps.Values(value)
	case []any:
		inside = slices.Values(value)
	default:
		return nil
	}
	for one := range inside {
		if err := tooDeep(one, left-1); err != nil {
			return err
		}
	}
	return nil
}

const mostLevels = 200

// takeUnnamed takes in items of a list that doesn't say what they are, as Go's typed clients write it.
func (a *assembly) takeUnnamed(items []map[string]any) error {
	if len(items) == 0 {
		return cut(io.EOF) // kubectl writes it behind the items
	}
	for _, item := range items {
		if !paste.Identify(item) {
			return errNoObject
		}
		kind, _ := item["kind"].(string)
		a.pasted.guessed[kind]++
		if err := a.take(item); err != nil {
			return err
		}
	}
	return nil
}

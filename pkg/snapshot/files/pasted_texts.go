package files

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// pastedTexts is what texts say besides objects.
type pastedTexts struct {
	guessed   map[string]int // objects whose kind was found by their fields
	questions []paste.Question
	failures  []paste.Failure
	mentions  []paste.Mention
	events    []paste.Events
	untyped   []paste.Object // whose kind or name is to be found when all is there
	nameless  bool           // a namespace is known by what is quoted of it, and not by its name
	ageless   bool           // something is deleted, and it is not known since when
	quoted    bool           // something in it is no manifest
	answers   map[answered]bool
}

// markPartial notes that there may be more fields than a text shows.
func markPartial(fields map[string]any) {
	fields[leftout.Mark] = []any{}
	for _, part := range []string{"spec", "status"} {
		inner, is := fields[part].(map[string]any)
		if !is {
			inner = map[string]any{}
			fields[part] = inner
		}
		inner[leftout.Mark] = []any{}
	}
}

// holdNamespace adds the hold of a Namespace that is always the same, and not in its metadata.
func holdNamespace(namespace *unstructured.Unstructured) {
	holds, _, _ := unstructured.NestedSlice(namespace.Object, "spec", "finalizers")
	if _, is := namespace.Object["spec"].(map[string]any); !is { // cut off behind its key
		delete(namespace.Object, "spec")
	}
	if len(holds) == 0 {
		_ = unstructured.SetNestedStringSlice(namespace.Object, []string{"kubernetes"}, "spec", "finalizers")
	}
}

// dated is an object with the time of its deletion, if only the distance of that from the time of the text is known.
func (h held) dated(at time.Time) snapshot.Body {
	var fields map[string]any
	if !h.deleted || json.Unmarshal(h.body.Bytes(), &fields) != nil {
		return h.body
	}
	metadata, _ := fields["metadata"].(map[string]any)
	metadata["deletionTimestamp"] = at.Add(-h.ago).UTC().Format(time.RFC3339)
	body, err := json.Marshal(fields)
	if err != nil {
		return h.body
	}
	return snapshot.Alone(body)
}

// placeNamespaces gives what a table shows without its namespace the only one that the files speak of. Where they speak
// of none, it stays without: kubectl means the namespace of whoever asks then, in the commands of the answer, too. So
// does a Pod where they speak of several, because nothing that holds it is in its namespace.
func (a *assembly) placeNamespaces() {
	named := a.namespaces()
	only := ""
	if len(named) == 1 {
		only = named[0]
	}
	for kind, objects := range a.objects {
		if known, is := a.kinds[kind]; !is || !known.Namespaced {
			continue
		}
		for key, object := range objects {
			stays := len(named) == 0 || only == "" && kind.Kind == "Pod"
			if key.namespace != "" || object.partial == paste.Whole || stays {
				continue
			}
			delete(objects, key)
			if key.namespace = only; only == "" {
				a.skip(kind.Kind+" "+key.name, errors.New("the table does not show its namespace"))
				continue
			}
			if before, has := objects[key]; !has || object.replaces(before) {
				object.body = inNamespace(object.body, only)
				objects[key] = object
			}
		}
	}
}

func inNamespace(body snapshot.Body, namespace string) snapshot.Body {
	var fields map[string]any
	if json.Unmarshal(body.Bytes(), &fields) != nil {
		return body
	}
	if metadata, is := fields["metadata"].(map[string]any); is {
		metadata["namespace"] = namespace
	}
	placed, err := json.Marshal(fields)
	if err != nil {
		return body
	}
	return snapshot.Alone(placed)
}

// namespaces are the ones that the files speak of.
func (a *assembly) namespaces() []string {
	found := map[string]bool{}
	for kind, objects := range a.objects {
		for key := range objects {
			if kind == namespaceKind() {
				found[key.name] = true
			} else if key.namespace != "" {
				found[key.namespace] = true
			}
		}
	}
	for _, question := range a.pasted.questions {
		if question.Namespace != "" {
			found[question.Namespace] = true
		}
	}
	return slices.Collect(maps.Keys(found))
}

// notes say what was assumed about the files.
func (a *assembly) notes() (notes []string) {
	if a.pasted.nameless {
		notes = append(notes, "It does not show the name of the namespace: "+nameless+" stands for that")
	}
	for _, kind := range slices.Sorted(maps.Keys(a.pasted.guessed)) {
		if count := a.pasted.guessed[kind]; count == 1 {
			notes = append(notes, "One object does not say of which kind it is: by its fields, it is a "+kind)
		} else {
			notes = append(notes, fmt.Sprintf("%d objects do not say of which kind they are: by their fields, each is a %s",
				count, kind))
		}
	}
	return notes
}

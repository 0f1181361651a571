package paste

import (
	"slices"
	"strings"
)

// longestFolded is how much is read of a text that was folded into several lines.
const longestFolded = 32 << 10

// unindented is an object in YAML whose lines have lost the spaces in front of them, as forms and chats do that. What
// belongs where is known of its metadata, of its conditions, and of a few fields that have values of their own.
type unindented struct {
	fields  map[string]any
	section string         // metadata, spec or status
	list    string         // the list or map of the section that is open, or empty
	item    map[string]any // of that list
}

// isUnindented reports whether a line directly below the key of an object's metadata has lost its indentation.
func isUnindented(before, next line) bool {
	return strings.TrimSpace(before.text) == "metadata:" && indentation(next.text) == indentation(before.text) &&
		slices.Contains(metadataKeys(), keyOf(next.text))
}

func keyOf(text string) string {
	key, _, _ := strings.Cut(strings.TrimSpace(text), ":")
	return key
}

// metadataKeys are the fields of metadata (k8s v1.37 staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go).
func metadataKeys() []string {
	return []string{
		"annotations", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers",
		"generateName", "generation", "labels", "managedFields", "name", "namespace", "ownerReferences",
		"resourceVersion", "selfLink", "uid",
	}
}

// itemKeys are the fields of the items of a list, for the lists whose items are known.
func itemKeys(list string) []string {
	switch list {
	case "ownerReferences":
		return []string{"apiVersion", "blockOwnerDeletion", "controller", "kind", "name", "uid"}
	case "conditions":
		return []string{
			"lastHeartbeatTime", "lastProbeTime", "lastTransitionTime", "lastUpdateTime", "message",
			"observedGeneration", "reason", "severity", "status", "type",
		}
	}
	return nil
}

// ownValues are the fields of a specification and a status that have one value and mean the same everywhere.
func ownValues() []string { return []string{"phase", "nodeName", "volumeName", "deletionPolicy"} }

// readUnindented reads an object without its indentation, to a line that can't belong to it.
func (y *yamlText) readUnindented(r *reader) error {
	u := &unindented{fields: map[string]any{}}
	lines, length := y.head, 0
	for {
		next, err := r.lines.next()
		text := strings.TrimSpace(next.text)
		if err != nil || text == "" || next.quotes != y.quotes || isFence(text) || isCommand(text) ||
			strings.Trim(text, "-") == "" {
			if err == nil {
				r.lines.back(next)
			}
			break
		}
		if length += len(text); length > longestText {
			r.problem(y.begins, "an object is larger than %d MiB", longestText>>20)
			return nil
		}
		if last := len(lines) - 1; yamlItem.MatchString(text) || yamlField.MatchString(text) {
			lines = append(lines, text)
		} else if len(lines[last]) < longestFolded { // the rest of a text that was folded
			lines[last] += " " + text
		}
	}
	for _, text := range lines {
		u.add(strings.TrimSpace(text))
	}
	r.problem(y.begins, "the indentation of this YAML is lost; only what is clear without it is used")
	return u.take(r, y.begins)
}

func (u *unindented) take(r *reader, at int) error {
	metadata, _ := u.fields["metadata"].(map[string]any)
	kind, _ := u.fields["kind"].(string)
	name, _ := metadata["name"].(string)
	if kind == "" || u.fields["apiVersion"] == nil || name == "" {
		r.problem(at, "it does not say of which kind it is, and its name")
		return nil
	}
	r.taken++
	return r.sink.Object(Object{Fields: u.fields, Line: at, Partial: Columns})
}

// add takes one more line.
func (u *unindented) add(text string) {
	value, isItem := strings.CutPrefix(text, "-")
	if isItem {
		u.addItem(strings.TrimSpace(value))
		return
	}
	key := keyOf(text)
	switch {
	case u.begins(key, text):
		u.section, u.list, u.item = key, "", nil
		u.fields[key] = map[string]any{}
	case u.section == "":
		u.set(u.fields, text)
	case u.item != nil && slices.Contains(itemKeys(u.list), key) && u.item[key] == nil:
		u.set(u.item, text)
	case u.section == "metadata" && slices.Contains(metadataKeys(), key):
		u.list, u.item = "", nil
		if strings.TrimSpace(text) == key+":" {
			u.list = key
		} else {
			u.set(u.inSection(), text)
		}
	case u.section == "metadata": // a label, an annotation, or part of managedFields
	case text == "conditions:" && u.section == "status", text == "finalizers:" && u.section == "spec":
		u.list, u.item = key, nil
	default:
		if u.list, u.item = "", nil; slices.Contains(ownValues(), key) {
			u.set(u.inSection(), text)
		}
	}
}

// begins reports whether a line begins the next part of the object.
func (u *unindented) begins(key, text string) bool {
	order := []string{"metadata", "spec", "status"}
	return text == key+":" && slices.Index(order, key) > slices.Index(order, u.section)
}

func (u *unindented) inSection() map[string]any {
	fields, _ := u.fields[u.section].(map[string]any)
	return fields
}

// addItem begins an item of the list that is open, if it is known what its items are.
func (u *unindented) addItem(text string) {
	fields, list := u.inSection(), u.list
	if fields == nil {
		return
	}
	items, _ := fields[list].([]any)
	switch {
	case list == "finalizers":
		if value := scalar("item: " + text); value != nil {
			fields[list] = append(items, value)
		}
	case itemKeys(list) != nil:
		u.item = map[string]any{}
		u.set(u.item, text)
		fields[list] = append(items, u.item)
	}
}

// set sets the field that a line has.
func (u *unindented) set(fields map[string]any, text string) {
	if value := scalar(text); value != nil {
		fields[keyOf(text)] = value
	}
}

// scalar is the value of a line of YAML, or nil.
func scalar(text string) any {
	parsed, err := parseYAML([]string{text})
	if err != nil {
		return nil
	}
	for _, value := range parsed {
		switch value.(type) {
		case map[string]any, []any:
			return nil
		}
		return value
	}
	return nil
}

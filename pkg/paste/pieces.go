package paste

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// pieceOf is the part of an object that a command prints: .status of `-o json | jq .status`, or of
// `-o jsonpath='{.status}'`.
var pieceOf = regexp.MustCompile(`(?:\|\s*[jy]q\s+(?:-\S+\s+)*['"]?|(?:-o|--output)[ =]?jsonpath=['"]?\{)` +
	`\.((?:metadata|spec|status)(?:\.[a-z][A-Za-z]*)?)\}?['"]?\s*$`)

// pieceIn is the path of the part of an object that a command prints, or nil.
func pieceIn(command string) []string {
	match := pieceOf.FindStringSubmatch(command)
	if match == nil {
		return nil
	}
	return strings.Split(match[1], ".")
}

// object is the one object that a command asks for: its type as it was typed, and its name.
func (q Question) object() (resource, name string, is bool) {
	if len(q.names) != 1 || q.verb != "get" {
		return "", "", false
	}
	if resource, name, is = strings.Cut(q.names[0], "/"); is {
		return resource, name, true
	}
	return q.only(), q.names[0], q.only() != ""
}

// mostConditions is how many conditions of one object are read.
const mostConditions = 100

// isPiece reports whether fields are the part of one object that the last command has printed.
func isPiece(r *reader, fields map[string]any) bool {
	_, _, is := r.asked.object()
	return is && r.asked.piece != nil && fields["kind"] == nil
}

// takePiece takes in a part of an object. The items of a list arrive one by one: each time, the ones before are told
// again, with one more.
func takePiece(r *reader, value map[string]any, at int) error {
	resource, name, _ := r.asked.object()
	if r.pieces == nil {
		r.pieces = map[string]any{}
	}
	path := r.asked.piece
	if len(path) == 1 {
		r.pieces[path[0]] = value
	} else {
		whole, _ := r.pieces[path[0]].(map[string]any)
		if whole == nil {
			whole = map[string]any{}
			r.pieces[path[0]] = whole
		}
		if path[1] != "conditions" {
			whole[path[1]] = value
		} else {
			conditions, _ := whole[path[1]].([]any)
			if len(conditions) >= mostConditions {
				return nil
			}
			whole[path[1]] = append(conditions, value)
		}
	}
	fields := map[string]any{}
	for part, value := range r.pieces {
		fields[part] = value
	}
	return r.sink.Object(r.asked.shows(fields, resource, name, at))
}

// shows is what a part shows of an object: its metadata is complete where that was printed as a whole.
func (q Question) shows(fields map[string]any, resource, name string, at int) Object {
	found := Object{Fields: fields, Resource: resource, Line: at, Partial: Columns}
	metadata, _ := fields["metadata"].(map[string]any)
	if metadata == nil || len(q.piece) > 1 {
		phase, _, _ := unstructured.NestedString(fields, "status", "phase")
		found.Deleted = asksNamespaces(resource) && phase == terminating
	} else if len(fields) == 1 {
		found.Partial = MetadataOnly
	}
	named := map[string]any{"name": name}
	if q.Namespace != "" {
		named["namespace"] = q.Namespace
	}
	for key, value := range metadata {
		named[key] = value
	}
	fields["metadata"] = named
	return found
}

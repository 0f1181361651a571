package paste

import (
	"regexp"
	"slices"
	"strings"
)

// inProse is a command of kubectl within a sentence: I ran `kubectl delete ns shop`, and it hangs.
var inProse = regexp.MustCompile("\\bkubectl\\s+((?:get|describe|delete)\\s[^`\"'“”;]{1,200})")

// mentionNamed notes the objects that a command names, and its namespace: its output may not show them, or not enough.
func (r *reader) mentionNamed(asked Question) {
	if !slices.Contains([]string{"get", "describe", "delete", "edit", "patch"}, asked.verb) {
		return
	}
	mention := func(resource, namespace, name string) {
		if podName.MatchString(strings.ToLower(resource)) && podName.MatchString(name) {
			r.named = append(r.named, Mention{
				Resource: resource, Namespace: namespaceName(namespace), Name: name, Line: asked.Line,
			})
		}
	}
	for _, name := range asked.names {
		if resource, name, qualified := strings.Cut(name, "/"); qualified {
			mention(resource, asked.Namespace, name)
		} else {
			mention(asked.only(), asked.Namespace, resource)
		}
	}
	mention("namespaces", "", asked.Namespace)
}

// namespaceName is what a text calls a namespace, and empty, as one that is not known, where none can be called that:
// $NS, or <namespace>.
func namespaceName(text string) string {
	if !podName.MatchString(text) {
		return ""
	}
	return text
}

// tellNamed passes on what the last command names.
func (r *reader) tellNamed() {
	for _, one := range r.named {
		r.sink.Mention(one)
	}
	r.named = nil
}

// told is a sink that marks each object that was printed by a command that ends an answer.
type told struct {
	Sink
	reader *reader
}

// Object implements Sink.
func (t told) Object(found Object) error {
	found.Answers = t.reader.answers
	return t.Sink.Object(found)
}

// noteCommand notes what a command within a sentence names. Where it ends can't be seen, so that only the first name
// counts.
func noteCommand(r *reader, text string, at int) {
	if len(text) > longestRow || !strings.Contains(text, "kubectl ") {
		return
	}
	match := inProse.FindStringSubmatch(text)
	if match == nil {
		return
	}
	asked := parseCommand(strings.TrimRight(match[1], ".,:!?)"))
	asked.Line, asked.names = at, asked.names[:min(1, len(asked.names))]
	r.mentionNamed(asked)
}

// narrowsByValue reports whether a flag of kubectl that narrows what a command is about, or is for another verb than
// get, has a value behind it.
func narrowsByValue(flag string) bool {
	switch flag {
	case "-l", "--selector", "--field-selector", "-f", "--filename", "--timeout", "-p", "--patch", "--type", "-v",
		"--grace-period", "--field-manager", "--subresource":
		return true
	}
	return false
}

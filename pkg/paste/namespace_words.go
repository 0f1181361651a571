package paste

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// said is a message of Kubernetes' namespace controller that people quote without the object which has it
// (k8s v1.37 pkg/controller/namespace/deletion/status_condition_utils.go).
type said struct {
	begins, condition, reason string
}

func namespaceMessages() []said {
	return []said{
		{"Some resources are remaining: ", "NamespaceContentRemaining", "SomeResourcesRemain"},
		{
			"Some content in the namespace has finalizers remaining: ",
			"NamespaceFinalizersRemaining", "SomeFinalizersRemain",
		},
		{"Discovery failed for some groups, ", "NamespaceDeletionDiscoveryFailure", "DiscoveryFailed"},
		{"Failed to delete all resource types, ", "NamespaceDeletionContentFailure", "ContentDeletionFailed"},
	}
}

var (
	// deletesNamespace is what only a namespace that is being deleted makes programs say: the namespace controller's log
	// (namespace_controller.go:worker), a second deletion (pkg/registry/core/namespace/storage/storage.go:Delete), and an
	// object that is to be created (staging/src/k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle).
	deletesNamespace = regexp.MustCompile(`deletion of namespace "?([a-z0-9-]+)"? failed: ` +
		`|namespaces "([a-z0-9-]+)": The system is ensuring all content is removed` +
		`|in namespace ([a-z0-9-]+) because it is being terminated`)
	// spokenOf is a namespace that a sentence names.
	spokenOf = regexp.MustCompile(
		"\\b(?:namespaces?|project)[ /][\"'`“]([a-z0-9-]{1,63})[\"'`”]|\\bns/([a-z0-9-]{1,63})")
)

// saidIn returns what a line quotes, and the words.
func saidIn(text string) (found said, words string) {
	if !strings.Contains(text, "Some ") && !strings.Contains(text, "ailed ") { // texts may have millions of lines
		return said{}, ""
	}
	for _, one := range namespaceMessages() {
		if _, rest, is := strings.Cut(text, one.begins); is {
			return one, one.begins + strings.TrimRight(rest, `'",`)
		}
	}
	return said{}, ""
}

func isNamespaceWords(text string) bool {
	_, words := saidIn(text)
	return words != "" || deletedIn(text) != ""
}

// deletedIn is the Namespace that is being deleted, if a line shows that. Expressions are slow, and texts may have
// millions of lines.
func deletedIn(text string) string {
	if !strings.Contains(text, "deletion of namespace ") && !strings.Contains(text, "ensuring all content") &&
		!strings.Contains(text, "is being terminated") {
		return ""
	}
	match := deletesNamespace.FindStringSubmatch(text)
	return strings.Join(match[min(1, len(match)):], "")
}

// namespaceWords takes in what is quoted of a Namespace: with the conditions that were quoted before.
func namespaceWords(r *reader, first line) error {
	name := ""
	one, words := saidIn(first.text)
	if words == "" {
		name = deletedIn(first.text)
	} else if name = cmp.Or(r.asked.namespace(), r.spoken); name != r.quotedOf {
		r.quotedOf, r.quoted = name, map[string]any{}
	}
	if r.quoted == nil {
		r.quoted = map[string]any{}
	}
	var conditions []any
	if words != "" {
		r.quoted[one.condition] = map[string]any{
			"type": one.condition, "status": "True", "reason": one.reason, "message": words,
		}
		for _, condition := range slices.Sorted(maps.Keys(r.quoted)) {
			conditions = append(conditions, r.quoted[condition])
		}
	}
	object := newObject("v1", "Namespace", "", name)
	object["spec"] = map[string]any{"finalizers": []any{"kubernetes"}}
	object["status"] = map[string]any{"phase": terminating, "conditions": conditions}
	return r.columns(object, true, first.number)
}

// namespace is the Namespace that a command asks for, or whose content it does.
func (q Question) namespace() string {
	if resource, name, is := q.object(); is && asksNamespaces(resource) {
		return name
	}
	return q.Namespace
}

// stuckIn is a sentence about a namespace that is being deleted.
var stuckIn = regexp.MustCompile("\\b[Nn]amespace [\"'`“]?([a-z0-9][a-z0-9-]{0,62})[\"'`”]? " +
	`(?:(?:is|has been|hangs|stays|remains|won't|will not|doesn't|does not|never|got|still)\b|stuck\b|[Tt]erminating\b)`)

// noteStuck notes the Namespace that is being deleted by what a sentence says.
func noteStuck(r *reader, text string, at int) {
	lower := strings.ToLower(text)
	if len(text) > longestRow || !strings.Contains(lower, "namespace ") ||
		!strings.Contains(lower, "terminating") && !strings.Contains(lower, "stuck") && !strings.Contains(lower, "delet") {
		return
	}
	pronouns := []string{"that", "which", "it", "this", "is", "stuck", "still", "itself", "and", "there", "terminating"}
	if match := stuckIn.FindStringSubmatch(text); match != nil && !slices.Contains(pronouns, match[1]) {
		r.sink.Mention(Mention{Resource: "namespaces", Name: match[1], Line: at})
	}
}

// noteProse notes the namespace that a sentence names.
func noteProse(r *reader, text string) {
	if len(text) > longestRow || !strings.Contains(text, "ns/") && !strings.Contains(text, "amespace") &&
		!strings.Contains(text, "roject") {
		return
	}
	if match := spokenOf.FindStringSubmatch(text); match != nil {
		r.spoken = cmp.Or(match[1], match[2])
	}
}

package admission

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// RefusalKind says who refused a request, and how.
type RefusalKind string

// The kinds of refusal whose texts tell who it was (docs/deletion.md#what-a-refusal-looks-like).
const (
	HookUnreachable RefusalKind = "the webhook can't be reached"
	HookDenied      RefusalKind = "the webhook denied it"
	HookNoDryRun    RefusalKind = "the webhook doesn't take dry runs"
	PolicyDenied    RefusalKind = "the policy denied it"
	ConditionFailed RefusalKind = "a webhook's match condition can't be evaluated"
	NotAllowed      RefusalKind = "the user may not do that"
)

// Refusal is what an error text of the API server says about a refused request.
type Refusal struct {
	Kind       RefusalKind
	Name       string               // the webhook's, the policy's or the user's
	Binding    string               // of a policy
	Expression string               // the match condition's; the text doesn't tell whose it is
	Mutating   bool                 // the policy is a MutatingAdmissionPolicy
	Resource   schema.GroupResource // what was asked for, where the text tells
	Message    string               // the part of the text that says why
}

// Refusals returns the refusals that a text reports, in its order, each once. Conditions of
// Namespaces hold several errors in one text, with commas in between and within.
func Refusals(text string) []Refusal {
	const (
		resource = `(?P<resource>[a-z0-9]+(?:\.[a-z0-9.-]+)?)`
		object   = `(?:` + resource + ` "[^"]*" is forbidden: )?`
		binding  = `(?: with binding '(?P<binding>[^']+)')?`
		denied   = ` denied request: (?P<message>.*)`
	)
	// A reason ends where the next error of the same text begins. The groups are named after the fields.
	patterns := []struct {
		kind RefusalKind
		text string
	}{
		{HookUnreachable, `failed calling webhook "(?P<name>[^"]+)": (?P<message>.*)`},
		{HookDenied, `admission webhook "(?P<name>[^"]+)" denied the request(?: without explanation)?(?P<message>.*)`},
		{HookNoDryRun, `admission webhook "(?P<name>[^"]+)" does not support dry run`},
		{PolicyDenied, object + `(?P<validating>Validating)AdmissionPolicy '(?P<name>[^']+)'` + binding + denied},
		{PolicyDenied, object + `policy ['"](?P<name>[^'"]+)['"]` + binding + denied},
		{ConditionFailed, `(?:` + resource + `(?: "[^"]*")? is forbidden: )` +
			`\[?expression '(?P<expression>.*?)' resulted in error: (?P<message>.*)`},
		{NotAllowed, `(?:` + resource + `[^,]* is forbidden: )?User "(?P<name>[^"]+)" (?P<message>cannot .*)`},
	}
	var found []Refusal
	for _, part := range split(text) {
		for _, p := range patterns {
			expression := regexp.MustCompile(`(?s)` + p.text)
			if match := expression.FindStringSubmatch(part); match != nil {
				if refusal := newRefusal(p.kind, expression, match); !slices.Contains(found, refusal) {
					found = append(found, refusal)
				}
				break
			}
		}
	}
	return found
}

func newRefusal(kind RefusalKind, expression *regexp.Regexp, match []string) Refusal {
	field := func(name string) string {
		if i := expression.SubexpIndex(name); i >= 0 {
			return match[i]
		}
		return ""
	}
	return Refusal{
		Kind: kind, Name: field("name"), Binding: field("binding"), Expression: field("expression"),
		Mutating: kind == PolicyDenied && field("validating") == "",
		Resource: schema.ParseGroupResource(field("resource")),
		Message:  strings.TrimSpace(strings.TrimLeft(field("message"), ": ")),
	}
}

// split takes a text apart before each error that it is known how to read, and before the ones that the namespace
// controller reports beside refusals.
func split(text string) []string {
	starts := regexp.MustCompile(`Internal error occurred: |[a-z0-9.-]+ "[^"]*" is forbidden: ` +
		`|[a-z0-9.-]+ is forbidden: |admission webhook "` +
		`|unexpected items still remain in namespace: |storage is \(re\)initializing: ` +
		`|failed to read one or more |conversion webhook for |Operation cannot be fulfilled on `)
	var parts []string
	from := 0
	for _, at := range starts.FindAllStringIndex(text, -1) {
		parts = append(parts, strings.TrimSuffix(text[from:at[0]], ", "))
		from = at[0]
	}
	return append(parts, text[from:])
}

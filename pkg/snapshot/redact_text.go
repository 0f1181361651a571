package snapshot

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// inList stands for the field in which an element of a list does.
const inList = "[]"

// eachText replaces each text of a value by what visit returns, given its field's name, and that field's parent's.
func eachText(within, key string, value any, visit func(within, key, text string) string) any {
	switch value := value.(type) {
	case map[string]any:
		for inner, one := range value {
			value[inner] = eachText(key, inner, one, visit)
		}
	case []any:
		for i, one := range value {
			value[i] = eachText(inList, key, one, visit)
		}
	case string:
		return visit(within, key, value)
	}
	return value
}

// field replaces the names in the text of a field, unless the field is about something else.
func (n *names) field(within, key, text string) string {
	switch {
	case namesDriver(key):
		return text
	case within == "annotations", within == "data", labelled(within) && !wellKnown(key):
		return n.text(text)
	}
	switch key {
	case "kind", "apiVersion", "group", "apiGroup", "apiGroups", "version", "resource", "resources", "verbs", "operations",
		"reason", "type", "phase", "uid", "resourceVersion", "finalizers", "operation", "fieldsType", "subresource", "scope",
		"plural", "singular", "listKind", "shortNames", "categories", "creationTimestamp", "deletionTimestamp", "manager",
		"failurePolicy", "sideEffects", "key", "operator", "effect", "jsonPath":
		return text
	case "generateName":
		return ""
	case "prefix": // of variables: what it says of namespaces, and no more
		if naming.MaySet(text + "NAMESPACE") {
			return "WATCH_"
		}
		return ""
	case "expression", "messageExpression":
		return n.expression(text)
	case "image", "imageID":
		return cmp.Or(n.images[text], text)
	}
	return n.text(text)
}

// text replaces every name that is in a text.
func (n *names) text(text string) string {
	if text == "" || n.kept.Has(text) {
		return text
	}
	if by := cmp.Or(n.by[text], n.ids[text]); by != "" {
		return by
	}
	text = n.withoutIDs(text)
	if strings.Contains(text, "image") {
		longestFirst := func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) } // one may be in another
		for _, image := range slices.SortedFunc(maps.Keys(n.images), longestFirst) {
			text = strings.ReplaceAll(text, image, n.images[image])
		}
	}
	var out strings.Builder
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && inName(text[end]) {
			end++
		}
		if end == at {
			out.WriteByte(text[at])
			at++
			continue
		}
		out.WriteString(n.word(text[at:end]))
		at = end
	}
	return out.String()
}

// word replaces a word of a longer text.
func (n *names) word(word string) string {
	name := strings.TrimRight(word, ".-")
	rest := word[len(name):]
	switch {
	case n.kept.Has(name) || everyday(name):
		return word
	case n.by[name] != "":
		return n.by[name] + rest
	case !strings.Contains(name, "."):
		return word
	}
	// A host name, or something in the name of an API group, which stays.
	parts := strings.Split(name, ".")
	for i, part := range parts {
		if n.kept.Has(strings.Join(parts[i:], ".")) {
			break
		}
		if by := n.by[part]; by != "" && !everyday(part) {
			parts[i] = by
		}
	}
	return strings.Join(parts, ".") + rest
}

// everyday reports whether messages are made of a word. As a name, it is replaced where it is alone.
func everyday(word string) bool { return strings.Contains(everydayWords, " "+word+" ") }

const everydayWords = " a all an and app are be by call calling client cluster condition connect connection " +
	"container content controller conversion data deleted deletion denied discovery endpoints error exist failed " +
	"finalizer finalizers for forbidden found from get group has have in instance instances invalid is it kind list " +
	"lookup main message metadata name namespace no node not object of on operator or pending pod pods policy post " +
	"ready refused remaining request resource resources server service some spec state status svc test that the this " +
	"timeout to unable update user version volume waiting was webhook with "

// expression replaces the names in the texts of a CEL expression, so that comparisons with names come out as before. A
// text between brackets that follow a word is the key of a field, and stays.
func (n *names) expression(expression string) string {
	var out strings.Builder
	for at := 0; at < len(expression); {
		quote := expression[at]
		if quote != '\'' && quote != '"' {
			out.WriteByte(quote)
			at++
			continue
		}
		end := at + 1
		for end < len(expression) && expression[end] != quote {
			if expression[end] == '\\' {
				end++
			}
			end++
		}
		if end = min(end, len(expression)); isIndex(expression[:at]) {
			out.WriteString(expression[at:end])
		} else {
			out.WriteByte(quote)
			out.WriteString(n.text(expression[at+1 : end]))
		}
		if end < len(expression) {
			out.WriteByte(quote)
		}
		at = end + 1
	}
	return out.String()
}

// isIndex reports whether what comes next is a key: an opening bracket, and before it what is looked into.
func isIndex(before string) bool {
	before, bracket := strings.CutSuffix(strings.TrimRight(before, " "), "[")
	return bracket && before != "" &&
		(inName(before[len(before)-1]) || strings.ContainsAny(before[len(before)-1:], "_)]"))
}

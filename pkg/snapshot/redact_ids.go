package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// labelled reports whether a field has labels, or selects by them: the names of its own fields are free.
func labelled(within string) bool {
	return within == "labels" || within == "matchLabels" || within == "nodeSelector" || within == "selector"
}

// identifies reports whether a field has what identifies something behind an object: a volume, a machine, an account.
func identifies(key string) bool {
	return key != "uid" && (slices.Contains(statuses.Belongings(), key) ||
		slices.Contains([]string{"externalName", "username", "user", "destination", "path", "permalink"}, key) ||
		strings.HasSuffix(key, "ID") || strings.HasSuffix(key, "Id") || strings.HasSuffix(key, "Handle"))
}

// keepUID keeps an object's uid, which stays in its metadata, where others name it: in a label, or in a read of events.
// An API server makes UUIDs; anything else may be a name.
func (n *names) keepUID(content map[string]any) {
	const lengthOfUUID = 36
	if uid, _, _ := unstructured.NestedString(content, "metadata", "uid"); len(uid) == lengthOfUUID {
		n.kept.Insert(uid)
	}
}

// meetID notes what is replaced as a whole, whatever it consists of.
func (n *names) meetID(text string) {
	if len(text) > 1 && n.ids[text] == "" {
		n.ids[text] = fmt.Sprintf("id-%d", len(n.ids)+1)
	}
}

// withoutIDs replaces what identifies something, where it is between blanks, quotes or brackets.
func (n *names) withoutIDs(text string) string {
	if len(n.ids) == 0 {
		return text
	}
	bounds := func(r rune) bool { return strings.ContainsRune(" \t\n\"'`,;()[]{}=<>", r) }
	for _, part := range strings.FieldsFunc(text, bounds) {
		if by := n.ids[strings.TrimRight(part, ".:")]; by != "" {
			text = strings.ReplaceAll(text, strings.TrimRight(part, ".:"), by)
		}
	}
	return text
}

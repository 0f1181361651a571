package snapshot

import (
	"fmt"
	"slices"
	"strings"

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

package naming

import (
	"slices"
	"strings"
)

// ShareOf are the words by which a setting says which share of the objects a program acts on, if it does: shard id of
// --shard-id, operator id of OPERATOR_ID, tenant of TENANT_NAME. Objects say theirs in a label or an annotation whose
// name ends so.
func ShareOf(name string) (words string, is bool) {
	all := settingWords(name)
	switch n := len(all); {
	case n == 0 || n > 3 || unlike(all):
		return "", false
	case all[n-1] == "shard":
		return "shard", true
	case n > 1 && all[n-2] == "shard" && slices.Contains([]string{"id", "name", "key"}, all[n-1]),
		n > 1 && all[n-1] == "id" && slices.Contains([]string{"operator", "instance", "controller", "manager"}, all[n-2]):
		return all[n-2] + " " + all[n-1], true
	case n < 3 && OwnersShare(all[0]) && (n == 1 || slices.Contains(nameWords(), all[1])):
		return all[0], true // whatever is before it says whose tenant that is: AZURE_TENANT_ID
	}
	return "", false
}

// SaysShare reports whether the key of a label or an annotation says to which share an object belongs:
// acme.io/scheduled-shard-id, for the words shard id.
func SaysShare(key, words string) bool {
	all := settingWords(key[strings.LastIndex(key, "/")+1:])
	if n := len(all); OwnersShare(words) && n > 1 && slices.Contains(nameWords(), all[n-1]) {
		all = all[:n-1]
	}
	last := strings.Join(all, " ")
	return last == words || strings.HasSuffix(last, " "+words)
}

// NamesShare reports whether the key of a label or an annotation says to which share an object belongs, whatever its
// words.
func NamesShare(key string) bool {
	if _, is := ShareOf(key[strings.LastIndex(key, "/")+1:]); is {
		return true
	}
	return SaysShare(key, "tenant") || SaysShare(key, "customer")
}

// OwnersShare reports whether the words of a share say whose the objects are, which their namespace may say, too.
func OwnersShare(words string) bool { return words == "tenant" || words == "customer" }

func nameWords() []string { return []string{"id", "name", "key"} }

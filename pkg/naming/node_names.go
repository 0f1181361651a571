package naming

import (
	"slices"
	"strings"
)

// NamesNode reports whether a field's name says that its value is the name of one Node: nodeName, ownerNodeID, node. Of
// nodeSelector, nodePort and nodes it doesn't.
func NamesNode(field string) bool {
	words := Words(field)
	at := slices.Index(words, "node")
	if at < 0 {
		return false
	}
	rest := words[at+1:]
	return len(rest) == 0 || len(rest) == 1 && slices.Contains([]string{"name", "id"}, rest[0])
}

// NamesHost reports whether a field's name says that its value is the name of one machine, of the cluster or not: host,
// hostName, onHost, assignedMachine. What has a domain in it is mostly a server's address.
func NamesHost(field string) bool {
	words := Words(field)
	if last := len(words) - 1; last > 0 && words[last] == "name" {
		words = words[:last]
	}
	return len(words) > 0 && slices.Contains([]string{"host", "hostname", "machine"}, words[len(words)-1])
}

// NamesNodeInKey reports whether the key of a label says so: acme.io/node, acme.io/node-name.
func NamesNodeInKey(key string) bool {
	words := settingWords(key[strings.LastIndex(key, "/")+1:])
	return slices.Equal(words, []string{"node"}) ||
		len(words) == 2 && words[0] == "node" && slices.Contains([]string{"name", "id"}, words[1])
}

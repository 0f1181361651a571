package session

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"

// NamesOf returns the names of kinds.
func NamesOf(unread []cluster.Unlisted) []string {
	names := make([]string, len(unread))
	for i, resource := range unread {
		names[i] = resource.QualifiedName()
	}
	return names
}

// FalseFirst compares for an order in which what is false comes first.
func FalseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

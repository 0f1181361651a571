package session

import (
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Some returns the first few of several names, and how many more there are.
func Some(names []string, few int) string {
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// NamesOf returns the names of kinds.
func NamesOf(unread []cluster.Unlisted) []string {
	names := make([]string, len(unread))
	for i, resource := range unread {
		names[i] = resource.QualifiedName()
	}
	return names
}

// BoolToInt lets what is false come first in an order.
func BoolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

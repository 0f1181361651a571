package result

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"

// Nothing answers that nothing was found, where not everything could be looked at.
type Nothing struct {
	Says       string
	Unreadable []finding.Unreadable
}

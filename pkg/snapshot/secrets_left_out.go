package snapshot

import "github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"

// neverWhole reports whether no more than metadata is held of objects of a kind: their content may be secret.
func neverWhole(name string) bool { return name == "secrets" || name == "configmaps" }

// secretName reports whether a field's name says that its value is secret.
func secretName(field string) bool { return credential.Names(field) }

// withoutCredentials takes out of a text what has the form of a credential.
func (c *cleaner) withoutCredentials(text string) string {
	return c.cleaned.get(text, func() string { return credential.Clean(text) })
}

package snapshot

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

// met is how many names and questions were met: with others, other parts of an object may be kept.
func (c *cleaner) met() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.drivers) + c.questions.count()
}

// meet remembers the name of a driver, a group or a finalizer, for texts that mention it.
func (c *cleaner) meet(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name != "" && len(c.drivers) < mostDrivers && !slices.Contains(c.drivers, name) {
		c.drivers = append(c.drivers, name)
	}
}

const mostDrivers = 1000 // more than any cluster has

// meetKinds remembers the words for all kinds, and the groups of custom ones: what mentions one may be its controller
// (attribution/project_names.go).
func (c *cleaner) meetKinds(servedKinds *cluster.ServedKinds) {
	kinds := map[string]bool{}
	for kind := range servedKinds.Kinds {
		kinds[strings.ToLower(kind.Kind)] = true
	}
	for _, resource := range servedKinds.Resources {
		for _, word := range []string{resource.Kind, resource.Resource, resource.Singular} {
			kinds[strings.ToLower(word)] = true
		}
	}
	delete(kinds, "")
	c.mu.Lock()
	c.kinds = kinds
	c.mu.Unlock()
	for _, resource := range servedKinds.Resources {
		if custom(resource) {
			c.meet(resource.Group)
		}
	}
}

// meetFinalizer remembers a finalizer and its domain: a program whose arguments name one may be its controller.
func (c *cleaner) meetFinalizer(name string) {
	domain, _, _ := strings.Cut(name, "/")
	if strings.Contains(domain, ".") { // a mere word says nothing, and may be a secret
		c.meet(name)
		c.meet(domain)
	}
}

// named returns the names of drivers, groups and finalizers that are in a text, and whether each is a host there: a
// program that calls a host is its client (session/template_mentions.go). Nothing else of the text is returned.
func (c *cleaner) named(text string) string {
	if flag, value, _ := strings.Cut(text, "="); strings.HasPrefix(flag, "-") &&
		keepsSetting(flag, value) {
		return text
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	kept := Removed
	for word := range strings.FieldsSeq(text) {
		if naming.ElectionOff(word) || naming.ElectionOn(word) { // a switch, which has no more in it
			kept += " " + word
		}
	}
	if naming.NamesKubeconfig(text) { // that there is one, and not where or what
		kept += " " + naming.Kubeconfig
	}
	for _, word := range []string{naming.FinalizersField, naming.Sleep} { // what a pod's hook may do
		if naming.HasName(text, word) {
			kept += " " + word
		}
	}
	for _, name := range c.drivers {
		asHost, asSuch := mentions(text, name)
		if asSuch {
			kept += " " + name
		} else if asHost {
			kept += " //" + name
		}
	}
	return kept
}

// mentions reports whether a name is in a text, and not as part of a longer one: as such, or as a host.
func mentions(text, name string) (asHost, asSuch bool) {
	for at := 0; ; {
		found := strings.Index(text[at:], name)
		if found < 0 {
			return asHost, false
		}
		from, to := at+found, at+found+len(name)
		if (from == 0 || !inName(text[from-1])) && (to == len(text) || !inName(text[to])) {
			before, after := text[:from], text[to:]
			port := len(after) > 1 && after[0] == ':' && after[1] >= '0' && after[1] <= '9'
			if !port && !strings.HasSuffix(before, "//") && !strings.HasSuffix(before, "@") {
				return asHost, true
			}
			asHost = true
		}
		at = from + 1
	}
}

// inName reports whether a byte can be part of a name.
func inName(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '.' || b == '-'
}

// text returns what a recording holds of a text.
func (c *cleaner) text(keep keeping, text string) string {
	switch keep {
	case keepMark:
		return Removed
	case keepMentions:
		return c.named(text)
	case keepExpression:
		c.questions.expression(text)
		return credential.CleanCode(text)
	case keepFinalizer:
		c.meetFinalizer(text)
		if qualifiedName().MatchString(text) {
			return text // names are never cleaned, whatever they look like
		}
	case keepDriver:
		c.meet(text)
	}
	return c.withoutCredentials(text)
}

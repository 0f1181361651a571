package snapshot

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// withoutCredentials takes out of a text what has the form of a token, a private key or a password.
func withoutCredentials(text string) string {
	if len(text) < 8 {
		return text
	}
	for _, form := range credentialForms() {
		if strings.Contains(text, form.hint) {
			text = form.expression.ReplaceAllString(text, form.with)
		}
	}
	return text
}

type credentialForm struct {
	hint       string // no text without it is looked at
	expression *regexp.Regexp
	with       string
}

// credentialForms is a function because the expressions are compiled once, and only when they are needed.
var credentialForms = sync.OnceValue(func() []credentialForm {
	assigned := `(?i)((?:password|passwd|passphrase|token|secret|api[-_]?key|access[-_]?key|private[-_]?key|credentials?)` +
		`["']?\s*[=]\s*)[^\s&,;]+`
	return []credentialForm{
		{"eyJ", regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]+)*`), Removed},
		{"-----BEGIN", regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*-----.*?(-----END [A-Z ]*-----|$)`), Removed},
		{"://", regexp.MustCompile(`://[^/\s@:"]*:[^/\s@"]*@`), "://" + Removed + "@"},
		{"earer ", regexp.MustCompile(`([Bb]earer )\S+`), "${1}" + Removed},
		{"AKIA", regexp.MustCompile(`AKIA[A-Z0-9]{12,}`), Removed},
		{"=", regexp.MustCompile(assigned), "${1}" + Removed},
	}
})

// random tells whether a text is one long word of small and large letters and digits, as keys are.
func random(text string) bool {
	var small, large, digit bool
	for _, letter := range strings.TrimRight(text, "=") {
		switch {
		case letter >= 'a' && letter <= 'z':
			small = true
		case letter >= 'A' && letter <= 'Z':
			large = true
		case letter >= '0' && letter <= '9':
			digit = true
		case letter != '+' && letter != '/' && letter != '_':
			return false
		}
	}
	return len(text) >= 20 && small && large && digit
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

// meetGroups remembers the groups of custom kinds: what mentions one may be its controller (attribution/names.go).
func (c *cleaner) meetGroups(catalog *cluster.Catalog) {
	for _, resource := range catalog.Resources {
		if custom(resource) {
			c.meet(resource.Group)
		}
	}
}

// meetFinalizer remembers a finalizer and its domain: who is told of one may be its controller.
func (c *cleaner) meetFinalizer(name string) {
	domain, _, _ := strings.Cut(name, "/")
	if strings.Contains(domain, ".") { // a mere word says nothing, and may be a secret
		c.meet(name)
		c.meet(domain)
	}
}

// named returns the names of drivers, groups and finalizers that stand in a text, and nothing else of it but whether
// they stand there for a host: whoever calls that is its client (session/mention.go).
func (c *cleaner) named(text string) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	kept := Removed
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

// mentions tells whether a name stands in a text, and not as part of a longer one: as such, or as a host.
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

// inName tells whether a byte can be part of a name.
func inName(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '.' || b == '-'
}

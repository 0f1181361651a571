package snapshot

import (
	"regexp"
	"strings"
	"sync"
)

// withoutCredentials takes out of a text what by its form is a credential: JSON web tokens, private keys,
// passwords in addresses and in assignments.
func withoutCredentials(text string) string {
	if len(text) < 8 {
		return text
	}
	for _, form := range credentialForms() {
		if strings.Contains(text, form.hint) || form.hint == "" {
			text = form.expression().ReplaceAllString(text, form.with)
		}
	}
	return text
}

type credentialForm struct {
	hint       string // no text without it is looked at
	expression func() *regexp.Regexp
	with       string
}

// credentialForms is a function of expressions that are compiled once, and only when they are needed.
var credentialForms = sync.OnceValue(func() []credentialForm {
	lazily := func(expression string) func() *regexp.Regexp {
		return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
	}
	assigned := lazily(`(?i)((?:password|passwd|passphrase|token|secret|api[-_]?key|access[-_]?key|private[-_]?key|credentials?)["']?\s*[=]\s*)[^\s&,;]+`)
	return []credentialForm{
		{"eyJ", lazily(`eyJ[A-Za-z0-9_-]{8,}(\.[A-Za-z0-9_-]+)*`), Removed},
		{"-----BEGIN", lazily(`(?s)-----BEGIN [A-Z ]*-----.*?(-----END [A-Z ]*-----|$)`), Removed},
		{"://", lazily(`://[^/\s@:"]*:[^/\s@"]*@`), "://" + Removed + "@"},
		{"earer ", lazily(`([Bb]earer )\S+`), "${1}" + Removed},
		{"AKIA", lazily(`AKIA[A-Z0-9]{12,}`), Removed},
		{"=", assigned, "${1}" + Removed},
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

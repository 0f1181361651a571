package snapshot

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

func (c *cleaner) text(key, value string) string {
	switch key {
	case "command", "args":
		return c.named(value)
	case "finalizers":
		c.meetFinalizer(value)
		return value
	case "expression", "messageExpression":
		return value // a program that compares tokens isn't one
	}
	if c.secretKey(key) {
		return Removed
	}
	return withoutTokens(value)
}

func (c *cleaner) secretKey(key string) bool {
	if known, ok := c.secret.Load(key); ok {
		return known.(bool)
	}
	is := secretKey(key)
	c.secret.Store(key, is)
	return is
}

// secretKey tells whether a field's name says that its value is secret.
func secretKey(key string) bool {
	key = strings.ToLower(strings.Map(func(letter rune) rune {
		if strings.ContainsRune("-_.", letter) {
			return -1
		}
		return letter
	}, key))
	for _, word := range []string{
		"password", "passwd", "passphrase", "passcode", "token", "secret", "apikey", "privatekey", "accesskey", "secretkey", "clientkey", "encryptionkey",
		"signingkey", "keydata", "credential", "credentials", "connectionstring", "dsn", "userdata", "cloudinit", "kubeconfig", "authorization",
	} {
		if strings.HasSuffix(key, word) {
			return true
		}
	}
	return strings.Contains(key, "tokensecret")
}

// withoutTokens takes out of a text what by its form is a credential: JSON web tokens, private keys,
// passwords in addresses and in assignments.
func withoutTokens(text string) string {
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

// clean takes credentials out of what a server said.
func (e *Error) clean() *Error {
	if e == nil {
		return nil
	}
	e.Message = withoutTokens(e.Message)
	if e.Status != nil {
		e.Status.Message = withoutTokens(e.Status.Message)
		if e.Status.Details != nil {
			details := *e.Status.Details
			details.Causes = slices.Clone(details.Causes)
			for i := range details.Causes {
				details.Causes[i].Message = withoutTokens(details.Causes[i].Message)
			}
			e.Status.Details = &details
		}
	}
	return e
}

package credential

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// Names reports whether the name of a field, a variable, a flag or a label says that its value is secret.
func Names(name string) bool {
	name = strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "", " ", "").Replace(name))
	name = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "base64"), "b64"), "value")
	for _, word := range strings.Fields(secretWords) {
		if strings.HasSuffix(name, word) {
			return true
		}
	}
	within := func(word string) bool { return strings.Contains(name, word) }
	return within("tokensecret") || within("password") || within("passphrase")
}

const secretWords = `
password passwd passphrase passcode pwd token tokens secret apikey privatekey accesskey accesskeyid secretkey
clientkey encryptionkey signingkey sharedkey accountkey masterkey licensekey keydata credential credentials clientsecret
connectionstring dsn userdata cloudinit kubeconfig authorization htpasswd cookie sessionid sharedaccesssignature
sastoken signature webhookurl dockerconfigjson dockercfg`

// assigned finds the names that say so in a text, each with what binds a value to it.
var assigned = sync.OnceValue(func() *regexp.Regexp {
	const (
		word = `[A-Za-z0-9_.-]*(?i:passw(?:or)?d|passphrase|passcode|pwd|token|secret|credential|authorization|` +
			`(?:api|access|private|client|encryption|signing|shared|account|master|license)[-_]?key|htpasswd|cookie|` +
			`connection[-_]?string|sharedaccesssignature|signature|webhook[-_]?url|dockerconfigjson|kubeconfig)` +
			`[A-Za-z0-9_.-]*`
		quotes = `[\\"'` + "`" + `]*\]?`
		binds  = `\s*(?:=>|:=|==|=|:)\s*`
		// of a list of names and values: {"name": "DB_PASSWORD", "value": "…"}, and as Go prints one
		paired = quotes + `\s*[,;]?\s*` + quotes + `(?i:value)` + quotes + binds
	)
	return regexp.MustCompile(`(?:` + word + `(?:` + paired + `|` + quotes + binds + `)` +
		`|\B--?` + word + `[ \t]+` + `|\{[A-Z0-9_]*` + word + `[ \t]` +
		`|\b(?i:pass|sig|sas|se?cret|x-amz-[a-z-]+|upn|otp)=` + `)`)
})

// aboutFiles begins what programs say of a file that they can't use. Behind its name and a colon, that is no value:
// files are called token and passwd. The words are whole, so that no value passes for them.
var aboutFiles = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:couldn't get version/kind; |error converting YAML to JSON: |yaml: line [0-9]+: ` +
		`|json: cannot unmarshal |illegal base64 data at input byte [0-9]` +
		`|(?:no such file or directory|permission denied|is a directory|not a directory)(?:$|[\s.,;:)"'\\]))`)
})

// reversed are values before the name that says what they are.
var reversed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`((?i:value)[\\"']*\s*[:=]\s*[\\"']*)([^\s,;"'\\]+)` +
		`([\\"']*\s*[,;]?\s*[\\"']*(?i:name)[\\"']*\s*[:=]\s*[\\"']*[A-Za-z0-9_.-]*` +
		`(?i:passw|pwd|token|secret|api[-_]?key|access[-_]?key|credential))`)
})

// withoutAssigned takes out of a text what is assigned to a name that says that it is secret: NAME=VALUE, NAME: VALUE,
// in JSON and in JSON within JSON, as a flag, in a list of names and values, or among options.
func withoutAssigned(text string) string {
	if strings.ContainsAny(text, "=:") || strings.Contains(text, "-") || strings.Contains(text, "{") {
		if strings.Contains(text, "alue") || strings.Contains(text, "ALUE") {
			text = reversed().ReplaceAllString(text, "${1}"+Removed+"${3}")
		}
	} else {
		return text
	}
	var out strings.Builder
	rest := text
	for {
		at := assigned().FindStringIndex(rest)
		if at == nil {
			break
		}
		binding, behind := rest[at[0]:at[1]], rest[at[1]:]
		length := valueIn(behind, strings.ContainsAny(binding, "="))
		if strings.HasSuffix(binding, ": ") && aboutFiles().MatchString(behind) {
			length = 0
		}
		out.WriteString(rest[:at[1]])
		if value := behind[:length]; value != "" {
			out.WriteString(left(binding, value))
		}
		rest = behind[length:]
	}
	out.WriteString(rest)
	return out.String()
}

// left is what is left of a value, with its quotes. A plain word of prose stays behind the word secret and a colon:
// that is an error about a Secret.
func left(binding, value string) string {
	open := opening(value)
	inner := strings.TrimPrefix(value, open)
	inner = strings.TrimSuffix(inner, open)
	colon := strings.HasSuffix(strings.TrimRight(binding, " \t"), ":")
	switch {
	case inner == "" || strings.HasPrefix(inner, Removed):
		return value
	case colon && open == "" && weak(binding) && prose(inner):
		return value
	}
	if len(value) >= 2*len(open) && strings.HasSuffix(value, open) {
		return open + Removed + open
	}
	return open + Removed
}

// weak reports whether a name is that of a kind of object as well.
func weak(binding string) bool {
	name := strings.ToLower(strings.TrimRight(binding, " \t:\"'\\`]"))
	for _, word := range []string{"secret", "secrets", "credentials", "kubeconfig", "signature"} {
		if strings.HasSuffix(name, word) {
			return true
		}
	}
	return false
}

func prose(word string) bool {
	word = strings.TrimRight(word, ".:!?")
	for _, letter := range word {
		if !unicode.IsLower(letter) {
			return false
		}
	}
	return len(word) < 15
}

// opening returns the quote that a value begins with, as often escaped as it is: \".
func opening(value string) string {
	at := 0
	for at < len(value) && value[at] == '\\' {
		at++
	}
	if at < len(value) && strings.IndexByte("\"'`", value[at]) >= 0 {
		return value[:at+1]
	}
	return ""
}

// valueIn returns how long the value is that a text begins with: up to the quote that ends it, the bracket that closes
// it, or else what separates values.
func valueIn(text string, option bool) int {
	if open := opening(text); open != "" {
		return quoted(text, open)
	}
	if text != "" && (text[0] == '{' || text[0] == '[') {
		return bracketed(text)
	}
	if strings.HasPrefix(text, Removed) {
		return len(Removed)
	}
	stops := " \t\r\n,;\"'`\\<>"
	if option {
		stops += "&"
	}
	end := strings.IndexAny(text, stops)
	if end < 0 {
		end = len(text)
	}
	for end > 0 && strings.IndexByte(")}]", text[end-1]) >= 0 {
		end--
	}
	scheme := text[:end] // of an Authorization
	if strings.EqualFold(scheme, "basic") || strings.EqualFold(scheme, "bearer") {
		if inner := strings.TrimLeft(text[end:], " \t"); inner != "" && inner != text[end:] {
			return len(text) - len(inner) + valueIn(inner, option)
		}
	}
	return end
}

// quoted finds the end of a text in quotes. If its quotes are escaped, quotes within it are escaped once more.
func quoted(text, open string) int {
	for at := len(open); at < len(text); {
		found := strings.Index(text[at:], open)
		if found < 0 {
			return len(text)
		}
		end := at + found
		if text[end-1] != '\\' || end == len(open) {
			return end + len(open)
		}
		at = end + len(open)
	}
	return len(text)
}

// bracketed finds the bracket that closes the first one; the end of a text that was cut off.
func bracketed(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

package credential

import (
	"regexp"
	"strings"
	"sync"
)

// assignment is a place in a text where a value is bound to a name: NAME=VALUE, NAME: VALUE, --NAME VALUE.
type assignment struct {
	name  string
	start int  // of the name
	value int  // where the value begins, behind the blanks
	with  byte // ':', '=' or, of a flag, ' '
	tight bool // no blank is before the value
}

// withoutAssigned takes out of a text what is assigned to a name that says that it is secret: also in JSON and in JSON
// within JSON, as a flag, in a list of names and values, or among options.
func withoutAssigned(text string) string {
	if strings.Contains(text, "alue") || strings.Contains(text, "ALUE") {
		text = reversed().ReplaceAllString(text, "${1}"+Removed+"${3}")
	}
	var out strings.Builder
	done, named := 0, -mostBetween
	for at := 0; at < len(text); at++ {
		one, is := assignmentAt(text, at)
		if !is || one.value < done {
			continue
		}
		at = max(at, one.value-1)
		secret := assigns(one.name)
		switch plainName(one.name) {
		case "name", "key", "path", "field": // of a list of names and values
			named = -mostBetween
			if word := unquoted(text[one.value:]); assigns(word) {
				named = one.value
			}
		case "", "s": // value, values
			secret = secret || one.value-named < mostBetween && strings.Contains(strings.ToLower(one.name), "value")
		}
		if !secret {
			continue
		}
		end := one.end(text)
		if value := text[one.value:end]; one.hides(text, value) {
			out.WriteString(text[done:one.value])
			out.WriteString(left(value))
			done = end
			at = max(at, end-1)
		}
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// unquoted returns the word that a text begins with, without its quotes.
func unquoted(text string) string {
	text = text[len(opening(text)):]
	return text[:wordOf(text)]
}

// mostBetween is how far a value is from its name in a list of names and values.
const mostBetween = 96

// longestName is how much is read of a name.
const longestName = 80

// assignmentAt returns what is bound by what is at a place of a text.
func assignmentAt(text string, at int) (one assignment, is bool) {
	behind := at + 1
	switch text[at] {
	case ':', '=':
		one.with = text[at]
		for behind < len(text) && strings.IndexByte("=>", text[behind]) >= 0 { // :=, ==, =>
			one.with = '='
			behind++
		}
	case '%':
		switch code := text[at:min(at+3, len(text))]; {
		case strings.EqualFold(code, "%3D"), strings.EqualFold(code, "%3A"):
			one.with, behind = '=', at+3
		default:
			return one, false
		}
	case ' ', '\t', ',': // a comma is between the arguments in a list
		one.with = ' '
	default:
		return one, false
	}
	one.name, one.start = nameBefore(text[:at])
	if one.name == "" || one.with == ' ' && !strings.HasPrefix(one.name, "-") ||
		text[at] == ',' && strings.IndexByte("\"'", text[at-1]) < 0 {
		return one, false
	}
	one.value = behind
	for one.value < len(text) && (text[one.value] == ' ' || text[one.value] == '\t') {
		one.value++
	}
	one.tight = one.value == behind
	if one.with == ' ' && at+1 < len(text) && strings.IndexByte("=:", text[one.value%len(text)]) >= 0 {
		return one, false
	}
	return one, one.value < len(text)
}

// nameBefore returns the name that a text ends with, before quotes and blanks, and where it begins.
func nameBefore(text string) (string, int) {
	end := len(text)
	for _, quote := range []string{"&quot;", `\u0022`} {
		if strings.HasSuffix(text, quote) {
			end -= len(quote)
		}
	}
	for end > 0 && len(text)-end < 12 && strings.IndexByte("\\\"'` ]", text[end-1]) >= 0 {
		end--
	}
	start := end
	for start > 0 && end-start < longestName && ofName(text[start-1]) {
		start--
	}
	return text[start:end], start
}

func ofName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

// hides reports whether a value is to be left out: not where what follows is no value, but a message.
func (a assignment) hides(text, value string) bool {
	inner := strings.Trim(value, `\"'`+"`")
	word, rest := firstWord(text[a.value:])
	name := plainName(a.name)
	numeric := strings.Trim(word, "0123456789") == ""
	header := strings.HasSuffix(name, "authorization") || strings.HasSuffix(name, "cookie")
	switch {
	case inner == "" || strings.HasPrefix(inner, Removed), strings.HasPrefix(value, "<"), strings.HasPrefix(value, "$("):
		return false
	case numeric && (strings.HasSuffix(name, "token") || strings.HasSuffix(name, "tokens") || name == "pass"):
		return false // how many
	case a.with == ':' && a.inARN(text):
		return false
	case (value[0] == '{' || value[0] == '[') && !Names(a.name):
		return false
	case a.with == ' ' && name == "kubeconfig": // a file
		return false
	case value != inner: // quoted
		return !(a.with == ':' && errorCode(a.name))
	case a.with == ' ':
		path := strings.HasSuffix(name, "key") && strings.IndexByte("/.~", value[0]) >= 0
		return value[0] != '-' && !plainWord(value) && !path
	case a.with == ':' && !Names(a.name) && a.goesOn(text):
		return false
	case a.with == ':' && !a.tight && a.ofPath(text) && (rest != "" || value[0] == '-'):
		return false
	case plainWord(word) && (a.with == ':' || word == value && isSwitch(word)):
		return false
	case a.with == ':':
		message := noun(word) && rest != "" && !(header && word == "token") ||
			strings.HasSuffix(word, ":") && likeName(strings.ToLower(word))
		return !message && !errorCode(a.name) && !(weak(a.name) && likeName(inner))
	}
	return true
}

// ofPath reports whether a name is the end of a path, or of an object's: messages follow these.
func (a assignment) ofPath(text string) bool { return a.start > 0 && text[a.start-1] == '/' }

// inARN reports whether a name is a part of an identifier of AWS, as in arn:aws:secretsmanager:…:secret:NAME.
func (a assignment) inARN(text string) bool {
	from := max(0, a.start-mostBetween)
	begin := strings.LastIndexAny(text[from:a.start], " \t\r\n\"'`(<") + 1
	return strings.HasPrefix(text[from+begin:a.start], "arn:")
}

// goesOn reports whether a name is the last word of a sentence, as in "would it pass: yes".
func (a assignment) goesOn(text string) bool {
	before := strings.TrimRight(text[:a.start], " \t") // blanks have no names before them: this is short
	return len(before) < a.start && before != "" && strings.IndexByte("{[(,;:-\n\r", before[len(before)-1]) < 0
}

func isSwitch(word string) bool {
	return strings.Contains(" true false yes no none null nil ", " "+tidy(word)+" ")
}

// likeName reports whether a word may be the name of an object, or a word of prose.
func likeName(word string) bool {
	return strings.Trim(strings.TrimRight(word, ".:,;!?"), "abcdefghijklmnopqrstuvwxyz-./") == ""
}

// reversed are values before the name that says what they are.
var reversed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`((?i:value)[\\"']*\s*[:=]\s*[\\"']*)([^\s,;"'\\]+)` +
		`([\\"']*\s*[,;]?\s*[\\"']*(?i:name)[\\"']*\s*[:=]\s*[\\"']*[A-Za-z0-9_.-]*` +
		`(?i:passw|pwd|token|secret|api[-_]?key|access[-_]?key|credential))`)
})

// left is what is left of a value: its quotes.
func left(value string) string {
	open := opening(value)
	if len(value) >= 2*len(open) && strings.HasSuffix(value, open) {
		return open + Removed + open
	}
	return open + Removed
}

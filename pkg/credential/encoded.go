package credential

import (
	"encoding/base64"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// run is text that may be encoded, or a generated key.
var run = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z0-9+/_%-]{16,}={0,2}`) })

// withoutEncoded takes out of a text what is a credential in base64, and what looks like a generated key.
func withoutEncoded(text string, layers int) string {
	if len(text) < 16 {
		return text
	}
	return run().ReplaceAllStringFunc(text, func(word string) string {
		if Random(word) || layers > 0 && encodes(word, layers) {
			return Removed
		}
		return word
	})
}

// standardAlphabet turns base64 in the alphabet for addresses, or with its percent escapes, into that of others.
var standardAlphabet = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("-", "+", "_", "/", "%3D", "", "%3d", "", "%2B", "+", "%2b", "+", "%2F", "/", "%2f", "/")
})

// encodes reports whether a word is base64 of a credential, in either alphabet.
func encodes(word string, layers int) bool {
	plain := standardAlphabet().Replace(strings.TrimRight(word, "="))
	if len(plain)%4 == 1 || strings.Contains(plain, "%") {
		return false
	}
	data, err := base64.RawStdEncoding.DecodeString(plain)
	if err != nil || !utf8.Valid(data) {
		return false
	}
	text := string(data)
	for _, letter := range text {
		if letter < ' ' && letter != '\n' && letter != '\r' && letter != '\t' {
			return false
		}
	}
	return clean(text, layers-1) != text
}

// Random reports whether a word looks generated: long, of small and large letters and digits, in no order.
func Random(word string) bool {
	word = strings.TrimRight(word, "=")
	const longest, keyLike = 512, 20
	const lower, upper, number = 1, 2, 3
	if len(word) < keyLike {
		return false
	}
	var small, large, digit, changes, before int
	for i := 0; i < min(len(word), longest); i++ {
		class := 0
		switch c := word[i]; {
		case c >= 'a' && c <= 'z':
			class, small = lower, small+1
		case c >= 'A' && c <= 'Z':
			class, large = upper, large+1
		case c >= '0' && c <= '9':
			class, digit = number, digit+1
		case c != '+' && c != '/' && c != '_' && c != '-' && c != '%':
			return false
		}
		if class != before && class > 0 && before > 0 && !(before == upper && class == lower) { // words begin with capitals
			changes++
		}
		before = class
	}
	return small > 0 && large > 0 && digit > 0 && changes*5 >= min(len(word), longest)
}

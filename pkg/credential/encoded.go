package credential

import (
	"encoding/base64"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// withoutEncoded takes out of a text what is a credential in base64, and what looks like a generated key.
func withoutEncoded(text string, layers int) string {
	const shortestKey = 16
	var spans [][2]int
	for from, to := 0, 0; from < len(text); from = max(to, from+1) {
		for to = from; to < len(text) && mayEncode(text[to]); {
			to++
		}
		if to-from < shortestKey {
			continue
		}
		for padding := to + 2; to < min(padding, len(text)) && text[to] == '='; {
			to++
		}
		word := text[from:to]
		fingerprint := strings.HasSuffix(text[:from], "SHA256:") // of a public key
		if !fingerprint && (Random(word) || layers > 0 && encodes(word, layers)) {
			spans = append(spans, [2]int{from, to})
		}
	}
	if spans == nil {
		return text
	}
	return replaced(text, spans)
}

// mayEncode reports whether a character is one of encoded text, or of a generated key.
func mayEncode(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("+/_%-", c) >= 0
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

// withoutBootstrapTokens takes out what kubeadm's tokens look like: six letters and digits, a dot, and sixteen. Parts
// of a domain look so, too, but end at no blank, or have hardly any digits.
func withoutBootstrapTokens(text string) string {
	const before, behind, digits = 6, 16, 2
	var spans [][2]int
	for at := before; at+behind < len(text); at++ {
		if text[at] != '.' || !small(text[at-before:at]) || !small(text[at+1:at+1+behind]) {
			continue
		}
		from, to := at-before, at+1+behind
		open := from == 0 || !ofName(text[from-1]) && text[from-1] != '/'
		closed := to == len(text) || !ofName(text[to]) && text[to] != '/'
		if count := strings.Count; open && closed && count(strings.Map(digit, text[at+1:to]), "0") >= digits {
			spans = append(spans, [2]int{from, to})
		}
	}
	if spans == nil {
		return text
	}
	return replaced(text, spans)
}

// small reports whether a text has small letters and digits alone.
func small(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

func digit(r rune) rune {
	if r >= '0' && r <= '9' {
		return '0'
	}
	return r
}

// Random reports whether a word looks generated: long, of small and large letters and digits, in no order.
func Random(word string) bool {
	if strings.HasPrefix(word, "/") { // a path: one part of it may look so
		return slices.ContainsFunc(strings.Split(word[1:], "/"), Random)
	}
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
	const few = 2 // capitals, which names have, too; and most letters of their words are small
	length := min(len(word), longest)
	return small > 0 && large > few && digit > 0 && small*10 < length*7 && changes*5 >= length
}

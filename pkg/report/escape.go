package report

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Escape makes all text of a result harmless: what doesn't print is shown as its Go escape, \x1b for instance, and
// credentials are left out. Much of the text comes from the cluster, where others may have written it, and goes into
// tickets. References, commands, and the token and the backup of a removal stay as they are, but for escapes. value
// must be a pointer.
func Escape(value any) {
	escaper{cleans: true, cleaned: map[string]string{}}.escape(reflect.ValueOf(value))
}

// EscapeCopy escapes as Escape does, takes nothing out, and leaves everything as it is to which the value refers: it
// refers to copies afterwards.
func EscapeCopy(value any) { escaper{copies: true}.escape(reflect.ValueOf(value)) }

// escaper escapes text. With copies, it changes no element of a list in its place; with cleans, it leaves out
// credentials, of each text once.
type escaper struct {
	copies, cleans bool
	cleaned        map[string]string
}

func (e escaper) escape(value reflect.Value) {
	switch value.Kind() {
	case reflect.Interface:
		if !value.IsNil() && value.CanSet() { // what an interface holds can't be changed in its place
			own := reflect.New(value.Elem().Type()).Elem()
			own.Set(value.Elem())
			e.escape(own)
			value.Set(own)
		}
	case reflect.Pointer:
		if value.IsNil() {
			return
		}
		if value.CanSet() { // others may point there, who need the names as they are
			own := reflect.New(value.Type().Elem())
			own.Elem().Set(value.Elem())
			value.Set(own)
		}
		e.escape(value.Elem())
	case reflect.Struct:
		if value.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range value.NumField() {
			inner := e
			inner.cleans = e.cleans && !ours(value.Type(), i)
			inner.escape(value.Field(i))
		}
	case reflect.Slice:
		e.cleans = e.cleans && value.Type() != reflect.TypeFor[finding.Command]()
		if e.copies && value.CanSet() && !value.IsNil() {
			own := reflect.MakeSlice(value.Type(), value.Len(), value.Len())
			reflect.Copy(own, value)
			value.Set(own)
		}
		for i := range value.Len() {
			e.escape(value.Index(i))
		}
	case reflect.Map:
		e.escapeMap(value)
	case reflect.String:
		if value.CanSet() {
			value.SetString(EscapeText(e.clean(value.String())))
		}
	}
}

func (e escaper) clean(text string) string {
	if !e.cleans {
		return text
	}
	cleaned, known := e.cleaned[text]
	if !known {
		cleaned = credential.Clean(text)
		e.cleaned[text] = cleaned
	}
	return cleaned
}

// ours reports whether a field holds what this program has named or made, which has to be found again by it: what a
// reference names, the token of a removal, the files of a backup.
func ours(of reflect.Type, field int) bool {
	file := of == reflect.TypeFor[Backup]() && of.Field(field).Type.Kind() == reflect.String
	return file || of == reflect.TypeFor[finding.Ref]() || of.Field(field).Name == "Token"
}

// escapeMap puts a map of escaped keys and values in the place of a map, to which others may refer.
func (e escaper) escapeMap(value reflect.Value) {
	if value.IsNil() || !value.CanSet() {
		return
	}
	escaped := reflect.MakeMapWithSize(value.Type(), value.Len())
	for entries := value.MapRange(); entries.Next(); {
		key, element := reflect.New(value.Type().Key()).Elem(), reflect.New(value.Type().Elem()).Elem()
		key.Set(entries.Key())
		element.Set(entries.Value())
		escaper{copies: e.copies}.escape(key) // no place for credentials, and two that were left out would be one
		e.escape(element)
		escaped.SetMapIndex(key, element)
	}
	value.Set(escaped)
}

// CleanText returns text that may quote a server without the credentials in it. It is escaped by EscapeText, line by
// line.
func CleanText(text string) string { return credential.Clean(text) }

// EscapeText returns text with everything that isn't printable, line breaks and broken UTF-8 included, as its Go
// escape.
func EscapeText(text string) string {
	if strings.IndexFunc(text, unprintable) < 0 && utf8.ValidString(text) {
		return text
	}
	var escaped strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1: // a byte for itself, which may begin a command of a terminal, too
			fmt.Fprintf(&escaped, `\x%02x`, text[0])
		case unprintable(r):
			quoted := strconv.QuoteRuneToASCII(r)
			escaped.WriteString(quoted[1 : len(quoted)-1])
		default:
			escaped.WriteRune(r)
		}
		text = text[size:]
	}
	return escaped.String()
}

// unprintable also covers characters that turn the direction of what follows, and invisible ones: they can hide text
// from people that programs read. U+FE0F is in many emoji.
func unprintable(r rune) bool {
	return !unicode.IsPrint(r) || r >= utf8.RuneSelf && r != '\ufe0f' &&
		unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

package report

import (
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Escape makes all text of a result harmless: what doesn't print is shown as its Go escape, \x1b for instance, and
// credentials are left out. Much of the text comes from the cluster, where others may have written it, and goes into
// tickets. References, commands and the token of a removal stay as they are, but for escapes. value must be a pointer.
func Escape(value any) { escaper{cleans: true}.escape(reflect.ValueOf(value)) }

// EscapeCopy escapes as Escape does, takes nothing out, and leaves everything as it is to which the value refers: it
// refers to copies afterwards.
func EscapeCopy(value any) { escaper{copies: true}.escape(reflect.ValueOf(value)) }

// escaper escapes text. With copies, it changes no element of a list in its place; with cleans, it leaves out
// credentials.
type escaper struct{ copies, cleans bool }

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
			inner.cleans = e.cleans && value.Type() != reflect.TypeFor[finding.Ref]() && value.Type().Field(i).Name != "Token"
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
	case reflect.String:
		if value.CanSet() {
			text := value.String()
			if e.cleans {
				text = credential.Clean(text)
			}
			value.SetString(EscapeText(text))
		}
	}
}

// EscapeText returns text with everything that isn't printable, line breaks included, as its Go escape.
func EscapeText(text string) string {
	if strings.IndexFunc(text, unprintable) < 0 {
		return text
	}
	var escaped strings.Builder
	for _, r := range text {
		if !unprintable(r) {
			escaped.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		escaped.WriteString(quoted[1 : len(quoted)-1])
	}
	return escaped.String()
}

// unprintable also covers the characters that turn the direction of what follows.
func unprintable(r rune) bool { return !unicode.IsPrint(r) }

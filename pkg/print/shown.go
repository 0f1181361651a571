package print

import (
	"context"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Shown returns a copy of a result as it is shown. What doesn't print is in it as its Go escape, \x1b for instance, and
// prose is without credentials: much of the text comes from the cluster, where others may have written it, and goes
// into tickets. Names are never cleaned, not even within prose: they have to be found again. The result itself stays as
// it is, for whoever compares and writes by it. If the context ends meanwhile, the copy is not complete, and is of no
// use.
func Shown[T any](ctx context.Context, result T) T {
	value := reflect.ValueOf(&result).Elem()
	names := nameSearch{ctx: ctx, tried: map[string]bool{}}
	names.in(value, false)
	clean := credential.Keeping(names.found)
	return shower{ctx: ctx, clean: clean, cleaned: map[string]string{}}.copyOf(value, false).Interface().(T)
}

// identifyingFields are the fields that hold names and codes. All others hold prose, or may.
const identifyingFields = `
APIVersion Kind Kinds Group Groups Version Resource ResourceVersion Namespace Namespaces Name Names UID
Cluster Clusters About Finalizer Finalizers Also Hold Entry Meant Known Situation Step Reason Code Codes Form
Annotation Domain Manager Managers Controller Webhook Webhooks Driver Container Containers Condition Field Fields Path
SaveTo Empty Paths Verb Verbs Served Stored Preferred Unserved Ordinary Unbound Resources Token Word`

var identifying = sync.OnceValue(func() map[string]bool {
	fields := map[string]bool{}
	for _, name := range strings.Fields(identifyingFields) {
		fields[name] = true
	}
	return fields
})

// identifies reports whether a field of a structure holds names: what a reference or a command names, the files of a
// backup, codes with a type of their own, and the fields above.
func identifies(of reflect.Type, field int) bool {
	switch of {
	case reflect.TypeFor[finding.Ref](), reflect.TypeFor[finding.Hold](), reflect.TypeFor[result.Backup]():
		return true
	}
	at := of.Field(field)
	command := at.Type == reflect.TypeFor[finding.Command]() || at.Type == reflect.TypeFor[[]finding.Command]()
	return command || identifying()[at.Name] ||
		at.Type.Kind() == reflect.String && at.Type != reflect.TypeFor[string]()
}

// nameSearch finds the names in a result that look like credentials.
type nameSearch struct {
	ctx   context.Context
	tried map[string]bool
	found []string
}

func (s *nameSearch) in(value reflect.Value, names bool) {
	switch value.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !value.IsNil() {
			s.in(value.Elem(), names)
		}
	case reflect.Struct:
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() && value.Type() != reflect.TypeFor[time.Time]() {
				s.in(value.Field(i), identifies(value.Type(), i))
			}
		}
	case reflect.Slice:
		for i := 0; i < value.Len() && s.ctx.Err() == nil; i++ {
			s.in(value.Index(i), names)
		}
	case reflect.String:
		if text := value.String(); names && !s.tried[text] && s.ctx.Err() == nil {
			s.tried[text] = true
			if credential.Has(text) {
				s.found = append(s.found, text)
			}
		}
	}
}

// shower copies what is to be shown. Each text is cleaned once.
type shower struct {
	ctx     context.Context
	clean   func(string) string
	cleaned map[string]string
}

func (s shower) copyOf(value reflect.Value, names bool) reflect.Value {
	own := reflect.New(value.Type()).Elem()
	own.Set(value)
	switch value.Kind() {
	case reflect.Interface:
		if !value.IsNil() {
			own.Set(s.copyOf(value.Elem(), names))
		}
	case reflect.Pointer:
		if !value.IsNil() {
			own.Set(reflect.New(value.Type().Elem()))
			own.Elem().Set(s.copyOf(value.Elem(), names))
		}
	case reflect.Struct:
		if value.Type() == reflect.TypeFor[time.Time]() {
			break
		}
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() {
				own.Field(i).Set(s.copyOf(value.Field(i), identifies(value.Type(), i)))
			}
		}
	case reflect.Slice:
		if !value.IsNil() {
			own.Set(reflect.MakeSlice(value.Type(), value.Len(), value.Len()))
		}
		for i := 0; i < value.Len() && s.ctx.Err() == nil; i++ {
			own.Index(i).Set(s.copyOf(value.Index(i), names))
		}
	case reflect.Map:
		if !value.IsNil() {
			own.Set(s.copyOfMap(value))
		}
	case reflect.String:
		own.SetString(s.text(value.String(), names))
	}
	return own
}

// copyOfMap copies a map. Its keys are names: two that were cleaned could become one.
func (s shower) copyOfMap(value reflect.Value) reflect.Value {
	own := reflect.MakeMapWithSize(value.Type(), value.Len())
	for entries := value.MapRange(); entries.Next(); {
		own.SetMapIndex(s.copyOf(entries.Key(), true), s.copyOf(entries.Value(), false))
	}
	return own
}

func (s shower) text(text string, name bool) string {
	if name {
		return escape.Text(text)
	}
	shown, known := s.cleaned[text]
	if !known && s.ctx.Err() == nil {
		shown = escape.Text(s.clean(text))
		s.cleaned[text] = shown
	}
	return shown
}

// Package clusters joins the answers of several clusters to one: every reference says in which cluster the object is,
// and what is the same in several clusters is grouped. It reads nothing.
//
// This package may change at any time.
package clusters

import (
	"reflect"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Mark has each reference in an answer, and all that could not be read, name the cluster that it is from, unless it
// names one already. answer is a pointer; it is changed.
func Mark(answer any, cluster string) { Remark(answer, "", cluster) }

// Remark is Mark for what names another cluster so far.
func Remark(answer any, from, to string) { marker{from, to}.in(reflect.ValueOf(answer)) }

type marker struct{ from, to string }

// in marks what is in a value, which can be set if it isn't a pointer.
func (m marker) in(value reflect.Value) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			m.in(value.Elem())
		}
	case reflect.Interface:
		m.inside(value)
	case reflect.Struct:
		m.fields(value)
	case reflect.Slice:
		for i := range value.Len() {
			m.in(value.Index(i))
		}
	case reflect.Map:
		m.values(value)
	}
}

// inside marks what is in an interface. That can't be changed in its place, but for pointers.
func (m marker) inside(value reflect.Value) {
	switch held := value.Elem(); {
	case !held.IsValid():
	case held.Kind() == reflect.Pointer:
		m.in(held)
	default:
		value.Set(m.copied(held))
	}
}

func (m marker) copied(value reflect.Value) reflect.Value {
	own := reflect.New(value.Type()).Elem()
	own.Set(value)
	m.in(own)
	return own
}

func (m marker) fields(value reflect.Value) {
	switch one := value.Addr().Interface().(type) {
	case *finding.Ref:
		if *one != (finding.Ref{}) && one.Cluster == m.from {
			one.Cluster = m.to
		}
		return
	case *finding.Unreadable:
		if one.Cluster == m.from {
			one.Cluster = m.to
		}
		return
	}
	for i := range value.NumField() {
		if value.Type().Field(i).IsExported() {
			m.in(value.Field(i))
		}
	}
}

// values marks what is in a map, unless it holds plain values, in which there are no references.
func (m marker) values(value reflect.Value) {
	if kind := value.Type().Elem().Kind(); kind == reflect.String || kind == reflect.Bool || kind == reflect.Int {
		return
	}
	for entries := value.MapRange(); entries.Next(); {
		value.SetMapIndex(entries.Key(), m.copied(entries.Value()))
	}
}

package recording

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// models are objects in shared.txt like which others can be described: of each place, by name.
type models map[string]*shelf

// shelf is what there is of one place.
type shelf struct {
	byName map[string]*model
	all    []*model // in the order in which they came
}

type model struct {
	name, text string
	decoded    map[string]any // when it was compared
}

// add takes in an object; of several forms of one, the first.
func (m models) add(key, body string) {
	at, name, is := parts(key)
	if !is {
		return
	}
	if m[at] == nil {
		m[at] = &shelf{byName: map[string]*model{}}
	}
	if m[at].byName[name] == nil {
		one := &model{name: name, text: body}
		m[at].byName[name], m[at].all = one, append(m[at].all, one)
	}
}

// of returns the models of a place.
func (m models) of(at string) shelf {
	if m[at] == nil {
		return shelf{}
	}
	return *m[at]
}

func (m *model) body() map[string]any {
	if m.decoded == nil {
		_ = decode([]byte(m.text), &m.decoded) // it was encoded here
	}
	return m.decoded
}

// parts separates where an object is served, and how much of it was read, from its name.
func parts(key string) (at, name string, is bool) {
	words := strings.SplitN(key, " ", 3)
	if len(words) < 3 || words[0] != wordWhole && words[0] != wordMeta {
		return "", "", false
	}
	return words[0] + " " + words[1], words[2], true
}

// written returns a line, or how it differs from the most similar model: like KEY = NAME {CHANGES}, or without the
// name, if that is the same.
func (m models) written(key, body string) string {
	at, name, is := parts(key)
	var to map[string]any
	if !is || decode([]byte(body), &to) != nil {
		return join(key, body)
	}
	best := join(key, body)
	longest := len(best) * 3 / 4
	for _, one := range m.of(at).all {
		line := wordLike + " " + key + " = " + one.name
		if one.name == name {
			line = wordLike + " " + key
		}
		if len(line) >= longest {
			continue
		}
		change := encode(patch(one.body(), to))
		line = join(line, change)
		if again, err := changed(one.text, change); len(line) < longest && err == nil && again == body {
			best, longest = line, len(line)
		}
	}
	return best
}

// read reads a line that was written: of questions to several places, each answer is one.
func (m models) read(line string) (map[string]string, error) {
	if questions, is := strings.CutPrefix(line, wordReads+" "); is {
		question, places, _ := strings.Cut(questions, "} ")
		found := map[string]string{}
		for at := range strings.FieldsSeq(places) {
			found[wordRead+" "+at+" "+question+"}"] = ""
		}
		return found, nil
	}
	rest, isChange := strings.CutPrefix(line, wordLike+" ")
	key, body := cut(rest)
	if !isChange {
		return map[string]string{key: body}, nil
	}
	key, as, _ := strings.Cut(key, " = ")
	at, name, _ := parts(key)
	if as == "" {
		as = name
	}
	one := m.of(at).byName[as]
	if one == nil {
		return nil, fmt.Errorf("shared.txt has no %s %s", at, as)
	}
	body, err := changed(one.text, body)
	return map[string]string{key: body}, err
}

// changed applies a change to the text of an object.
func changed(before, change string) (string, error) {
	var from, by map[string]any
	if err := errors.Join(decode([]byte(before), &from), decode([]byte(change), &by)); err != nil {
		return "", err
	}
	apply(from, by)
	return encode(from), nil
}

// patch returns what changes one object into another: a JSON merge patch, in which [0] is the first item of a list.
func patch(from, to map[string]any) map[string]any {
	change := map[string]any{}
	for field, value := range to {
		before, has := from[field]
		switch {
		case !has:
			change[field] = value
		case !reflect.DeepEqual(before, value):
			change[field] = patchValue(before, value)
		}
	}
	for field := range from {
		if _, has := to[field]; !has {
			change[field] = nil
		}
	}
	return change
}

func patchValue(before, value any) any {
	if outer, inner := fieldsOf(before), fieldsOf(value); outer != nil && inner != nil &&
		(reflect.TypeOf(before) == reflect.TypeOf(value)) {
		if _, isList := value.([]any); !isList || len(outer) == len(inner) {
			return patch(outer, inner)
		}
	}
	return value
}

// fieldsOf returns the fields of an object, or the items of a list by their number.
func fieldsOf(value any) map[string]any {
	switch value := value.(type) {
	case map[string]any:
		return value
	case []any:
		items := map[string]any{}
		for i, item := range value {
			items[fmt.Sprintf("[%d]", i)] = item
		}
		return items
	}
	return nil
}

func apply(into, change map[string]any) {
	for field, value := range change {
		inner, isMap := value.(map[string]any)
		switch before := into[field].(type) {
		case map[string]any:
			if isMap {
				apply(before, inner)
				continue
			}
		case []any:
			if isMap {
				items := fieldsOf(before)
				apply(items, inner)
				for i := range before {
					before[i] = items[fmt.Sprintf("[%d]", i)]
				}
				continue
			}
		}
		if into[field] = value; value == nil {
			delete(into, field)
		}
	}
}

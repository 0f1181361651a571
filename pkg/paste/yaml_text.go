package paste

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/bounds"
)

var (
	yamlBegins = regexp.MustCompile(`^(?:- )?(?:apiVersion|kind|metadata|items|spec|status):(?: |$)`)
	yamlKey    = regexp.MustCompile(`^[a-z][A-Za-z0-9]*:(?: |$)`)
	// yamlField is a field without the spaces in front of it, also of a label.
	yamlField = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./-]*:(?: |$)`)
	yamlItem  = regexp.MustCompile(`^(?:- |-$)`)
	yamlLine  = regexp.MustCompile(`line (\d+)`)
)

// beginsYAML reports whether a line begins an object in YAML.
func beginsYAML(text string) bool {
	return strings.IndexByte("akmis-", text[0]) >= 0 && yamlBegins.MatchString(text)
}

// yamlText is an object of YAML as it is read: the items of a list are taken in one by one.
type yamlText struct {
	indent, quotes int // of its first line
	begins         int // its number
	item           []string
	itemBegins     int
	itemIndent     int // of the dashes, or -1 outside of a list's items
	head           []string
	unnamed        []Object // items whose kind only the list's shows
}

// yaml reads an object, a list or several objects in YAML, to a line that can't belong to it.
func (r *reader) yaml(first line) error {
	y := &yamlText{
		indent: indentation(first.text), quotes: first.quotes, begins: first.number, itemIndent: -1,
	}
	if strings.HasPrefix(strings.TrimSpace(first.text), "- ") { // items whose list was left out
		y.itemIndent = 0
	}
	for current, length := first, 0; ; {
		if length += len(current.text); length > longestText {
			r.problem(y.begins, "an object is larger than %d MiB", longestText>>20)
			return nil
		}
		if ended, err := y.add(r, current); err != nil {
			return err
		} else if ended {
			length = 0
		}
		next, err := r.lines.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err != nil {
			return y.finish(r, false, current.number)
		}
		if len(y.head) > 0 && isUnindented(current, next) {
			r.lines.back(next)
			return y.readUnindented(r)
		}
		if !y.continues(next) {
			separator := strings.HasPrefix(strings.TrimSpace(next.text), "---")
			r.lines.back(next)
			if separator {
				_, _ = r.lines.next() // it was given back just now
			}
			return y.finish(r, separator, current.number)
		}
		current = next
	}
}

// continues reports whether a line can belong to what was read.
func (y *yamlText) continues(next line) bool {
	text := strings.TrimSpace(next.text)
	switch {
	case text == "":
		return true
	case next.quotes != y.quotes, isFence(text), strings.HasPrefix(next.text, "error: "):
		return false
	}
	at := indentation(next.text)
	if strings.HasPrefix(text, "---") { // further to the right, it is a line of a value: -----BEGIN CERTIFICATE-----
		return at > y.indent
	}
	if isElision(text) {
		return at > y.indent
	}
	return at > y.indent || at == y.indent && (yamlKey.MatchString(text) || yamlItem.MatchString(text) ||
		strings.HasPrefix(text, "#"))
}

// add takes one more line. It reports whether that completed an item of a list.
func (y *yamlText) add(r *reader, next line) (ended bool, err error) {
	text := dedent(next.text, y.indent)
	if isElision(strings.TrimSpace(text)) {
		r.elided = true
		return false, nil
	}
	at, isItem := indentation(text), yamlItem.MatchString(strings.TrimLeft(text, " "))
	switch {
	case y.itemIndent >= 0 && isItem && at == y.itemIndent, y.itemIndent == listBegins && isItem:
		y.itemIndent = at
		ended, err = len(y.item) > 0, y.endItem(r, true, next.number)
		y.item, y.itemBegins = []string{dedent(strings.Replace(text, "-", " ", 1), at+2)}, next.number
		return ended, err
	case y.itemIndent >= 0 && (at > y.itemIndent || strings.TrimSpace(text) == ""):
		y.item = append(y.item, dedent(text, y.itemIndent+2))
		return false, nil
	case y.itemIndent >= 0: // a key of the list itself
		ended, err = true, y.endItem(r, true, next.number)
		y.item, y.itemIndent = nil, -1
	}
	if at == 0 && strings.TrimRight(text, " ") == "items:" {
		y.itemIndent = listBegins
	}
	y.head = append(y.head, text)
	return ended, err
}

// listBegins stands for the indentation of a list's items before the first of them.
const listBegins = 1 << 20

// endItem takes in an item of a list.
func (y *yamlText) endItem(r *reader, complete bool, ends int) error {
	if len(y.item) == 0 {
		return nil
	}
	fields, cut, err := r.decodeYAML(y.item, y.itemBegins)
	switch {
	case err != nil || fields == nil:
		return nil // it was told
	case fields["kind"] == nil && len(y.unnamed) < mostUnnamed:
		y.unnamed = append(y.unnamed, Object{Fields: fields, Line: y.itemBegins})
		return nil
	case cut:
		return r.takeCut(fields, "", y.itemBegins, ends)
	}
	return r.take(fields, y.itemBegins, complete)
}

// mostUnnamed is how many items are kept until the kind of their list is known.
const mostUnnamed = 20_000

// finish takes in what was read. Where the text ends without a separator, what is last may have been cut off.
func (y *yamlText) finish(r *reader, separated bool, ends int) error {
	inItems := y.itemIndent >= 0 && y.itemIndent != listBegins
	if err := y.endItem(r, separated, ends); err != nil {
		return err
	}
	head, cut, err := r.decodeYAML(y.head, y.begins)
	if err != nil {
		head = nil // it was told
	}
	_, isList := head["items"]
	if isList = isList || inItems; !isList {
		switch {
		case head == nil:
			return nil
		case cut:
			return r.takeCut(head, "", y.begins, ends)
		}
		return r.take(head, y.begins, separated)
	}
	if kind, _ := head["kind"].(string); inItems && kind == "" && len(y.head) > 0 {
		r.problem(ends, "the list that begins in line %d is cut off; the objects before that are used", y.begins)
	}
	for _, item := range y.unnamed {
		if err := r.takeItem(head, item.Fields, item.Line, !inItems); err != nil {
			return err
		}
	}
	if !inItems {
		r.listed(head)
	}
	return nil
}

// decodeYAML decodes a document as far as it is YAML: what follows the first line that isn't is cut off.
func (r *reader) decodeYAML(text []string, begins int) (fields map[string]any, cut bool, err error) {
	fields, err = parseYAML(text)
	for tries := 0; err != nil && tries < mostTries && len(text) > 1; tries++ {
		wrong := len(text)
		if match := yamlLine.FindStringSubmatch(err.Error()); match != nil {
			wrong, _ = strconv.Atoi(match[1])
		}
		if !cut {
			r.problem(begins+min(wrong, len(text))-1, "it is not valid YAML; what is before that is used")
		}
		cut, text = true, text[:max(0, min(wrong, len(text))-1)]
		fields, err = parseYAML(text)
	}
	if err != nil && !cut {
		r.problem(begins, "it can't be read as YAML: %s", err)
	}
	return fields, cut, err
}

// mostTries is how often a document that isn't YAML is tried again with fewer lines.
const mostTries = 8

func parseYAML(text []string) (map[string]any, error) {
	data, err := bounds.ToJSON([]byte(strings.Join(text, "\n")))
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var fields map[string]any
	err = decoder.Decode(&fields)
	return fields, err
}

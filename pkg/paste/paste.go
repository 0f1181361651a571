// Package paste finds Kubernetes objects in the texts that people paste: YAML and JSON that is quoted, indented,
// fenced, cut off or surrounded by prose; tables of kubectl get, texts of kubectl describe, and the errors of kubectl
// between them. It reports what it found, with its line, and what it could not use, and why. It judges nothing.
//
// This package may change at any time.
package paste

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Object is something that a text says of one object of the cluster.
type Object struct {
	Fields map[string]any // with apiVersion, kind and a name; that of a Namespace may be empty, if nothing shows it
	Line   int            // where it begins
	// Partial says that the text has not all of its fields, and which ones it has: what is not there is unknown.
	Partial Partial
	// Resource is its type as a command has it, where only that shows the kind.
	Resource string
	// Guessed says that the text does not name the kind, and that it was found by the object's fields.
	Guessed bool
	// DeletedAgo is how long before the text was made the object was deleted, where that is all that is known. Deleted
	// says that it was deleted, at a time that the text doesn't tell.
	DeletedAgo time.Duration
	Deleted    bool
	// Silent says that the text does not show whether it is being deleted.
	Silent bool
	// Answers says that it was printed by the command that ends an answer, which shows how each question has ended.
	Answers bool
}

// Partial is how much of an object a text has.
type Partial int

// What a text has of an object.
const (
	// Whole is all of it.
	Whole Partial = iota
	// MetadataOnly is its metadata: what follows was cut off.
	MetadataOnly
	// Columns are some fields, which a table or a description shows. Its finalizers are unknown, if it has any.
	Columns
)

// Mention is an object that a text names without saying enough of it. Resource is as the text has it: a plural or a
// kind, perhaps with its group.
type Mention struct {
	Resource, Namespace, Name string
	Line                      int
}

// Problem is what of a text could not be used.
type Problem struct {
	Line    int
	Reason  string
	Advises bool // the reason says what to give instead
}

// Error implements error.
func (p Problem) Error() string { return fmt.Sprintf("line %d: %s", p.Line, p.Reason) }

// Sink takes what is found. An error of it ends reading. Each method is called in the order of the text.
type Sink interface {
	Object(found Object) error
	Mention(mentioned Mention)
	// Events is called with events about an object.
	Events(events Events)
	// Listed says that the text has all that a command asked for.
	Listed(question Question)
	// Failed is called with what the API server or kubectl answered in place of objects.
	Failed(failure Failure)
	// Dated is called with what the command date has printed.
	Dated(at time.Time)
	// Served is called with a line of kubectl api-resources.
	Served(resource Served)
	Problem(problem Problem)
}

// Read finds what is in a text. It returns the errors of the sink, of the reader, and of the context.
func Read(ctx context.Context, in io.Reader, lines int, sink Sink) error {
	r := &reader{ctx: ctx, lines: newLines(in, lines)}
	r.sink = told{sink, r}
	for {
		line, err := r.lines.next()
		switch {
		case errors.Is(err, io.EOF):
			r.tellNamed()
			return ctx.Err()
		case err != nil:
			return err
		}
		if err := r.block(line); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// reader is one pass over a text.
type reader struct {
	ctx   context.Context
	lines *lines
	sink  Sink
	asked Question // the command whose output follows, if the text quotes it
	taken int      // how many objects it has printed so far
	// unsure is a command that has printed a list, and that may have failed all the same.
	unsure *Question
	elided bool           // lines of the block that is read were left out
	pieces map[string]any // what the last command has printed of one object
	// quoted are the conditions of a Namespace that the text quotes, by their types, and quotedOf is its name; spoken is
	// the last namespace that a sentence has named.
	quoted           map[string]any
	quotedOf, spoken string
	// bareRows are how rows without a heading look, once one may have been met.
	bareRows []bareRow
	// answers says that what is read was printed by the command that ends an answer; named is what the last command names.
	answers bool
	named   []Mention
}

// shape is a form in which texts show objects: how it begins, and what reads it from there.
type shape struct {
	begins func(text string) bool
	read   func(r *reader, first line) error
}

// shapes are tried in this order. What begins none of them is prose.
func shapes() []shape {
	return []shape{
		{isCommand, (*reader).command},
		{isExitCode, (*reader).exit},
		{isDate, (*reader).date},
		{isNamespaceWords, namespaceWords},
		{isFailure, (*reader).failure},
		{isControllerLog, controllerLog},
		{beginsJSON, (*reader).json},
		{beginsYAML, (*reader).yaml},
		{isHeading, (*reader).table},
		{beginsDescription, (*reader).description},
		{mayBeBare, (*reader).bare},
	}
}

// block reads what a line begins.
func (r *reader) block(first line) error {
	text := strings.TrimSpace(first.text)
	if text == "" || isFence(text) {
		return nil
	}
	r.ended(text)
	if !isExitCode(text) {
		r.tellNamed()
	}
	r.elided = false
	noteProse(r, text)
	if r.asked.isCustomHeading(text) {
		return customTable(r, first)
	}
	for _, shape := range shapes() {
		if shape.begins(text) {
			return shape.read(r, first)
		}
	}
	noteCommand(r, text, first.number)
	noteStuck(r, text, first.number)
	return nil
}

func (r *reader) problem(at int, reason string, values ...any) {
	r.sink.Problem(Problem{Line: at, Reason: fmt.Sprintf(reason, values...)})
}

// advise notes what is missing where nothing is wrong with the text, and what to give instead.
func (r *reader) advise(at int, reason string, values ...any) {
	r.sink.Problem(Problem{Line: at, Reason: fmt.Sprintf(reason, values...), Advises: true})
}

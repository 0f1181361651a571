package paste

import (
	"regexp"
	"strings"
)

var (
	// prompt is a line of a terminal at which nothing was typed.
	prompt = regexp.MustCompile(`^(?:[^\s$#%]{1,80}[\s~]?[^\s$#%]{0,80})?[$%❯➜]$`)
	// trouble is how kubectl begins what it says instead of an answer, and what it logs.
	trouble = regexp.MustCompile(`^(?:[Ee]rror\b|Unable to |couldn't get |[EWF]\d{4} )`)
)

// isTrouble reports whether a line says that a command failed. Expressions are slow, and texts may have millions of
// lines.
func isTrouble(text string) bool {
	return text != "" && strings.IndexByte("EeUcWF", text[0]) >= 0 && trouble.MatchString(text)
}

// answered tells that all was read that the last command asked for, if that is sure already. Where kubectl fails, it
// prints a list as well, of what it got of other types or of nothing, and says so below it: then the next line of the
// text must show that it did not.
func (r *reader) answered(sure bool) {
	if r.asked.lists() {
		question := r.asked
		r.unsure = &question
	}
	if sure {
		r.succeeded()
	}
	r.asked.narrowed = true // what follows is something else
}

// succeeded tells that the last command has not failed.
func (r *reader) succeeded() {
	if r.unsure != nil {
		r.sink.Listed(*r.unsure)
	}
	r.unsure = nil
}

// ended notes whether a line shows how the last command has ended.
func (r *reader) ended(text string) {
	r.answers = r.answers && !prompt.MatchString(text)
	switch {
	case r.unsure == nil:
	case isTrouble(text):
		r.unsure = nil
	case isCommand(text) || prompt.MatchString(text):
		r.succeeded()
	}
}

package statuses

import (
	"slices"
	"strings"
	"unicode"
)

// word is a word in lower case, or a mark.
type word struct {
	Text  string
	glued bool // it follows a hyphen: the last part of a name
	taken bool // words around it have taken it back
}

// sentence is a statement in words: names such as ReconcileError in several.
type sentence []word

// Split splits a text into words. Marks that say "nothing" in code are a word, too.
func Split(text string) (s sentence) {
	text = strings.NewReplacer(
		`\"`, `"`, "<nil>", "nil", "[]", "none", "{}", "none", `""`, "none", "’", "'", "n/a", "none",
		"->", " became ", "→", " became ",
	).Replace(text)
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		from := i
		for i < len(runes) && inWord(runes[i]) && (i == from || !humps(runes, i)) {
			i++
		}
		switch {
		case i > from:
			glued := from > 0 && runes[from-1] == '-'
			s = append(s, word{Text: strings.ToLower(string(runes[from:i])), glued: glued})
			i--
		case runes[i] == '.' && i+1 < len(runes) && !unicode.IsSpace(runes[i+1]):
		case strings.ContainsRune(".,;:=()|/!?", runes[i]):
			s = append(s, word{Text: string(runes[i])})
		}
	}
	return s
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' }

// humps reports whether a new word begins within a name: Error of ReconcileError, Exec of TFExec.
func humps(runes []rune, i int) bool {
	return unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) ||
		i+1 < len(runes) && unicode.IsLower(runes[i+1]))
}

func (w word) is(texts ...string) bool { return slices.Contains(texts, w.Text) }

func (w word) in(list func(string) bool) bool { return list(w.Text) }

// ends reports whether something else begins here.
func (w word) ends() bool { return w.is(".", ";", ":", "(", ")", "|", "=", "!", "?") }

func (w word) Number() bool { return w.Text != "" && w.Text[0] >= '0' && w.Text[0] <= '9' }

// negative: not, isn't. What can't be done is trouble of its own.
func (w word) negative() bool {
	return w.is("not") || strings.HasSuffix(w.Text, "n't") && !w.is("can't", "couldn't")
}

// small are words that may be between one that takes trouble back, and the trouble.
func (w word) small() bool {
	return w.is("a", "an", "any", "are", "be", "been", "being", "currently", "ever", "further", "had", "has", "have",
		"in", "is", "known", "longer", "more", "of", "other", "our", "out", "the", "was", "were", "with", "yet")
}

// acts reports whether a word is a verb of what its speaker does to something: revoking, archived. Verbs of what it
// sees, or of trouble, are none.
func (w word) acts() bool {
	verb := strings.HasSuffix(w.Text, "ing") || strings.HasSuffix(w.Text, "ed")
	return verb && !badWord(w.Text) && !weakWord(w.Text) &&
		!w.is("detected", "encountered", "reported", "observed", "received", "caused", "returned", "listed", "noticed",
			"contained", "counted", "reached", "needed", "remained", "detecting", "reporting", "observing", "having",
			"receiving", "causing", "returning", "listing", "showing", "seeing", "remaining", "containing", "getting", "being",
			"keeping", "hitting", "during", "including", "according", "following", "raised", "raising", "produced")
}

func (s sentence) mark(i, length int) {
	for j := i; j < i+length; j++ {
		s[j].taken = true
	}
}

// has reports whether a phrase is in it.
func (s sentence) has(phrase string) bool {
	for i := range s {
		if s.at(i, phrase) > 0 {
			return true
		}
	}
	return false
}

// at returns how many words of a phrase are at i: all, or 0.
func (s sentence) at(i int, phrase string) int {
	length := 0
	for text := range strings.FieldsSeq(phrase) {
		if i+length >= len(s) || s[i+length].Text != text {
			return 0
		}
		length++
	}
	return length
}

// troubleAt returns how many words from i on say that something is wrong. Weak ones don't where it is waited for that.
func (s sentence) troubleAt(i int) (length int, weak bool) {
	for _, phrase := range troublePhrases(s[i].Text) {
		if length := s.at(i, phrase); length > 0 {
			return length, false
		}
	}
	switch {
	case s[i].in(badWord), s.badCode(i):
		return 1, false
	case s[i].in(weakWord):
		return 1, true
	case s.at(i, "in use") > 0 && s.hinders(i):
		return 2, true
	}
	return 0, false
}

// hinders reports whether "in use" says why something can't go: ResourceInUse, still in use, in use by.
func (s sentence) hinders(i int) bool {
	by := i+2 < len(s) && s[i+2].is("by")
	return by || i > 0 && !s[i-1].ends() && !s[i-1].is("is", "are", "was", "were", "be")
}

// badCode reports whether a number is one by which a program or a server says that it failed.
func (s sentence) badCode(i int) bool {
	if !s[i].Number() || i == 0 {
		return false
	}
	before := s[i-1]
	if before.is(":", "=") && i > 1 {
		before = s[i-2]
	}
	http := len(s[i].Text) == 3 && (s[i].Text[0] == '4' || s[i].Text[0] == '5')
	switch {
	case before.is("rc", "errno"), before.is("with") && i > 1 && s[i-2].is("exits", "exited"):
		return s[i].Text != "0"
	case before.is("http", "status", "code"):
		exit := i > 1 && slices.ContainsFunc(s[max(0, i-4):i], func(w word) bool { return w.is("exit", "exited") })
		return http || exit && s[i].Text != "0"
	}
	return false
}

// idiom reports whether words of trouble are part of an expression that says something else.
func (s sentence) idiom(i, length int) bool {
	next := word{}
	if i+length < len(s) {
		next = s[i+length]
	}
	switch w := s[i]; {
	case w.is("can't", "cannot"):
		return next.is("be") && i+2 < len(s) && s[i+2].is("told", "known", "seen", "checked")
	case w.is("fail", "failed", "fails", "failing") && next.is("over"):
		return true
	case w.is("fail"):
		return next.is("safe", "fast", "open", "closed", "back")
	case w.is("failure", "unhealthy"):
		return next.is("threshold", "thresholds", "domain", "domains", "policy", "detector", "detection", "rate")
	case w.is("killed", "aborted", "interrupted", "expired"): // killed 226 of 9000 replicas
		return next.Number() && (i == 0 || !s[i-1].is("was", "were", "been", "got", "is", "are", ":", "signal"))
	case w.is("broken"): // by whom it is said: "is being broken up"
		return i > 0 && s[i-1].is("being")
	case w.is("crash"):
		return next.is("recovery", "consistent", "safe")
	case w.is("error", "errors"):
		return next.is("budget", "budgets", "log", "logs", "rate", "rates", "handling", "handler", "detection")
	case w.is("exceeded", "exceeds"):
		return next.is("expectations")
	case w.is("timeout"):
		return next.Number() || next.is("of", "set", "seconds", "is") && !s.has("exceeded")
	case w.is("exception"):
		return next.is("list", "handler", "handling")
	}
	return false
}

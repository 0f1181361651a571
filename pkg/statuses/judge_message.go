package statuses

import (
	"slices"
	"strings"
)

// Sense is what a controller's words come to.
type Sense string

// The senses. None of them, where words tell neither.
const (
	Trouble  Sense = "Trouble"  // something is wrong
	Conflict Sense = "Conflict" // another program wrote first: the loser tries again by itself
	Waiting  Sense = "Waiting"  // it waits; that is no trouble of its own
	Fine     Sense = "Fine"     // it says that all went well, or that nothing is wrong
)

// Judge says what the words of a controller about an object mean: a reason, a message, or both. There is no convention,
// so it looks for words that say that something is wrong, unless the words around them take them back: "no errors",
// "errors: []", "deleted 3 failed jobs", "recovered from a failure". testdata/messages.yaml has the messages on which
// it was tuned and measured.
func Judge(words string) Sense { return JudgeAbout(words) }

// JudgeAbout is Judge for words in which some names may be: those of the object that they are about. Names tell
// nothing.
func JudgeAbout(words string, names ...string) Sense {
	if conflicts(strings.ToLower(words)) {
		return Conflict
	}
	words = withoutNames(words, names...)
	if reason, message, told := strings.Cut(words, ": "); told && !strings.ContainsAny(reason, " /.") {
		if said := Split(message); slices.ContainsFunc(waits(), said.has) && said.sense() == Waiting {
			return Waiting // DeletionFailed: waiting for 3 machines
		}
	}
	return Split(words).sense()
}

func (s sentence) sense() Sense {
	fine, waits := false, slices.ContainsFunc(append(waits(), retries()...), s.has)
	if slices.ContainsFunc(harmless(), s.has) {
		return ""
	}
	for i := range s {
		length, weak := s.troubleAt(i)
		switch {
		case length == 0:
		case s.excused(i, length):
			fine = true
			s.mark(i, length)
		case weak && s.awaited(i, length):
		default:
			return Trouble
		}
	}
	switch {
	case waits:
		return Waiting
	case fine || slices.ContainsFunc(s, func(w word) bool { return w.in(succeeds) }):
		return Fine
	}
	return ""
}

// conflicts reports whether words are those of a write that came too late, which the API server refuses and whoever
// sent it repeats (k8s v1.37 apiserver/pkg/registry/generic/registry/store.go:OptimisticLockErrorMsg).
func conflicts(words string) bool {
	for _, phrase := range []string{
		"the object has been modified", "apply your changes to the latest version", "operation cannot be fulfilled on",
		"operation cannot be fulfilled:", "uid in precondition", "optimistic lock", "write conflict", "update conflict",
		"patch conflict", "due to conflict", "due to a conflict", "conflict while updating", "conflict when updating",
		"conflict on update", "resource version conflict", "resourceversion conflict",
	} {
		if strings.Contains(words, phrase) {
			return true
		}
	}
	_, last, _ := cutLast(strings.TrimRight(words, ". "), ": ")
	return last == "conflict"
}

func cutLast(text, at string) (before, after string, found bool) {
	i := strings.LastIndex(text, at)
	if i < 0 {
		return "", text, false
	}
	return text[:i], text[i+len(at):], true
}

// excused reports whether what stands around words of trouble takes them back.
func (s sentence) excused(i, length int) bool {
	switch {
	case s.negated(i), s.empty(i, length), s.idiom(i, length), s.supposed(i), s.handled(i, length),
		s.resolved(i, length):
		return true
	}
	return s[i].is("not", "does") && s.goneAnyway() // not found, does not exist
}

// negated: "no error", "0 of 3 failed", "without any failures or violations", "is not degraded any more". Between a
// count or "no" and the word, two others may stand, and after "not" none but small ones.
func (s sentence) negated(i int) bool {
	others := 0
	for j := i - 1; j >= 0 && j >= i-7; j-- {
		w := s[j]
		switch {
		case w.taken:
			return others == 0
		case w.is("no", "without", "zero", "none", "nothing", "never", "neither"), w.is("0") && s.counts(j):
			return others <= 2
		case w.negative():
			return others == 0
		case w.is("or", "nor", "/"):
		case w.is("and", ","):
			if others > 0 || !s[max(0, j-1)].taken {
				return false
			}
		case w.ends() || w.is("because", "but", "due", "since", "as", "after", "to"):
			return false
		case !w.small() && !w.Number():
			others++
		}
	}
	return false
}

// counts tells a number of things from the last part of a name: "0 errors", and not "db-0 failed".
func (s sentence) counts(i int) bool {
	return i == 0 || !s[i].glued && (s[i-1].ends() || s[i-1].small() ||
		s[i-1].is("and", "or", ",", "/", "found", "finds", "saw", "reported", "reports", "shows", "showed", "got"))
}

// empty: "error: <nil>", "errors=0", "last failure is none", "error count: 0", "failed logins in the last hour: 0".
func (s sentence) empty(i, length int) bool {
	rest := s[i+length:]
	if len(rest) > 0 && rest[0].is("free") {
		return true
	}
	for more := 5; more > 0 && len(rest) > 1 && !rest[0].ends(); more-- {
		if !s[i].in(attribute) && !rest[0].is("count", "message", "list", "reason", "code", "is", "are", "was") {
			return false
		}
		if rest[1].in(nothing) && rest[0].is("is", "are", "was") {
			return true
		}
		rest = rest[1:]
	}
	return len(rest) > 1 && rest[0].is(":", "=") && rest[1].in(nothing)
}

// supposed: "retries on error", "if it fails", "to avoid failures", "checking for errors".
func (s sentence) supposed(i int) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		switch w := s[j]; {
		case w.is("on", "upon", "if", "avoid", "prevent", "unless", "may", "might"):
			return true
		case w.is("for"):
			return j > 0 && s[j-1].is("check", "checking", "checks", "look", "looking", "scan", "scanning", "watching")
		case !w.small() && !w.is("it", "this", "that"):
			return false
		}
	}
	return false
}

// handled: what failed is dealt with: "deleted 3 failed jobs", "unreachable hosts were replaced". The word has to say
// what sort of thing that is: "deleting failed" is trouble.
func (s sentence) handled(i, length int) bool {
	next := i + length
	if length > 1 || !s[i].in(attribute) || next == len(s) || s[next].ends() || s[next].small() || s[next].in(particle) {
		return false
	}
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if s[j].in(dealing) || s[j].acts() && (s[j].in(releases) || j < i-1 && s[j+1].Number()) {
			return true // revoking 14 invalid tokens
		}
		if !s[j].small() && !s[j].Number() && !s[j].is("for", "of", "up") {
			break
		}
	}
	for j := next + 1; j < len(s) && j <= next+3 && !s[j].ends() && !s[j].negative(); j++ {
		if s[j].in(dealt) {
			return true
		}
	}
	return false
}

// resolved: "the last error is resolved", "recovered from a failure", "succeeded after 2 failed attempts".
func (s sentence) resolved(i, length int) bool {
	for j := i + length; j < len(s) && j <= i+length+3 && !s[j].ends() && !s[j].negative() && !s[j].is("to"); j++ {
		if s[j].in(over) || s[j].is("became") {
			return true
		}
	}
	for j := i - 1; j >= 0 && j >= i-5 && !s[j].ends(); j-- {
		before := j > 0 && (s[j-1].negative() || s[j-1].is("be", "to"))
		if s[j].in(over) || s[j].is("succeeded", "despite") {
			return !before
		}
	}
	return false
}

// goneAnyway reports whether not to find something is as good as having deleted it.
func (s sentence) goneAnyway() bool {
	return slices.ContainsFunc(s, func(w word) bool {
		return w.is("already", "nothing", "assuming", "skipping", "skipped", "ignoring", "ignored", "considering",
			"gone")
	})
}

// awaited reports whether the words at i are about a wait, or last until something comes.
func (s sentence) awaited(i, length int) bool {
	if i+length < len(s) && s[i+length].is("until") {
		return true
	}
	for j := i - 1; j >= 0 && !s[j].ends(); j-- {
		if s[j].is("wait", "waiting", "waits", "awaiting", "awaits") {
			return true
		}
	}
	return false
}

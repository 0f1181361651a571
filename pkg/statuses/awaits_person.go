package statuses

// AwaitsPerson reports whether a controller's words say that it waits for a person to agree or to act, and name nothing
// else that is wrong: "needs approval by the data owner", WaitingForApproval. Whom it asks may also have refused, or
// not be reached: that is trouble, and so is an approval that the words don't ask for.
func AwaitsPerson(words string, names ...string) bool {
	s, asked := Split(withoutNames(words, names...)), map[int]bool{}
	for i := range s {
		if !s.asks(i) {
			continue
		}
		for j := max(0, i-1); j <= min(len(s)-1, i+2); j++ {
			asked[j] = true
		}
	}
	for i := range s {
		length, weak := s.troubleAt(i)
		if length > 0 && !weak && !asked[i] && !s.excused(i, length) {
			return false
		}
	}
	return len(asked) > 0
}

// asks reports whether the words around one about a person's deed say that this is still to come.
func (s sentence) asks(i int) bool {
	next := word{}
	if i+1 < len(s) {
		next = s[i+1]
	}
	person, negated := s[i].in(someone), false
	switch {
	case person:
		if i > 0 && s[i-1].is("by", "from") {
			return false // in use by someone
		}
	case s[i].in(agreement), s[i].is("sign") && next.is("off"):
	case s[i].in(byHand) && next.is("approval", "intervention", "action", "confirmation", "step", "cleanup", "deletion"):
	default:
		return false
	}
	first, last := i, i
	for first > 0 && i-first < mostBetween && !s[first-1].clauseEnds() {
		first--
	}
	for last+1 < len(s) && last-i < mostBetween && !s[last+1].clauseEnds() {
		last++
	}
	due := false
	for j := first; j <= last; j++ {
		due = due || s[j].in(toCome) && (!person || j < i || s[j].is("must"))
		negated = negated || s[j].negative() || s[j].is("no", "without", "nobody", "never")
	}
	if s[i].is("approved") { // not approved yet
		return negated || due && i > 0 && s[i-1].is("be", "until")
	}
	return due && !negated
}

// mostBetween is how many words there may be between what is to come, and that it is.
const mostBetween = 4

func (w word) clauseEnds() bool { return w.ends() || w.is(",", "but", "and", "because") }

// agreement reports whether a word is about a person's agreement. What else is confirmed, or reviewed, programs do.
func agreement(w string) bool {
	switch w {
	case "approval", "approvals", "approve", "approves", "approved", "consent", "signoff":
		return true
	}
	return false
}

func someone(w string) bool {
	switch w {
	case "human", "person", "somebody", "someone", "administrator", "admin":
		return true
	}
	return false
}

func byHand(w string) bool { return w == "manual" }

// toCome reports whether a word says that something is still to come.
func toCome(w string) bool {
	switch w {
	case "need", "needs", "needed", "require", "requires", "required", "wait", "waits", "waiting", "await", "awaits",
		"awaiting", "pending", "must", "until", "unless", "missing", "ask", "please":
		return true
	}
	return false
}

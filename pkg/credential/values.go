package credential

import "strings"

// end returns where the value of an assignment ends.
func (a assignment) end(text string) int {
	rest := text[a.value:]
	if open := opening(rest); open != "" {
		return a.value + quoted(rest, open)
	}
	name := plainName(a.name)
	switch {
	case rest[0] == '{' || rest[0] == '[':
		return a.value + bracketed(rest)
	case strings.HasPrefix(rest, Removed):
		return a.value + len(Removed)
	case a.with == ':' && (rest[0] == '|' || rest[0] == '>'):
		if end := block(rest, a.indent(text)); end > 0 {
			return a.value + end
		}
	}
	switch {
	case a.with == ':' && (strings.HasSuffix(name, "authorization") || strings.HasSuffix(name, "cookie")):
		return a.value + upTo(rest, "\r\n\"'`\\]")
	case a.alone(text):
		return a.value + line(rest)
	}
	end := wordOf(rest)
	for a.with == ':' && !a.tight && strings.Contains(name, "pass") { // of several words
		next, blank := strings.TrimLeft(rest[end:], " "), 0
		word, _ := firstWord(next)
		if blank = len(rest) - end - len(next); blank == 0 || next == "" || plainWord(word) || !ofValue(next[0]) {
			break
		}
		more := wordOf(next)
		if more == 0 || end+blank+more > mostBetween || strings.ContainsAny(next[:more], "=:") {
			break
		}
		end += blank + more
	}
	return a.value + end
}

func ofValue(c byte) bool { return ofName(c) || c >= 0x80 }

// firstWord returns the first word of a text, and what follows on its line, as far as that matters.
func firstWord(text string) (word, rest string) {
	text = text[:min(len(text), mostBetween)]
	text = text[:upTo(text, "\r\n")]
	end := upTo(text, " \t")
	return text[:end], strings.TrimSpace(text[end:])
}

// alone reports whether an assignment has a line for itself, as in files: all that follows is its value. Behind a name
// in capitals without blanks, a shell's command may follow.
func (a assignment) alone(text string) bool {
	before, begins := a.before(text)
	if !begins {
		return false
	}
	before = strings.TrimPrefix(strings.TrimLeft(before, " \t"), "- ")
	switch {
	case strings.TrimSpace(before) != "" && before != "export " && before != "ENV ":
		return false
	case a.with == ' ' || strings.HasPrefix(a.name, "-"):
		return false
	case a.with == ':':
		return !a.tight
	}
	return !a.tight || strings.ToUpper(a.name) != a.name
}

// line returns how long a value is that ends with its line, or before the next assignment on it.
func line(text string) int {
	end := upTo(text, "\r\n")
	for at := 1; at < end; at++ {
		switch {
		case text[at] == '#' && text[at-1] == ' ', text[at] == '\\' && at+1 < end && text[at+1] == 'n':
			return len(strings.TrimRight(text[:at], " "))
		case strings.IndexByte(",;& ", text[at]) >= 0 && binds(text[at+1:end]):
			return at
		}
	}
	return len(strings.TrimRight(text[:end], " \t"))
}

// binds reports whether a text begins with an assignment.
func binds(text string) bool {
	text = strings.TrimLeft(text, " \t\\\"'")
	length := 0
	for length < len(text) && length < longestName && ofName(text[length]) {
		length++
	}
	behind := strings.TrimLeft(text[length:], " \\\"'")
	return length > 0 && behind != "" && (behind[0] == '=' || behind[0] == ':')
}

// wordOf returns how long a value is that is one word. A separator within it ends it only before something else.
func wordOf(text string) int {
	end := upTo(text, " \t\r\n\"'`\\<>&")
	if coded := strings.Index(text[:end], "%26"); coded >= 0 {
		end = coded
	}
	for at := 0; at < end; at++ {
		if strings.IndexByte(",;", text[at]) >= 0 && (at+1 == end || binds(text[at+1:])) {
			end = at
		}
	}
	for end > 0 && strings.IndexByte(")}],;", text[end-1]) >= 0 {
		end--
	}
	return end
}

func upTo(text, stops string) int {
	if end := strings.IndexAny(text, stops); end >= 0 {
		return end
	}
	return len(text)
}

// indent is how far the line of an assignment is indented.
func (a assignment) indent(text string) int {
	before, _ := a.before(text)
	return len(before) - len(strings.TrimLeft(before, " "))
}

// before returns what is before an assignment on its line, and whether all of that is near enough to be looked at.
func (a assignment) before(text string) (string, bool) {
	from := max(0, a.start-mostBetween)
	line := strings.LastIndexAny(text[from:a.start], "\r\n") + 1
	return text[from+line : a.start], from == 0 || line > 0
}

// block returns the length of a block of YAML, whose lines are indented deeper than its name; 0 for what is none.
func block(text string, indent int) int {
	head := upTo(text, "\n")
	if strings.Trim(text[:head], "|>+-0123456789 \r") != "" || head == len(text) {
		return 0
	}
	end := head
	for end < len(text) {
		next := end + 1 + upTo(text[end+1:], "\n")
		row := text[end+1 : next]
		if depth := len(row) - len(strings.TrimLeft(row, " ")); strings.TrimSpace(row) != "" && depth <= indent {
			break
		}
		end = next
		if next == len(text) {
			break
		}
	}
	return end
}

// opening returns the quote that a value begins with, as often escaped as it is: \".
func opening(value string) string {
	for _, quote := range []string{"&quot;", `\u0022`} {
		if strings.HasPrefix(value, quote) {
			return quote
		}
	}
	at := 0
	for at < len(value) && value[at] == '\\' {
		at++
	}
	if at < len(value) && strings.IndexByte("\"'`", value[at]) >= 0 {
		return value[:at+1]
	}
	return ""
}

// quoted finds the end of a text in quotes. If its quotes are escaped, quotes within it are escaped once more. Two
// quotes in a row are one in SQL and YAML.
func quoted(text, open string) int {
	for at := len(open); at < len(text); {
		found := strings.Index(text[at:], open)
		if found < 0 {
			return len(text)
		}
		end := at + found
		switch doubled := open == "'" && strings.HasPrefix(text[end+1:], "'"); {
		case doubled && end > len(open):
			at = end + 2
		case text[end-1] != '\\' || end == len(open):
			return end + len(open)
		default:
			at = end + len(open)
		}
	}
	return len(text)
}

// bracketed finds the bracket that closes the first one; the end of a text that was cut off.
func bracketed(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

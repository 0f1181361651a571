package finding

import "strings"

// LongQuote is from how many bytes on a quotation is said once in an answer, and only referred to after that.
const LongQuote = 60

// InShort is a sentence as the default output has it, without what texts keep for wide output: its words, and what it
// quotes.
type InShort []Part

// Part is a part of a sentence.
type Part struct {
	Text   string
	Quoted bool // these are the words of another program
	Told   bool // a verb, as "reports", takes them as its object: a colon is before them
}

// String is the sentence with all its quotations.
func (s InShort) String() string {
	return strings.Join(Each(s, func(part Part) string {
		switch {
		case part.Told:
			return ": " + Quoted(part.Text)
		case part.Quoted:
			return Quoted(part.Text)
		}
		return part.Text
	}), "")
}

// InShort is what a voice says in short.
func (v Voice) InShort(says func(Voice) string) (short InShort) {
	v.brief, v.marks = true, true
	for i, text := range strings.Split(says(v), quoteMark) {
		part := Part{Text: text, Quoted: i%2 == 1}
		if part.Quoted {
			part.Text, part.Told = strings.CutPrefix(text, afterVerb)
		}
		if text != "" {
			short = append(short, part)
		}
	}
	return short
}

// InShort is the sentence about a finding in short.
func (f Finding) InShort(v Voice) InShort {
	return v.InShort(func(v Voice) string { return v.Message(f) })
}

// Sums is the voice of the sentence that answers the question: in short, and without long quotations, which follow it.
func (v Voice) Sums() Voice {
	v.brief, v.sums = true, true
	return v
}

// Wide tells texts whether to say what only wide output and programs get: {{if $.Wide}} (ClusterRole x){{end}}.
func (v Voice) Wide() bool { return !v.brief }

// While a text is composed, quoteMark is around quotations, and afterVerb begins one that is a verb's object. None
// begins with a blank of its own.
const (
	quoteMark = "\x00"
	afterVerb = " "
)

func marked(words string) string {
	return quoteMark + strings.ReplaceAll(strings.TrimSpace(words), quoteMark, `\x00`) + quoteMark
}

// told is what a text says after a verb as "reports": a colon and the quotation, or which message it is.
func told(words string) string {
	return quoteMark + afterVerb + strings.TrimPrefix(marked(words), quoteMark)
}

// unmarked puts quotation marks around the quotations of a composed text, unless they stay marked.
func unmarked(text string, v Voice) string {
	if v.marks {
		return text
	}
	parts := strings.Split(text, quoteMark)
	for i := 1; i < len(parts); i += 2 {
		words, told := strings.CutPrefix(parts[i], afterVerb)
		switch long := v.sums && len(words) >= LongQuote; {
		case long && told:
			parts[i] = " the message quoted below"
		case long && strings.HasSuffix(parts[i-1], "(") && strings.HasPrefix(parts[i+1], ")"):
			parts[i] = "quoted below"
		case long:
			parts[i] = "(quoted below)"
		case told:
			parts[i] = ": " + Quoted(words)
		default:
			parts[i] = Quoted(words)
		}
	}
	return strings.Join(parts, "")
}

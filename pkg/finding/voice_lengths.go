package finding

import (
	"slices"
	"strings"
)

// LongQuote is from how many bytes on a quotation is said once in an answer, and only referred to after that.
const LongQuote = 60

// InShort is a sentence as the default output has it, without what texts keep for wide output, and what it quotes, by
// which what was quoted above is quoted once.
type InShort struct {
	Text   string
	Quotes []string
}

// Of is the sentence, or another one where there is none in short.
func (s InShort) Of(full string) string {
	if s.Text == "" {
		return full
	}
	return s.Text
}

// InShort is what a voice says in short.
func (v Voice) InShort(says func(Voice) string) (short InShort) {
	v.brief, v.quotes = true, &short.Quotes
	short.Text = says(v)
	return short
}

// MessageInShort is Message in short.
func (v Voice) MessageInShort(f Finding) InShort {
	return v.InShort(func(v Voice) string { return v.Message(f) })
}

// Sums is the voice of the sentence that answers the question: in short, and without long quotations, which follow it.
func (v Voice) Sums() Voice {
	v.brief, v.sums = true, true
	return v
}

// Wide tells texts whether to say what only wide output and programs get: {{if $.Wide}} (ClusterRole x){{end}}.
func (v Voice) Wide() bool { return !v.brief }

// Items are what a subject waits for, as items of a list that is headed "Two things block it". It names a few; more is
// how many are left.
func (v Voice) Items(subject Ref, awaited []Awaited) (items []string, more int) {
	few := awaited[:min(mostAwaited, len(awaited))]
	v.Subject = subject
	items = Each(few, func(one Awaited) string {
		if hasText(one.Situation, "item") {
			return v.say(one.Situation, "item", one.Finding, max(1, one.Count))
		}
		return v.AwaitsAll(one.Finding, one.Count)
	})
	return items, len(awaited) - len(few)
}

// quoteMark is around quotations while a text is composed.
const quoteMark = "\x00"

func marked(words string) string {
	return quoteMark + strings.ReplaceAll(strings.TrimSpace(words), quoteMark, `\x00`) + quoteMark
}

// unmarked puts quotation marks around the quotations of a composed text, and collects them.
func (v Voice) unmarked(text string) string {
	parts := strings.Split(text, quoteMark)
	for i := 1; i < len(parts); i += 2 {
		switch words := parts[i]; {
		case v.sums && len(words) >= LongQuote:
			parts[i] = "(quoted below)"
		default:
			if v.quotes != nil && !slices.Contains(*v.quotes, words) {
				*v.quotes = append(*v.quotes, words)
			}
			parts[i] = Quoted(words)
		}
	}
	return strings.Join(parts, "")
}

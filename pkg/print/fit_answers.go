package print

import (
	"fmt"
	"strings"
)

// mostAnswers is how many of the answers that there is no room for are listed by their first sentence.
const mostAnswers = 6

// described is how many of some answers there is room for, from the first on, and at least that. write writes one of
// them to a writer of the given style. Wide answers and pages say everything.
func (w *writer) described(answers int, write func(to *writer, number int)) int {
	if w.page != nil || w.style.Wide {
		return answers
	}
	lines, fitting := 0, min(1, answers)
	for number := range answers {
		var text strings.Builder
		write(&writer{out: &text, style: w.style, over: w.over}, number)
		lines += strings.Count(text.String(), "\n") + 1
		left := min(answers-number-1, mostAnswers)
		switch {
		case lines > mostLines:
			return fitting
		case lines+3*left <= mostLines: // with the sentences of the others
			fitting = number + 1
		}
	}
	return fitting
}

// inShort lists answers by their first sentences, below others that were written in full.
func (w *writer) inShort(answers []brief) {
	if len(answers) == 0 {
		return
	}
	w.section(moreOf("ANSWER", len(answers)), ", in short")
	for _, one := range answers[:mostOf(len(answers), mostAnswers)] {
		w.item(one.verdict+": "+one.sentence, nil)
	}
	if left := len(answers) - mostOf(len(answers), mostAnswers); left > 0 {
		w.item(fmt.Sprintf("%d more", left), nil)
	}
	w.paragraph("  ", "-o wide has all answers in full, and --short each with its first step.", nil)
}

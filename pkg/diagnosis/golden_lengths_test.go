package diagnosis_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// How long an answer may be on a terminal of 80 columns: 40 lines for one cause, 80 for three; and its first sentence,
// in words.
const (
	linesAlways, linesOfCause = 20, 20
	wordsOfSummary            = 35
)

// TestGoldenLengths holds the answers about targets to a screen, and their first sentences to a breath.
func TestGoldenLengths(t *testing.T) {
	lines, words := longAnswers(), longSummaries()
	files, err := filepath.Glob(filepath.Join("testdata", "human", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "-in-wide-output.txt") {
			continue
		}
		name, text := strings.TrimSuffix(filepath.Base(file), ".txt"), string(data)
		verdict, _, _ := strings.Cut(text, ":")
		switch report.Verdict(verdict) {
		case report.Stuck, report.Progressing, report.Undetermined, report.NotTerminating:
		default:
			continue // no answer of why
		}
		if got, want := strings.Count(text, "\n"), max(mostLines(text), lines[name]); got > want {
			t.Errorf("%s: %d lines, want %d at most", name, got, want)
		}
		if got, want := wordsOf(text), max(wordsOfSummary, words[name]); got > want {
			t.Errorf("%s: the first sentence has %d words, want %d at most", name, got, want)
		}
	}
}

// mostLines is how long an answer may be by how many causes it tells of.
func mostLines(text string) int {
	causes := 1
	if heading := regexp.MustCompile(`(?m)^ROOT CAUSES? .* of (\d+)  `).FindStringSubmatch(text); heading != nil {
		causes, _ = strconv.Atoi(heading[1])
	}
	return linesAlways + linesOfCause*causes
}

// wordsOf counts the words of what stands before the list, or before the first empty line, without the verdict. Of what
// nobody has deleted, there is more to say: of that it counts the first sentence.
func wordsOf(text string) int {
	first, _, _ := strings.Cut(text, "\n\n")
	first, _, _ = strings.Cut(first, "\n  - ")
	words := strings.Fields(first)[1:]
	if strings.HasPrefix(text, string(report.NotTerminating)) {
		ends := func(word string) bool { return strings.HasSuffix(word, ".") || strings.HasSuffix(word, ";") }
		if at := slices.IndexFunc(words, ends); at >= 0 {
			words = words[:at+1]
		}
	}
	return len(words)
}

// longAnswers are those that are longer than they may be, with their lines: each has many steps with long commands.
func longAnswers() map[string]int {
	return map[string]int{}
}

// longSummaries are first sentences that are longer than they may be, with their words.
func longSummaries() map[string]int {
	return map[string]int{}
}

package diagnosis_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// How long an answer may be on a terminal of 80 columns: 40 lines for one cause, 80 for any number; and its first
// sentence, in words. Golden answers, whose clusters are small, are held to less.
const (
	linesAlways, linesOfCause, linesEver = 20, 20, 80
	wordsOfSummary                       = 35
)

// TestGoldenLengths holds the answers about targets to a screen, and their first sentences to a breath.
func TestGoldenLengths(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "human", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		golden, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, section := range golden.Files {
			checkLengths(t, section.Name, string(section.Data))
		}
	}
}

// checkLengths holds an answer of why to its lengths.
func checkLengths(t *testing.T, name, text string) {
	t.Helper()
	verdict, _, _ := strings.Cut(text, ":")
	switch result.Verdict(verdict) {
	case result.Stuck, result.Progressing, result.Undetermined, result.NotTerminating:
	default:
		return // no answer of why
	}
	if strings.HasSuffix(name, "-in-wide-output") {
		return
	}
	text, _, _ = strings.Cut(text, "\nFOR AN ADMINISTRATOR\n") // a script, to be handed on
	if lines, most := strings.Count(text, "\n"), mostLines(text); lines > most {
		t.Errorf("%s: %d lines, want %d at most", name, lines, most)
	}
	if words := wordsOf(text); words > wordsOfSummary {
		t.Errorf("%s: %d words, want %d at most", name, words, wordsOfSummary)
	}
}

// mostLines is how long an answer may be given the number of its causes.
func mostLines(text string) int {
	causes := 1
	numbered := regexp.MustCompile(`(?m)^CAUSES? .* of (\d+)  `)
	if heading := numbered.FindStringSubmatch(text); heading != nil {
		causes, _ = strconv.Atoi(heading[1])
	}
	return min(linesEver, linesAlways+linesOfCause*causes)
}

// wordsOf counts the words before the list, or before the first empty line, without the verdict. An answer about an
// object that was not deleted has more to say there: only its first sentence is counted.
func wordsOf(text string) int {
	first, _, _ := strings.Cut(text, "\n\n")
	first, _, _ = strings.Cut(first, "\n  - ")
	words := strings.Fields(first)[1:]
	if strings.HasPrefix(text, string(result.NotTerminating)) {
		ends := func(word string) bool { return strings.HasSuffix(word, ".") || strings.HasSuffix(word, ";") }
		if at := slices.IndexFunc(words, ends); at >= 0 {
			words = words[:at+1]
		}
	}
	return len(words)
}

package diagnosis_test

import (
	"flag"
	"fmt"
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

// TestGoldenLengths holds the answers about targets to a screen, and their first sentences to a breath. What is longer
// has to be listed in testdata/long_answers.txt, with what it may be; -update removes what is no longer too long.
func TestGoldenLengths(t *testing.T) {
	allowed, kept := longAnswers(t), []string{}
	files, err := filepath.Glob(filepath.Join("testdata", "human", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, text := strings.TrimSuffix(filepath.Base(file), ".txt"), string(data)
		verdict, _, _ := strings.Cut(text, ":")
		switch report.Verdict(verdict) {
		case report.Stuck, report.Progressing, report.Undetermined, report.NotTerminating:
		default:
			continue // no answer of why
		}
		if strings.HasSuffix(name, "-in-wide-output") {
			continue
		}
		for _, one := range []struct {
			what      string
			got, want int
		}{{"lines", strings.Count(text, "\n"), mostLines(text)}, {"words", wordsOf(text), wordsOfSummary}} {
			key := one.what + " " + name
			if most := max(one.want, allowed[key]); one.got > most {
				t.Errorf("%s: %d %s, want %d at most", name, one.got, one.what, most)
			} else if one.got > one.want {
				kept = append(kept, fmt.Sprintf("%d %s\n", one.got, key))
			}
		}
	}
	if flag.Lookup("update").Value.String() == "true" && !t.Failed() {
		if err := os.WriteFile(longAnswersFile, []byte(strings.Join(kept, "")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

const longAnswersFile = "testdata/long_answers.txt"

func longAnswers(t *testing.T) map[string]int {
	t.Helper()
	data, err := os.ReadFile(longAnswersFile)
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]int{}
	for line := range strings.Lines(string(data)) {
		number, key, _ := strings.Cut(strings.TrimSpace(line), " ")
		if allowed[key], err = strconv.Atoi(number); err != nil {
			t.Fatal(err)
		}
	}
	return allowed
}

// mostLines is how long an answer may be given the number of its causes.
func mostLines(text string) int {
	causes := 1
	if heading := regexp.MustCompile(`(?m)^ROOT CAUSES? .* of (\d+)  `).FindStringSubmatch(text); heading != nil {
		causes, _ = strconv.Atoi(heading[1])
	}
	return linesAlways + linesOfCause*causes
}

// wordsOf counts the words before the list, or before the first empty line, without the verdict. An answer about an
// object that was not deleted has more to say there: only its first sentence is counted.
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

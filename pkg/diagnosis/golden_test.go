package diagnosis_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
)

// TestGolden keeps what people see: every case of TestWhy, on a terminal of 80 columns. `make golden` writes
// the files anew; their diff is what a review should read.
func TestGolden(t *testing.T) {
	for _, c := range whyCases() {
		t.Run(c.name, func(t *testing.T) {
			result := c.ask(t)
			var plain, colored bytes.Buffer
			if err := print.Result(t.Context(), &plain, result, print.FormatHuman, print.Style{Table: table.Draw}); err != nil {
				t.Fatal(err)
			}
			style := print.Style{Table: table.Draw, Color: true}
			if err := print.Result(t.Context(), &colored, result, print.FormatHuman, style); err != nil {
				t.Fatal(err)
			}
			compareGolden(t, c.name, plain.String())
			checkLines(t, plain.String())
			if diff := cmp.Diff(plain.String(), withoutEscapes(colored.String())); diff != "" {
				t.Errorf("colour says something that the words don't (-plain +colored):\n%s", diff)
			}
		})
	}
}

// compareGolden compares an answer with the section of its name in a golden file. The sections of names that begin with
// the same word are in one file.
func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	slug := regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(name), "-")
	word, _, _ := strings.Cut(slug, "-")
	path := filepath.Join("testdata", "human", word+".txt")
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	golden := txtar.Parse(data)
	at, known := slices.BinarySearchFunc(golden.Files, slug, func(section txtar.File, name string) int {
		return strings.Compare(section.Name, name)
	})
	if flag.Lookup("update").Value.String() == "true" {
		if !known {
			golden.Files = slices.Insert(golden.Files, at, txtar.File{Name: slug})
		}
		golden.Files[at].Data, known = []byte(got), true
		if err := os.WriteFile(path, txtar.Format(golden), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !known {
		t.Fatalf("%s has no section %s", path, slug)
	}
	if diff := cmp.Diff(string(golden.Files[at].Data), got); diff != "" {
		t.Errorf("%s, %s (-want +got):\n%s", path, slug, diff)
	}
}

func TestMain(m *testing.M) {
	flag.Bool("update", false, "write the golden files anew")
	flag.Parse()
	os.Exit(m.Run())
}

// checkLines holds every line to 80 columns, but for single words that must stay whole, flags beside their values, and
// the script for an administrator.
func checkLines(t *testing.T, text string) {
	t.Helper()
	text, _, _ = strings.Cut(text, "FOR AN ADMINISTRATOR\n")
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		words := strings.Fields(line)
		one := len(words) == 3 && words[0] == "--finalizer" && words[2] == `\` ||
			len(words) == 2 && (words[0] == "-p" || words[0] == "--raw" || words[1] == `\`) // one word to a shell
		if len([]rune(line)) > 80 && len(words) > 1 && !one {
			t.Errorf("a line of %d columns: %s", len([]rune(line)), line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("blanks at the end of a line: %q", line)
		}
	}
}

func withoutEscapes(text string) string {
	return regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(text, "")
}

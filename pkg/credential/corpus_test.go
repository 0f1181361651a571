package credential_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
)

// corpus returns the texts of a file, one in each line that is no comment, with their escapes resolved.
func corpus(t testing.TB, name string) (texts []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	escapes := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t")
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "# ") {
			texts = append(texts, escapes.Replace(line))
		}
	}
	return texts
}

var marked = regexp.MustCompile(`(?s)«(.*?)»`)

// TestSecretsOfTheCorpus leaves none of the marked secrets in the texts of the corpus.
func TestSecretsOfTheCorpus(t *testing.T) {
	const fewest = 300
	texts := corpus(t, "secrets.txt")
	if len(texts) < fewest {
		t.Fatalf("there are only %d texts", len(texts))
	}
	for _, text := range texts {
		plain := strings.NewReplacer("«", "", "»", "").Replace(text)
		cleaned := credential.Clean(plain)
		for _, secret := range marked.FindAllStringSubmatch(text, -1) {
			if strings.Contains(cleaned, secret[1]) {
				t.Errorf("%q is left of %q:\n%q", secret[1], plain, cleaned)
			}
		}
		if again := credential.Clean(cleaned); again != cleaned {
			t.Errorf("%q becomes %q when it is cleaned again", cleaned, again)
		}
	}
}

// TestSentencesOfTheCorpus leaves texts without a secret as they are.
func TestSentencesOfTheCorpus(t *testing.T) {
	const fewest = 300
	texts := corpus(t, "sentences.txt")
	if len(texts) < fewest {
		t.Fatalf("there are only %d texts", len(texts))
	}
	for _, text := range texts {
		if cleaned := credential.Clean(text); cleaned != text {
			t.Errorf("of %q is left\n%q", text, cleaned)
		}
	}
}

// TestExceptions holds the exceptions that docs/offline.md names to the truth: one that is no longer left is none.
func TestExceptions(t *testing.T) {
	for _, text := range corpus(t, "exceptions.txt") {
		plain := strings.NewReplacer("«", "", "»", "").Replace(text)
		if cleaned := credential.Clean(plain); cleaned != plain {
			t.Errorf("of %q is left %q: take it out of the exceptions", plain, cleaned)
		}
	}
}

package finding_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// fewWords is how many words a text or a sentence may have that is there twice: "looks", "the claim".
const fewWords = 4

// textsIn reads a file of texts. It fails at what is no map of situations to forms, and at a key that is there twice.
func textsIn(data []byte) (texts map[string]map[string]string, err error) {
	return texts, yaml.UnmarshalStrict(data, &texts)
}

// TestTextsAreThereOnce holds the texts to one place for each: a file that two changes were merged into has neither a
// key twice, nor a text under two names ({{template "Other.form" $}} takes it from there), nor a sentence twice in one
// text.
func TestTextsAreThereOnce(t *testing.T) {
	for file, texts := range readFiles(t) {
		for _, repeated := range repeats(texts) {
			t.Errorf("%s: %s", file, repeated)
		}
	}
}

// TestRepeatedTextsAreFound gives files that say something twice.
func TestRepeatedTextsAreFound(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"a situation": {"A: {message: x}\nB: {message: y}\nA: {message: z}\n", `key "A" already set`},
		"a form":      {"A:\n  message: x\n  action: y\n  message: z\n", `key "message" already set`},
		"a text": {
			"A:\n  action: Delete {{.Object}}, which nothing needs.\nB:\n  action: >-\n    Delete {{.Object}},\n" +
				"    which nothing needs.\n",
			"A.action and B.action say the same",
		},
		"a text, in two forms": {
			"A:\n  message: It waits for the node.\n  foretold: It waits for the node.\n",
			"A.foretold and A.message say the same",
		},
		"a sentence": {
			"A:\n  message: It waits for the node n1. {{.Object}} runs there. It waits for the node n1.\n",
			`A.message says twice "It waits for the node n1."`,
		},
		"a few words": {"A:\n  loses: the claim\nB:\n  loses: the claim\n", ""},
		"a name for the other": {
			"A:\n  action: Delete what nothing needs.\nB:\n  action: '{{template \"A.action\" $}}'\n", "",
		},
		"two that only name": {"A:\n  item: '{{template \"C.item\" $}}'\nB:\n  item: '{{template \"C.item\" $}}'\n", ""},
		"nothing":            {"A:\n  message: It waits for the node n1. It waits for the node n2.\n", ""},
	} {
		texts, err := textsIn([]byte(c.file))
		got := strings.Join(repeats(texts), "\n")
		if err != nil {
			got = err.Error()
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("of %s twice it says %q, want %q", name, got, c.want)
		}
	}
}

// repeats says what a file says twice.
func repeats(texts map[string]map[string]string) (found []string) {
	named := map[string]string{}
	for _, situation := range slices.Sorted(maps.Keys(texts)) {
		for _, form := range slices.Sorted(maps.Keys(texts[situation])) {
			key, text := situation+"."+form, strings.Join(strings.Fields(texts[situation][form]), " ")
			if other := named[text]; other != "" && words(text) > fewWords {
				found = append(found, fmt.Sprintf("%s and %s say the same: %q", other, key, text))
			}
			named[text] = key
			said := map[string]bool{}
			for _, sentence := range regexp.MustCompile(`[^.?!]+[.?!](?:\s|$)`).FindAllString(text, -1) {
				sentence = strings.TrimSpace(sentence)
				if said[sentence] && words(sentence) > fewWords {
					found = append(found, fmt.Sprintf("%s says twice %q", key, sentence))
				}
				said[sentence] = true
			}
		}
	}
	return found
}

// words counts the words of a text that it doesn't take from elsewhere.
func words(text string) int {
	return len(strings.Fields(regexp.MustCompile(`\{\{.*?\}\}`).ReplaceAllString(text, "")))
}

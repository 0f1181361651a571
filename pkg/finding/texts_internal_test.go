package finding

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestReadTextsFails reads files that would lose a part without a word.
func TestReadTextsFails(t *testing.T) {
	const one = "A: {message: x}\n"
	for name, c := range map[string]struct{ first, second, want string }{
		"a situation twice":     {one + "B: {message: y}\nA: {action: z}\n", "", `first.yaml: .*key "A" already set`},
		"a form twice":          {"A:\n  message: x\n  message: y\n", "", `first.yaml: .*key "message" already set`},
		"a text in two files":   {one, one, "second.yaml: A.message is there twice"},
		"no template":           {"A: {message: '{{.Object'}\n", "", "first.yaml: template: A.message"},
		"no map of its forms":   {"A: x\n", "", "first.yaml: .*cannot unmarshal string"},
		"no value of a trait":   {"A: {action: x, effect: maybe}\n", "", `first.yaml: A.effect is "maybe"`},
		"nothing wrong with it": {one, "B: {message: y}\n", ""},
	} {
		files := fstest.MapFS{
			"texts/first.yaml": {Data: []byte(c.first)}, "texts/second.yaml": {Data: []byte(c.second)},
		}
		all, err := readTexts(files)
		if c.want == "" {
			if err != nil || all.Lookup("A.message") == nil || all.Lookup("B.message") == nil {
				t.Errorf("%s: %v, %v", name, all, err)
			}
			continue
		}
		file, says, _ := strings.Cut(c.want, ".*")
		if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestAndClauses(t *testing.T) {
	for want, clauses := range map[string][]string{
		"":                     nil,
		"a is":                 {"a is"},
		"a is, and b is":       {"a is", "b is"},
		"a is, b is, and c is": {"a is", "b is", "c is"},
	} {
		if got := AndClauses(clauses); got != want {
			t.Errorf("%q: %q, want %q", clauses, got, want)
		}
	}
}

func TestByColons(t *testing.T) {
	for want, texts := range map[string][]string{
		"condition Ready is Unknown":                   {"condition Ready is Unknown", ""},
		"condition Ready is False: KubeletNotReady":    {"condition Ready is False", "KubeletNotReady"},
		"condition Failed: DeadlineExceeded: too long": {"condition Failed", "DeadlineExceeded", "too long"},
		"condition Failed: too long":                   {"condition Failed", "", "too long"},
	} {
		if got := ByColons(texts...); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

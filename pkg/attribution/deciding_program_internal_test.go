package attribution

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestDecides finds what speaks for one program of several, and for no other.
func TestDecides(t *testing.T) {
	const kind, operator = "NamedAsKind", "NamedAsOperator"
	speaks := func(situations ...string) *program {
		one := &program{}
		for _, situation := range situations {
			one.speaking = append(one.speaking, finding.Phrase{Situation: situation})
		}
		return one
	}
	for name, c := range map[string]struct {
		first  *program
		others []*program
		want   string
	}{
		"its kind":              {speaks(kind, operator), []*program{speaks(operator)}, kind},
		"what only it has":      {speaks(kind, operator), []*program{speaks(kind)}, operator},
		"nothing":               {speaks(kind), []*program{speaks(), speaks(kind)}, ""},
		"nothing speaks for it": {speaks(), []*program{speaks()}, ""},
	} {
		found := ""
		if phrase := c.first.decides(c.others); phrase != nil {
			found = phrase.Situation
		}
		if found != c.want {
			t.Errorf("%s: %q decides, want %q", name, found, c.want)
		}
	}
}

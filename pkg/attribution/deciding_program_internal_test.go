package attribution

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// TestDecides finds what speaks for one program of several, and for no other.
func TestDecides(t *testing.T) {
	const kind, operator = signs.NamedAsKind, signs.NamedAsOperator
	speaks := func(kinds ...signs.Kind) *program {
		one := &program{}
		for _, kind := range kinds {
			one.signs = one.signs.With(kind, finding.Clue{})
		}
		return one
	}
	for name, c := range map[string]struct {
		first  *program
		others []*program
		want   signs.Kind
	}{
		"its kind":                     {speaks(kind, operator), []*program{speaks(operator)}, kind},
		"what only it has":             {speaks(kind, operator), []*program{speaks(kind)}, operator},
		"never what speaks against it": {speaks(signs.RunsOnEachNode), []*program{speaks()}, ""},
		"never what no clause tells":   {speaks(signs.CalledAsKind), []*program{speaks()}, ""},
		"nothing":                      {speaks(kind), []*program{speaks(), speaks(kind)}, ""},
		"nothing speaks for it":        {speaks(), []*program{speaks()}, ""},
	} {
		found := signs.Kind("")
		if phrase := c.first.decides(c.others); phrase != nil {
			found = signs.Kind(phrase.Situation)
		}
		if found != c.want {
			t.Errorf("%s: %q decides, want %q", name, found, c.want)
		}
	}
}

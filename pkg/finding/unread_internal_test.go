package finding

import "testing"

// TestManyKinds counts kinds that are too many to be named, unless some of them aren't known.
func TestManyKinds(t *testing.T) {
	for _, c := range []struct {
		kinds []string
		want  string
	}{
		{nil, ""},
		{[]string{"a", "b", "c"}, ""},
		{[]string{"*", "a"}, ""},
		{[]string{"a", "b", "c", "d"}, "4 kinds"},
		{[]string{"*", "a", "b", "c"}, "most kinds"},
	} {
		if got := manyKinds(3, c.kinds); got != c.want {
			t.Errorf("%v: %q, want %q", c.kinds, got, c.want)
		}
	}
}

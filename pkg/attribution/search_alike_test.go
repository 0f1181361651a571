package attribution

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestSearchesAlike asks about two objects in one diagnosis: where they differ in what a search may know, there are
// two searches, where in anything else, one; and each is told what it would be told alone.
func TestSearchesAlike(t *testing.T) {
	first := stuck{
		kind: "Database", namespace: "a", name: "x", finalizer: "shop.example.com/cleanup",
		managers: []string{"shop-operator"},
	}
	note := stuck{kind: "ConfigMap", namespace: "a", name: "x", finalizer: "shop.example.com/cleanup"}
	store := stuck{kind: "CephObjectStore", namespace: "a", name: "x", finalizer: "cephobjectstore.ceph.rook.io"}
	with := func(one stuck, change func(*stuck)) stuck {
		change(&one)
		return one
	}
	cases := []struct {
		differs     string
		one, other  stuck
		searches    int
		differently bool // they know more than their names
	}{
		{"in its name", first, with(first, func(s *stuck) { s.name = "z" }), 1, false},
		{
			"in its namespace, and none has rules of its own", first, with(first, func(s *stuck) { s.namespace = "b" }),
			1, false,
		},
		{"in a namespace in which people may read", first, with(first, func(s *stuck) { s.namespace = "people" }), 1, false},
		{"in a namespace that has rules of its own", first, with(first, func(s *stuck) { s.namespace = "ruled" }), 2, true},
		{
			"in which of two namespaces with like rules", with(first, func(s *stuck) { s.namespace = "ruled" }),
			with(first, func(s *stuck) { s.namespace = "ruled-alike" }), 2, true,
		},
		{
			"in being in the namespace in which a controller lived",
			with(first, func(s *stuck) { s.managers = []string{"second"} }),
			with(first, func(s *stuck) { s.managers, s.namespace = []string{"second"}, "going" }), 1, true,
		},
		{
			"in the finalizer", first,
			with(first, func(s *stuck) { s.name, s.finalizer = "z", "shop.example.com/other" }), 2, false,
		},
		{"in the kind", first, with(first, func(s *stuck) { s.kind = "ConfigMap" }), 2, true},
		{
			"in who set the finalizer", first,
			with(first, func(s *stuck) { s.name, s.managers = "z", []string{"second"} }), 2, true,
		},
		{
			"in the order of who set it",
			with(first, func(s *stuck) { s.managers = []string{"second", "shop-operator"} }),
			with(first, func(s *stuck) { s.name, s.managers = "z", []string{"shop-operator", "second"} }), 2, false,
		},
		{
			"in that a program of no name set it", note,
			with(note, func(s *stuck) { s.name, s.managers = "z", []string{"manager"} }), 2, false,
		},
		{"in that what refuses is unread", first, with(first, func(s *stuck) { s.name, s.unsure = "z", true }), 1, true},
		{
			"in the namespace, of a finalizer that a plugin knows", store,
			with(store, func(s *stuck) { s.namespace = "own" }), 2, true,
		},
		{"in the name, of a finalizer that a plugin knows", store, with(store, func(s *stuck) { s.name = "z" }), 1, false},
	}
	for _, c := range cases {
		t.Run(c.differs, func(t *testing.T) {
			together, _ := shopFinder(t, c.one, c.other)
			var words []string
			for _, one := range []stuck{c.one, c.other} {
				alone, _ := shopFinder(t, c.one, c.other)
				want, got := told(t, alone, one), told(t, together, one)
				if got != want {
					t.Errorf("together:\n%s\nalone:\n%s", got, want)
				}
				words = append(words,
					strings.NewReplacer(one.kind+" "+one.namespace+"/"+one.name, "OBJECT", "-n "+one.namespace,
						"-n NAMESPACE", "/"+one.name+" ", "/NAME ", " in "+one.namespace, " in NAMESPACE",
						one.finalizer, "FINALIZER").Replace(got))
			}
			if together.searches.Len() != c.searches {
				t.Errorf("%d searches, want %d", together.searches.Len(), c.searches)
			}
			if differ := words[0] != words[1]; c.differently && !differ {
				t.Errorf("both are told the same, so that this proves nothing:\n%s", words[0])
			} else if c.searches == 1 && !c.differently && differ {
				t.Errorf("one search, and two answers:\n%s\n%s", words[0], words[1])
			}
		})
	}
}

// TestSearchedOnce makes sure that a thousand objects that are alike cost no read, and no search, more than one.

// TestSearchedOnce makes sure that a thousand objects that are alike cost no read, and no search, more than one.
func TestSearchedOnce(t *testing.T) {
	reads := func(count int) []string {
		var objects []stuck
		for i := range count {
			objects = append(objects,
				stuck{
					kind: "ConfigMap", namespace: fmt.Sprintf("n%d", i%10), name: fmt.Sprintf("x%d", i),
					finalizer: "shop.example.com/cleanup", managers: []string{"shop-operator"},
				})
		}
		w, memory := shopFinder(t, objects...)
		for _, object := range objects {
			told(t, w, object)
		}
		if w.searches.Len() != 1 {
			t.Errorf("%d searches for %d objects", w.searches.Len(), count)
		}
		return slices.Sorted(slices.Values(slices.DeleteFunc(memory.Reads,
			func(read string) bool { return strings.HasPrefix(read, "configmaps ") })))
	}
	if one, many := reads(1), reads(1000); !slices.Equal(one, many) {
		t.Errorf("for a thousand:\n%s\nfor one:\n%s", strings.Join(many, "\n"), strings.Join(one, "\n"))
	}
}

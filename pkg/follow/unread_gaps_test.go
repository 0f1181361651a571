package follow

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// unreadable is the answer about ConfigMap shop/target while a resource can't be read.
func unreadable(resource string) *Answer {
	answer := about(result.Undetermined)
	answer.unread = []finding.Unreadable{{Resource: resource, Why: "answered with 404"}}
	answer.Kinds = &cluster.ServedKinds{Resources: []cluster.Resource{configMaps()}}
	return answer
}

// TestUnread has answers that can't read what the ones before spoke of: nothing says that it is gone.
func TestUnread(t *testing.T) {
	stuck := about(result.Stuck, node("a", "x/y"), node("b", "x/y"))
	part := listed()
	part.unread, part.Complete = []finding.Unreadable{{Resource: "configmaps"}}, false
	part.Kinds = &cluster.ServedKinds{Resources: []cluster.Resource{configMaps()}}
	for _, c := range []struct {
		name  string
		steps []any
		want  string
	}{
		{"a kind can't be read, and comes back", []any{stuck, unreadable("configmaps"), unreadable("configmaps"), stuck},
			"2 × ConfigMap (shop/a, shop/b) can't be read at present; what became of them is not known\n" +
				"2 × ConfigMap (shop/a, shop/b) are back: the API server serves ConfigMap again\n" +
				"Undetermined: it waits\nStuck: it waits"},
		{"the same with all of a version", []any{stuck, unreadable("*.v1")},
			"2 × ConfigMap (shop/a, shop/b) can't be read at present; what became of them is not known\n" +
				"Undetermined: it waits"},
		{"a kind can't be read, and one has gone when it is back", []any{stuck, unreadable("configmaps"),
			about(result.Stuck, node("b", "x/y"))},
			"ConfigMap shop/a is no longer in the way\n" +
				"2 × ConfigMap (shop/a, shop/b) can't be read at present; what became of them is not known\n" +
				"ConfigMap shop/b is back: the API server serves ConfigMap again\n" +
				"Undetermined: it waits\nStuck: it waits"},
		{"a kind can't be read, and one is seen to go", []any{stuck, unreadable("configmaps"), deleted("a")},
			"ConfigMap shop/a is gone\n" +
				"ConfigMap shop/b can't be read at present; what became of it is not known\n" +
				"Undetermined: it waits"},
		{"what leads to them can't be read", []any{stuck, unreadable("pods"), stuck},
			"Undetermined: it waits\nStuck: it waits"},
		{"of a list", []any{listed("a"), part, listed()},
			"ConfigMap shop/a is gone\n0 objects are Terminating."},
	} {
		if got := tellingsOf(c.steps); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

// TestUnreadIsNotOver looks on while what was there can't be read.
func TestUnreadIsNotOver(t *testing.T) {
	part := listed()
	part.unread, part.Complete = []finding.Unreadable{{Resource: "configmaps"}}, false
	part.Kinds = &cluster.ServedKinds{Resources: []cluster.Resource{configMaps()}}
	s := newStory()
	s.answer(noon, listed("a"))
	s.answer(noon, part)
	if r := (&run{answer: part, story: s}); !s.kept {
		t.Error("what can't be read isn't kept")
	} else if end, over := r.over(t.Context()); over {
		t.Errorf("it ends with %d", end)
	}
	s.answer(noon, listed())
	if end, over := (&run{answer: listed(), story: s}).over(t.Context()); !over || end != Gone {
		t.Errorf("it doesn't end when all is gone: %d, %v", end, over)
	}
}

// TestContentStays has an answer leave out what is in the namespace that was asked about, as its conditions do after a
// restart of the API server: it is still in the way, until it is seen to go.
func TestContentStays(t *testing.T) {
	namespace := finding.Ref{APIVersion: "v1", Kind: "Namespace", Name: "shop", UID: "uid-shop"}
	asked := func(answer *Answer) *Answer {
		answer.Items[0].Target = namespace
		return answer
	}
	steps := []any{asked(about(result.Stuck, node("a", "x/y"))), asked(about(result.Stuck))}
	const unchanged = "Stuck: it waits"
	if got := tellingsOf(steps); got != unchanged {
		t.Errorf("an object that is there is said to have gone:\n%s", got)
	}
	if got, want := tellingsOf(append(steps, deleted("a"))), "ConfigMap shop/a is gone\n"+unchanged; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

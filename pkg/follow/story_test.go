package follow

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func configMaps() cluster.Resource {
	return cluster.Resource{
		GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"},
		Kind:                 "ConfigMap", Namespaced: true,
	}
}

// named is ConfigMap shop/NAME; its uid is its name, or what is behind a #.
func named(name string) finding.Ref {
	name, uid, given := strings.Cut(name, "#")
	if !given {
		uid = name
	}
	return finding.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: name, UID: uid}
}

// node is a Terminating object, held by finalizers.
func node(name string, finalizers ...string) graph.Node {
	one := graph.Node{Ref: named(name), Terminating: true}
	for _, finalizer := range finalizers {
		one.Holds = append(one.Holds, finding.Hold{Type: finding.Finalizer, Name: finalizer})
	}
	return one
}

// about is an answer about ConfigMap shop/target, which waits for others, for one reason each.
func about(verdict result.Verdict, nodes ...graph.Node) *Answer {
	item := result.Diagnosis{Target: named("target"), Verdict: verdict, Summary: "it waits"}
	item.Graph.Nodes = append([]graph.Node{node("target", "a/b")}, nodes...)
	if verdict == result.Stuck {
		for _, one := range nodes {
			item.RootCauses = append(item.RootCauses, result.RootCause{Reason: "Down", Key: "down", Object: one.Ref})
		}
	}
	return OfDiagnoses(&item, []result.Diagnosis{item})
}

// unknown is an answer about ConfigMap shop/target, with a cause for each of its finalizers.
func unknown(finalizers ...string) *Answer {
	item := result.Diagnosis{Target: named("target"), Verdict: result.Stuck, Summary: "it waits"}
	item.Graph.Nodes = []graph.Node{node("target", finalizers...)}
	for _, one := range finalizers {
		item.RootCauses = append(item.RootCauses,
			result.RootCause{Reason: "Unknown", Key: one, Object: item.Target, Finalizer: one})
	}
	return OfDiagnoses(&item, []result.Diagnosis{item})
}

// seen is a sighting of an object that is Terminating.
func seen(name, version string, finalizers ...string) cluster.Sighting {
	ref, now := named(name), metav1.NewTime(noon)
	return cluster.Sighting{
		Scope: cluster.Scope{Resource: configMaps(), Namespace: "shop"},
		Objects: []*metav1.PartialObjectMetadata{{ObjectMeta: metav1.ObjectMeta{
			Namespace: ref.Namespace, Name: ref.Name, UID: types.UID(ref.UID), ResourceVersion: version,
			Finalizers: finalizers, DeletionTimestamp: &now,
		}}},
	}
}

func deleted(name string) cluster.Sighting {
	sighting := seen(name, "9")
	sighting.Deleted = true
	return sighting
}

// allOf is a sighting of these and no others.
func allOf(sightings ...cluster.Sighting) cluster.Sighting {
	all := cluster.Sighting{Scope: cluster.Scope{Resource: configMaps(), Namespace: "shop"}, All: true}
	for _, sighting := range sightings {
		all.Objects = append(all.Objects, sighting.Objects...)
	}
	return all
}

// tellingsOf takes answers and sightings, and returns what is told after the first.
func tellingsOf(steps []any) string {
	s := newStory()
	for i, step := range steps {
		switch step := step.(type) {
		case *Answer:
			s.answer(noon, step)
		case cluster.Sighting:
			s.saw(noon, step)
		}
		if i == 0 {
			s.tellings()
		}
	}
	var told []string
	for _, change := range s.tellings() {
		told = append(told, print.Change(change))
	}
	return strings.Join(told, "\n")
}

func TestStory(t *testing.T) {
	stuck := about(result.Stuck, node("a", "x/y"), node("b", "x/y"))
	for _, c := range []struct {
		name  string
		steps []any // answers and sightings; after the first answer, all that happens is told
		want  string
	}{
		{"the same again", []any{stuck, stuck}, ""},
		{"the answer is another one", []any{stuck, about(result.Progressing, node("a", "x/y"), node("b", "x/y"))},
			"Down is no longer a root cause: 2 × ConfigMap (shop/a, shop/b)\nProgressing: it waits"},
		{"one of two causes of an object is cleared", []any{unknown("a/b", "x/y"), unknown("x/y")},
			"ConfigMap shop/target: the finalizer a/b was removed\n" +
				"Unknown is no longer a root cause: ConfigMap shop/target, finalizer a/b\nStuck: it waits"},
		{"the only cause of an object is cleared", []any{unknown("a/b"), unknown()},
			"ConfigMap shop/target: the finalizer a/b was removed\n" +
				"Unknown is no longer a root cause: ConfigMap shop/target\nStuck: it waits"},
		{"seen for the first time", []any{stuck, seen("a", "1", "x/y")}, ""},
		{"a finalizer goes", []any{stuck, seen("a", "1", "x/y"), seen("a", "2")},
			"ConfigMap shop/a: the finalizer x/y was removed"},
		{"one went between the look and the watch", []any{stuck, seen("a", "1")},
			"ConfigMap shop/a: the finalizer x/y was removed"},
		{"the same goes of two", []any{stuck, seen("a", "1"), seen("b", "2")},
			"2 × ConfigMap (shop/a, shop/b): the finalizer x/y was removed"},
		{"a finalizer goes from look to look", []any{stuck, about(result.Stuck, node("a"), node("b", "x/y"))},
			"ConfigMap shop/a: the finalizer x/y was removed"},
		{"an answer that is older than what a watch saw", []any{stuck, seen("a", "8"), func() *Answer {
			answer := about(result.Stuck, node("a", "x/y"), node("b", "x/y"))
			answer.Versions = map[finding.Ref]string{named("a").Place(): "7"}
			return answer
		}(), seen("a", "8")}, "ConfigMap shop/a: the finalizer x/y was removed"},
		{"an object goes", []any{stuck, seen("a", "1", "x/y"), deleted("a")}, "ConfigMap shop/a is gone"},
		{"of what goes nothing else is told", []any{stuck, seen("a", "1"), deleted("a")}, "ConfigMap shop/a is gone"},
		{"it goes once", []any{stuck, deleted("a"), deleted("a"), about(result.Stuck, node("b", "x/y"))},
			"ConfigMap shop/a is gone"},
		{"an answer that is older than what was seen", []any{stuck, deleted("a"), stuck}, "ConfigMap shop/a is gone"},
		{"what a watch missed", []any{stuck, allOf(seen("b", "1", "x/y"), seen("target", "1", "a/b"))},
			"ConfigMap shop/a is gone"},
		{"of a target it takes a look", []any{stuck, allOf(seen("a", "1", "x/y"), seen("b", "1", "x/y"))}, ""},
		{"a watch of others", []any{stuck, cluster.Sighting{All: true, Scope: cluster.Scope{
			Resource: configMaps(), Namespace: "other"}}}, ""},
		{"out of the answer, and not seen to go", []any{stuck, about(result.Stuck, node("b", "x/y"))},
			"ConfigMap shop/a is no longer in the way"},
		{"more is in the way", []any{stuck, about(result.Stuck, node("a", "x/y"), node("b", "x/y"), node("c", "x/y"))},
			"ConfigMap shop/c is Terminating, too"},
		{"another one of its name", []any{stuck, seen("a#2", "9", "x/y")}, "ConfigMap shop/a is gone"},
		{"less could be read", []any{stuck, func() *Answer {
			answer := about(result.Undetermined, node("a", "x/y"), node("b", "x/y"))
			answer.unread = []finding.Unreadable{{Resource: "pods"}}
			return answer
		}()}, "Undetermined: it waits"},
		{"the target goes", []any{stuck, deleted("target")}, "ConfigMap shop/target is gone"},
		{"the target is gone", []any{stuck, &Answer{Over: true,
			Gone: []result.Change{{What: result.IsGone, Objects: []finding.Ref{named("target")}}}}},
			"ConfigMap shop/target is gone"},
	} {
		if got := tellingsOf(c.steps); got != c.want {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

// listed is the answer of a list of some stuck objects.
func listed(names ...string) *Answer {
	list := &result.List{}
	for _, name := range names {
		list.Items = append(list.Items, result.ListItem{Target: named(name), Verdict: result.Stuck})
		list.Graph.Nodes = append(list.Graph.Nodes, node(name, "x/y"))
	}
	return OfList(list, print.Headline(list))
}

func TestStoryOfAList(t *testing.T) {
	s := newStory()
	s.answer(noon, listed("a", "b"))
	s.tellings()
	s.answer(noon, listed("b"))
	told := s.tellings()
	if len(told) != 2 || print.Change(told[0]) != "ConfigMap shop/a is gone" ||
		print.Change(told[1]) != "1 object is Terminating and stuck." {
		t.Errorf("what isn't listed any more: %v", told)
	}
	s.answer(noon, listed("b", "c"))
	s.tellings()
	part := listed("c")
	part.Complete = false
	s.answer(noon, part)
	if told := s.tellings(); print.Change(told[0]) != "ConfigMap shop/b is no longer in the way" {
		t.Errorf("what an answer in part doesn't list may be there still: %v", told)
	}
}

// TestStoryTellsWhatMatters holds which changes ask for a look soon, which later, and which for none.
func TestStoryTellsWhatMatters(t *testing.T) {
	live := func(version string) cluster.Sighting {
		sighting := seen("live", version)
		sighting.Objects[0].DeletionTimestamp = nil
		return sighting
	}
	answer := about(result.Stuck, node("a", "x/y", "z/z"), node("read", "x/y"), graph.Node{Ref: named("live")})
	answer.Versions = map[finding.Ref]string{named("read").Place(): "7"}
	for _, c := range []struct {
		name  string
		sight []cluster.Sighting
		want  difference
	}{
		{"first seen", []cluster.Sighting{live("1")}, nothing},
		{"first seen, as it was read", []cluster.Sighting{seen("read", "7", "x/y")}, nothing},
		{"first seen, and written since it was read", []cluster.Sighting{seen("read", "8", "x/y")}, written},
		{"first seen, being deleted", []cluster.Sighting{seen("a", "1", "x/y", "z/z")}, nothing},
		{"seen again", []cluster.Sighting{live("1"), live("1")}, nothing},
		{"written", []cluster.Sighting{live("1"), live("2")}, written},
		{"gone", []cluster.Sighting{live("1"), deleted("live")}, holds},
		{"deleted", []cluster.Sighting{live("1"), seen("live", "2")}, holds},
		{"a finalizer goes", []cluster.Sighting{seen("a", "1", "x/y")}, holds},
		{"a finalizer comes", []cluster.Sighting{seen("a", "1", "x/y", "z/z"), seen("a", "2", "x/y", "z/z", "n/n")}, written},
		{"the target isn't listed", []cluster.Sighting{allOf(seen("a", "1", "x/y", "z/z"))}, decides},
		{"the target's finalizer goes", []cluster.Sighting{seen("target", "1")}, decides},
		{"the last one goes", []cluster.Sighting{deleted("read"), deleted("a")}, decides},
		{"a stranger is being deleted", []cluster.Sighting{seen("stranger", "1", "x/y")}, written},
		{"a stranger goes", []cluster.Sighting{deleted("stranger")}, nothing},
	} {
		s := newStory()
		s.answer(noon, answer)
		is := nothing
		for _, sighting := range c.sight {
			is = nothing
			for _, one := range s.saw(noon, sighting) {
				is = max(is, one)
			}
		}
		if is != c.want {
			t.Errorf("%s: %d, want %d", c.name, is, c.want)
		}
	}
}

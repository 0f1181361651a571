package finding_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestJoin joins steps about two objects: into one command where kubectl takes several objects, a command for each
// namespace, and never what does something else, or only looks.
func TestJoin(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string
		want          string // no command where they stay two steps
	}{
		"deletions": {
			"kubectl -n a delete pods/p", "kubectl -n a delete pods/q", "kubectl -n a delete pods/p pods/q",
		},
		"of two kinds": {
			"kubectl delete nodes/n", "kubectl delete volumes/v", "kubectl delete nodes/n volumes/v",
		},
		"in two namespaces": {
			"kubectl -n a delete pods/p", "kubectl -n b delete pods/p",
			"kubectl -n a delete pods/p; kubectl -n b delete pods/p",
		},
		"of the same object":  {"kubectl -n a delete pods/p", "kubectl -n a delete pods/p", "kubectl -n a delete pods/p"},
		"with another flag":   {"kubectl -n a delete pods/p", "kubectl -n a delete pods/q --force", ""},
		"patches that differ": {`kubectl patch pods/p -p {"a":"1"}`, `kubectl patch pods/q -p {"a":"2"}`, ""},
		"patches for one object each": {
			`kubectl patch pods/p -p [{"path":"/metadata/uid","value":"1"}]`,
			`kubectl patch pods/q -p [{"path":"/metadata/uid","value":"2"}]`,
			`kubectl patch pods/p -p [{"path":"/metadata/uid","value":"1"}]; ` +
				`kubectl patch pods/q -p [{"path":"/metadata/uid","value":"2"}]`,
		},
		"that look":            {"kubectl -n a describe pods/p", "kubectl -n a describe pods/q", ""},
		"for one object alone": {"kubectl -n a debug pods/p", "kubectl -n a debug pods/q", ""},
		"with a path in a flag": {
			"kubectl --kubeconfig /k delete pods/p", "kubectl --kubeconfig /k delete pods/q",
			"kubectl --kubeconfig /k delete pods/p pods/q",
		},
		"removals": {
			"kubectl finalizers remove pods/p -n a --finalizer x/y --force",
			"kubectl finalizers remove pods/q -n a --finalizer x/z --force",
			"kubectl finalizers remove pods/p pods/q -n a --finalizer x/y --finalizer x/z --force",
		},
	} {
		step := func(command string) finding.Remedy {
			return finding.Remedy{Step: "ForgetPod", Command: strings.Fields(command)}
		}
		first := step(c.first)
		joined, same := first.Join(step(c.second), c.first != c.second)
		var commands []string
		for _, command := range joined.Commands() {
			commands = append(commands, strings.Join(command, " "))
		}
		if got := strings.Join(commands, "; "); same != (c.want != "") || same && got != c.want {
			t.Errorf("%s: %q, joined: %t, want %q", name, got, same, c.want)
		}
		if strings.Join(first.Command, " ") != c.first {
			t.Errorf("%s: the first step was changed to %q", name, first.Command)
		}
	}
}

// TestJoinMany names as many objects as fit a screen, and counts all.
func TestJoinMany(t *testing.T) {
	step := func(number int) finding.Remedy {
		pod := fmt.Sprintf("pods/p-%d", number)
		return finding.Remedy{Step: "StopPod", Command: finding.Command{"kubectl", "delete", pod}}
	}
	all := step(0)
	for number := range 49 {
		all, _ = all.Join(step(number+1), true)
	}
	if named := len(all.Command) - 2; all.Others != 49 || all.Left != 30 || named != 20 {
		t.Errorf("%d others, %d left, %d named, want 49, 30 and 20", all.Others, all.Left, named)
	}
	if said := (finding.Voice{}).Action(all); !strings.Contains(said, "19 of 49 others") {
		t.Errorf("it says %q", said)
	}
}

// TestJoinManyPatches prints a few commands where each object needs its own, and counts all.
func TestJoinManyPatches(t *testing.T) {
	step := func(number int) finding.Remedy {
		return finding.Remedy{Step: "StopPod", Command: finding.Command{
			"kubectl", "patch", fmt.Sprintf("pods/p-%d", number), "-p",
			fmt.Sprintf(`[{"path":"/metadata/uid","value":%d}]`, number),
		}}
	}
	all := step(0)
	for number := range 9 {
		all, _ = all.Join(step(number+1), true)
	}
	if len(all.Commands()) != 5 || all.Others != 9 || all.Left != 5 {
		t.Errorf("%d commands, %d others, %d left, want 5, 9 and 5", len(all.Commands()), all.Others, all.Left)
	}
}

// TestLossOfSeveral joins the losses of objects of one kind, with what each names, and not those of two kinds.
func TestLossOfSeveral(t *testing.T) {
	step := func(kind, name, bucket string) finding.Remedy {
		loss := &finding.Loss{
			Object: finding.Ref{Kind: kind, Name: name}, Named: []finding.Named{{What: "bucket", Values: []string{bucket}}},
		}
		return finding.Remedy{
			Step: "RemoveEntryOfController", Details: finding.StepDetails{Loss: loss},
			Command: finding.Command{"kubectl", "finalizers", "remove", strings.ToLower(kind) + "s/" + name, "--force"},
		}
	}
	joined, same := step("Store", "a", "red").Join(step("Store", "b", "blue"), true)
	details, _ := joined.Details.(finding.StepDetails)
	if said := (finding.Voice{}).Loss(*details.Loss); !same || !strings.Contains(said, "Store a and 1 other object") ||
		!strings.Contains(said, "red") || !strings.Contains(said, "blue") {
		t.Errorf("joined: %t, loses %q", same, said)
	}
	if _, same := step("Store", "a", "red").Join(step("User", "b", "blue"), true); same {
		t.Error("what is lost of two kinds was joined")
	}
}

// TestJoinCountsWhatItIsAbout counts the objects that steps are about, also where one cause has them at one place.
func TestJoinCountsWhatItIsAbout(t *testing.T) {
	forget := func(name string) finding.Remedy {
		pod := finding.Ref{Kind: "Pod", Namespace: "a", Name: name}
		return finding.Remedy{
			Step: "ForgetPod", Details: finding.StepDetails{Object: &pod},
			Command: finding.Command{"kubectl", "delete", "pods/" + name},
		}
	}
	for name, others := range map[string]int{"p": 0, "q": 1} {
		if joined, same := forget("p").Join(forget(name), false); !same || joined.Others != others {
			t.Errorf("p and %s: joined %t, with %d others, want %d", name, same, joined.Others, others)
		}
	}
}

package print_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func stepsNamed(names ...string) (steps []finding.Remedy) {
	for _, name := range names {
		steps = append(steps, finding.Remedy{Step: name, Action: name + " it."})
	}
	return steps
}

// TestOrder has what is to be known before anything is done at the head of WHAT TO DO, what comes later after it, and
// the steps of one answer in one list of numbers; what goes and what stays are told apart.
func TestOrder(t *testing.T) {
	cause := causeOf("a.example.com/x", "")
	cause.Remedies = stepsNamed("Ask", "Remove")
	notes := []result.Observation{
		{Verdict: result.Undetermined, Object: cause.Object, Message: "That is open.", Remedies: stepsNamed("Look")},
		{Situation: "WaitsBelow", Object: cause.Object, Message: "That comes later.", Remedies: stepsNamed("Read")},
		{Situation: "MirrorPod", Object: cause.Object, Message: "That is so.", Remedies: stepsNamed("Install")},
		{Situation: "OrphansAtRisk", Object: cause.Object, Message: "Do not delete it."},
	}
	second := causeOf("b.example.com/y", "")
	second.Reason, second.Situation = finding.ControllerDown, "ControllerNotRunning"
	second.Remedies = stepsNamed("Start", "Force")
	takes := []finding.Taken{
		{Situation: "VolumeDeleted", Message: "Volume a."}, {Situation: "VolumeKept", Message: "Volume b."},
	}
	keep := stepsNamed("Keep")[0]
	for name, c := range map[string]struct {
		of   result.Diagnosis
		want []string
	}{
		"a cause": {
			result.Diagnosis{Verdict: result.Undetermined, RootCauses: []result.RootCause{cause}, Keep: &keep},
			[]string{"UNKNOWN CAUSE", "NOT CLEAR", "That is open.", "ALSO", "That is so.", "DELETED WITH IT", "- Volume a.",
				"LEFT BEHIND", "- Volume b.", "WHAT TO DO", "Do not delete it.", "1. Ask it.", "2. Remove it.",
				"About what is under NOT CLEAR:", "3. Look it.", "About what is under ALSO:", "4. Install it.", "NEXT",
				"That comes later.", "1. Read it."},
		},
		"two causes": {
			result.Diagnosis{Verdict: result.Undetermined, RootCauses: []result.RootCause{cause, second}},
			[]string{"WHAT TO DO", "About cause 1", "1. Ask it.", "2. Remove it.", "About cause 2",
				"1. Start it.", "2. Force it.",
				"About what is under NOT CLEAR:", "3. Look it."},
		},
		"no cause": {
			result.Diagnosis{Verdict: result.Undetermined, Keep: &keep},
			[]string{"NOT CLEAR", "That is open.", "DELETED WITH IT", "WHAT TO DO", "Do not delete it.", "1. Keep it.",
				"2. Look it.", "3. Install it.", "NEXT", "1. Read it."},
		},
		"nothing Terminating": {
			result.Diagnosis{Verdict: result.NotTerminating, Keep: &keep},
			[]string{"WOULD BE DELETED WITH IT", "WOULD BE LEFT BEHIND", "1. Keep it.", "NOT CLEAR", "2. Look it.",
				"IN DETAIL", "That comes later.", "3. Read it.", "That is so.", "4. Install it.", "Do not delete it."},
		},
	} {
		c.of.Target, c.of.Observations, c.of.Takes = cause.Object, notes, takes
		text := human(t, &c.of, print.Style{})
		rest := text
		for _, want := range c.want {
			_, after, found := strings.Cut(rest, want)
			if !found {
				t.Errorf("%s: %q isn't where it should be:\n%s", name, want, text)
				break
			}
			rest = after
		}
	}
}

// TestAlsoBlocks says of an object of another kind that the same controller holds it, not that the same applies; and
// names all objects where what is said of the cause names none.
func TestAlsoBlocks(t *testing.T) {
	named, first := causeOf("a.example.com/x", ""), causeOf("a.example.com/x", "").Object
	named.Message = first.String() + " is held."
	for _, c := range []struct {
		cause      result.RootCause
		kind, want string
	}{
		{named, "Secret", "This also blocks Secret shop/other."},
		{named, "ConfigMap", "The same applies to ConfigMap shop/other."},
		{causeOf("a.example.com/x", ""), "ConfigMap", "The finalizer is on " + first.String() + " and ConfigMap shop/other."},
	} {
		cause, kind, want := c.cause, c.kind, c.want
		cause.Count, cause.Others = 2, []finding.Ref{ref(kind, "other")}
		d := &result.Diagnosis{Verdict: result.Stuck, Target: cause.Object, RootCauses: []result.RootCause{cause}}
		if text := human(t, d, print.Style{}); !strings.Contains(text, want) {
			t.Errorf("%s: want %q:\n%s", kind, want, text)
		}
	}
}

// TestFewDescribed describes all of a few causes, and of more the first three; fewer where they need many lines. It
// names the others, with their first steps where there is room.
func TestFewDescribed(t *testing.T) {
	for _, c := range []struct{ count, stepsOfEach, described, steps int }{
		{1, 1, 1, 1}, {4, 1, 4, 4}, {5, 1, 3, 5}, {12, 1, 3, 9},
		{1, 100, 1, 100}, {2, 50, 1, 51}, {3, 30, 2, 61}, {4, 18, 3, 55}, {4, 25, 2, 52}, {4, 73, 1, 73},
	} {
		answer := result.Diagnosis{Verdict: result.Stuck}
		for number := range c.count {
			cause := causeOf(fmt.Sprintf("a.example.com/x%d", number), "")
			cause.Object.Name = fmt.Sprintf("held-%d", number)
			cause.Message, cause.Remedies = "Message of "+cause.Object.Name, nil
			for step := range c.stepsOfEach {
				cause.Remedies = append(cause.Remedies, stepsNamed(fmt.Sprintf("Ask%s-%d", cause.Object.Name, step))...)
			}
			answer.RootCauses = append(answer.RootCauses, cause)
		}
		for _, wide := range []bool{false, true} {
			described, wanted := c.described, c.steps
			if wide {
				described, wanted = c.count, c.count*c.stepsOfEach
			}
			text := human(t, &answer, print.Style{Wide: wide})
			messages, steps := strings.Count(text, "Message of "), strings.Count(text, " Askheld-")
			left := strings.Contains(text, " MORE CAUSE")
			if messages != described || steps != wanted || left != (described < c.count) {
				t.Errorf("%d causes of %d steps, wide %t: %d messages, %d steps, want %d and %d:\n%s", c.count, c.stepsOfEach,
					wide, messages, steps, described, wanted, text)
			}
		}
	}
}

// TestCausesOfTheCluster describes what concerns the whole cluster in the answer about a namespace behind what is the
// namespace's own, and only where nothing else blocks that or there is room for it. Else it has the first step.
func TestCausesOfTheCluster(t *testing.T) {
	own := causeOf("a.example.com/x", "")
	own.Remedies = stepsNamed("Ask")
	long := own
	for number := range 80 {
		long.Remedies = append(long.Remedies, stepsNamed(fmt.Sprintf("Try%d", number))...)
	}
	unavailable := result.RootCause{
		Reason: finding.APIServiceUnavailable, Object: finding.Ref{Kind: "APIService", Name: "v1.x"}, Count: 1,
		Message: "It does not answer.", Remedies: stepsNamed("Start", "Delete"),
	}
	namespace := finding.Ref{APIVersion: "v1", Kind: "Namespace", Name: "shop"}
	for name, c := range map[string]struct {
		target       finding.Ref
		causes       []result.RootCause
		described    bool
		first, other string
	}{
		"beside another":           {namespace, []result.RootCause{unavailable, own}, true, "Controller", "APIService"},
		"beside a long answer":     {namespace, []result.RootCause{unavailable, long}, false, "Controller", ""},
		"alone":                    {namespace, []result.RootCause{unavailable}, true, "", ""},
		"of something else's wait": {own.Object, []result.RootCause{unavailable, own}, true, "APIService", "Controller"},
	} {
		answer := result.Diagnosis{
			Verdict: result.Stuck, Target: c.target, RootCauses: c.causes,
			Wide: finding.Command{"kubectl", "finalizers", "why", "ns/shop", "-o", "wide"},
		}
		got := human(t, &answer, print.Style{})
		in := strings.Contains(got, "It does not answer.") && strings.Contains(got, "Start it.")
		listed := strings.Contains(got, "1 MORE CAUSE\n") && strings.Contains(got, "APIService v1.x") &&
			strings.Contains(got, "First step: Start it.") && !strings.Contains(got, "Delete it.") &&
			strings.Contains(got, "    kubectl finalizers why ns/shop -o wide\n")
		numbered := (c.first == "" || strings.Contains(got, "CAUSE 1 of 2  "+c.first)) &&
			(c.other == "" || strings.Contains(got, "CAUSE 2 of 2  "+c.other))
		if in != c.described || listed == c.described || !numbered {
			t.Errorf("%s: described %t, listed %t, numbered %t:\n%s", name, in, listed, numbered, got)
		}
	}
}

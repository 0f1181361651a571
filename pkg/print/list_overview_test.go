package print_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// manyCauses is a list with a known cause that holds so many pods, a cause alone, and some unknown ones.
func manyCauses(pods, unknown int) *result.List {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	list := &result.List{GeneratedAt: at.Add(time.Hour)}
	add := func(cause result.RootCause, held ...finding.Ref) {
		for _, object := range held {
			item := result.ListItem{
				Target: object, Resource: strings.ToLower(object.Kind) + "s", Verdict: result.Stuck,
				Deletion: result.Deletion{RequestedAt: at}, Ask: strings.Fields("kubectl finalizers why " + object.Name),
			}
			item.RootCauses = []result.ItemCause{{Index: len(list.RootCauses), Reason: cause.Reason, Object: cause.Object,
				Count: 1}}
			list.Items = append(list.Items, item)
		}
		cause.Count, cause.Frees = max(1, cause.Count), len(held)
		list.RootCauses = append(list.RootCauses, cause)
	}
	var onNode []finding.Ref
	for i := range pods {
		onNode = append(onNode, ref("Pod", fmt.Sprintf("p-%02d", i)))
	}
	for i := range unknown {
		cause := causeOf(fmt.Sprintf("f-%02d.example.com/x", i), "")
		cause.Object = ref("ConfigMap", fmt.Sprintf("c-%02d", i))
		add(cause, cause.Object)
	}
	add(result.RootCause{Reason: finding.NodeNotReady, Certainty: finding.Likely, Object: finding.Ref{Kind: "Node",
		Name: "n1"}, Message: "Node n1 is dead."}, onNode...)
	add(result.RootCause{Reason: finding.OwnershipDeadlock, Certainty: finding.Proven, Object: ref("Secret", "loop"),
		Message: "It waits for itself."}, ref("Secret", "loop"))
	return list
}

// TestListOverview opens with a table of the causes, describes each once, and puts the unknown ones together.
func TestListOverview(t *testing.T) {
	for _, c := range []struct {
		pods, unknown, lines int
		says                 []string
	}{
		{pods: 40, unknown: 0, lines: 16, says: []string{
			"#   CAUSE               OBJECTS   FOR   ABOUT\n1   NodeNotReady        40        1h    Node n1\n2   " +
				"OwnershipDeadlock   1         1h    Secret shop/loop\n",
			"    1h    40      Pod    shop/p-00, shop/p-01, shop/p-02 and 37 more\n",
			"CAUSE 1 of 2  NodeNotReady (likely)\n",
			"OwnershipDeadlock (proven)\n  It waits for itself.\n  More: kubectl", // no table of itself
		}},
		{pods: 1, unknown: 2, lines: 34, says: []string{"CAUSE 2 of 4  ControllerUnknown\n",
			"CAUSE 4 of 4  OwnershipDeadlock (proven)\n"}},
		{pods: 1, unknown: 90, lines: 45, says: []string{
			"1      NodeNotReady ", "3-92   ControllerUnknown   90        1h    f-00.example.com/x,",
			"CAUSES 3 to 92 of 92  ControllerUnknown\n", "  90 finalizers block 90 objects. It is not clear why",
			"ConfigMap   f-11.example.com/x   shop/c-11\n    and 78 more rows; -o wide has a row for each object\n",
		}},
	} {
		var out bytes.Buffer
		list := manyCauses(c.pods, c.unknown)
		if err := print.Result(t.Context(), &out, list, print.FormatHuman, print.Style{}); err != nil {
			t.Fatal(err)
		}
		for _, want := range c.says {
			if !strings.Contains(out.String(), want) {
				t.Errorf("it doesn't say %q", want)
			}
		}
		if lines := strings.Count(out.String(), "\n"); lines > c.lines {
			t.Errorf("%d lines, want %d at most", lines, c.lines)
		}
		if t.Failed() {
			t.Fatalf("%d pods, %d unknown:\n%s", c.pods, c.unknown, &out)
		}
	}
}

// TestNotLookedAtIsShort writes what failed alike in one line, by kinds, and each in wide output.
func TestNotLookedAtIsShort(t *testing.T) {
	check := &result.Check{}
	for i := range 30 {
		check.Unreadable = append(check.Unreadable, finding.Unreadable{Resource: "pods", Namespace: fmt.Sprintf("n-%02d", i),
			Why: "forbidden"})
		if i < 4 {
			check.Unreadable = append(check.Unreadable,
				finding.Unreadable{Resource: "nodes", Name: fmt.Sprintf("n-%d", i), Why: "forbidden"},
				finding.Unreadable{Resource: "leases", Namespace: "kube-system", Name: fmt.Sprintf("l-%d", i), Why: "forbidden"},
				finding.Unreadable{Resource: fmt.Sprintf("kind%d", i), Why: "forbidden"})
		}
	}
	check.Unreadable = append(check.Unreadable, finding.Unreadable{Resource: "jobs", Why: finding.FailedRead,
		Error: "no route"})
	for format, want := range map[string]string{
		print.FormatHuman: "\nNOT LOOKED AT\n  - pods in 30 namespaces, nodes (4 objects), " +
			"leases (4 objects in kube-system)\n" +
			"    and 4 more kinds (forbidden); -o wide lists them all\n  - jobs (failed): no route\n",
		print.FormatWide: "leases l-0, l-1, l-2, l-3 in kube-system; kind0; kind1; kind2; kind3.",
	} {
		var out bytes.Buffer
		if err := print.Result(t.Context(), &out, check, format, print.Style{}); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if format == print.FormatWide {
			text = strings.Join(strings.Fields(text), " ")
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s: got\n%s", format, &out)
		}
	}
}

// TestUnreadIsFollowedUp names each command that helps with what was not looked at once.
func TestUnreadIsFollowedUp(t *testing.T) {
	ask := finding.Command{"kubectl", "finalizers", "check", "-A"}
	list := &result.List{Items: []result.ListItem{{Target: finding.Ref{Kind: "Pod", Name: "p"}}}}
	for _, kind := range []string{"loaves", "rolls", "pods"} {
		unread := finding.Unreadable{Resource: kind, Why: finding.ForbiddenRead}
		if kind != "pods" {
			unread.Why, unread.Ask = "its conversion webhook failed", ask
		}
		list.Unreadable = append(list.Unreadable, unread)
	}
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, list, print.FormatHuman, print.Style{}); err != nil {
		t.Fatal(err)
	}
	const want = "  To see why, and what to do:\n    kubectl finalizers check -A\n"
	if !strings.HasSuffix(out.String(), want) || strings.Count(out.String(), want) != 1 {
		t.Errorf("got\n%s", &out)
	}
}

// TestListFits shows as many causes in detail as fit on two screens, and all of them in the table.
func TestListFits(t *testing.T) {
	for _, c := range []struct{ causes, steps, atLeast int }{{3, 1, 3}, {9, 1, 4}, {15, 1, 3}, {40, 3, 1}, {12, 9, 1}} {
		list := manyCauses(4, 0)
		for i := range c.causes - len(list.RootCauses) {
			object := ref("Service", fmt.Sprintf("s-%02d", i))
			list.RootCauses = append(list.RootCauses, result.RootCause{
				Reason: finding.ControllerMissing, Certainty: finding.Likely, Object: object, Count: 1, Frees: 1,
				Message:  strings.Repeat("It waits for a program that is not there. ", c.steps),
				Remedies: stepsNamed(strings.Repeat("Start the program again. ", c.steps)),
			})
			list.Items = append(list.Items, result.ListItem{
				Target: object, Resource: "services", Verdict: result.Stuck, Deletion: list.Items[0].Deletion,
				RootCauses: []result.ItemCause{{Index: len(list.RootCauses) - 1}},
			})
		}
		var out bytes.Buffer
		if err := print.Result(t.Context(), &out, list, print.FormatHuman, print.Style{}); err != nil {
			t.Fatal(err)
		}
		lines, told := strings.Count(out.String(), "\n"), strings.Count(out.String(), fmt.Sprintf(" of %d  ", c.causes))
		if lines > 80 || told < c.atLeast {
			t.Errorf("%+v: %d lines, %d causes in detail:\n%s", c, lines, told, &out)
		}
		left := fmt.Sprintf("Causes %d to %d are not shown", told+1, c.causes)
		if told < c.causes && !strings.Contains(out.String(), left) {
			t.Errorf("%+v: it does not say which causes it leaves out:\n%s", c, &out)
		}
	}
}

// TestListCountsObjectsOnce counts an object once that two finalizers hold about which nothing is known.
func TestListCountsObjectsOnce(t *testing.T) {
	list := manyCauses(1, 6)
	twice := list.Items[4]
	list.RootCauses[5].Object = twice.Target
	list.Items[4].RootCauses = append(twice.RootCauses, list.Items[5].RootCauses...)
	list.Items = append(list.Items[:5], list.Items[6:]...)
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, list, print.FormatHuman, print.Style{}); err != nil {
		t.Fatal(err)
	}
	const want = "  6 finalizers block 5 objects."
	if !strings.Contains(out.String(), want) {
		t.Errorf("it does not say %q:\n%s", want, out.String())
	}
}

package print_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestSameWordsAreOneGroup names the object before the clause continues about it, and says the same once.
func TestSameWordsAreOneGroup(t *testing.T) {
	item := func(name, key, awaits string) result.ListItem {
		return result.ListItem{Target: ref("Namespace", name), Resource: "namespaces", Verdict: result.Progressing, Key: key,
			Fares: awaits}
	}
	list := &result.List{Items: []result.ListItem{
		item("a", "1", "waits for the manager to empty it"), item("b", "2", "waits for the manager to empty it"),
		item("c", "3", "waits for the keeper to let it go, for 2m"),
		item("d", "3", "waits for the keeper to let it go, for 1m"),
		item("e", "4", "waits for the ringer to remove the finalizer from it"),
	}}
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, list, "human", print.Style{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Each of these waits for the manager to empty it:", "Each of these waits for the keeper to let it go, for 2m:",
		list.Items[4].Target.String() + " (Terminating for an unknown time) waits for the ringer to",
	} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("it doesn't say %q once:\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "1m") {
		t.Errorf("objects of one key are told apart:\n%s", &out)
	}
}

// TestReleases names what else blocks the objects of a cause.
func TestReleases(t *testing.T) {
	cause := func(name string, frees int) result.RootCause {
		return result.RootCause{Reason: "StillInUse", Object: ref("Pod", name), Count: 1, Frees: frees, Certainty: "Proven"}
	}
	item := func(name string, causes ...int) result.ListItem {
		listItem := result.ListItem{Target: ref("ConfigMap", name), Resource: "configmaps", Verdict: result.Stuck}
		for _, index := range causes {
			listItem.RootCauses = append(listItem.RootCauses, result.ItemCause{Index: index})
		}
		return listItem
	}
	list := &result.List{
		RootCauses: []result.RootCause{cause("a", 1), cause("b", 0), cause("c", 1)},
		Items: []result.ListItem{
			item("one", 0), item("two", 0, 1), item("three", 0, 1), item("four", 0), item("five", 2, 0),
		},
	}
	list.Items[3].Besides.Unclear = true
	list.RootCauses[2].EndsWith = []int{0}
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, list, "human", print.Style{Width: 200}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"Fixing this releases 2 of these 5 objects. Cause 2 also blocks 2 of them. " +
			"It is not clear whether anything else blocks ConfigMap shop/four. FOR",
		") Cause 1 also blocks them. FOR", ") Fixing cause 1 fixes this too. FOR",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("it doesn't say %q once:\n%s", want, &out)
		}
	}
}

// TestListOfKeptData names the step that only keeps data as what comes before all, and after it, if another cause has
// named it, the first step about this one. An object that a cause blocks with less certainty is said to be one.
func TestListOfKeptData(t *testing.T) {
	keep := finding.Remedy{Step: "RetainFirst", Action: "BEFORE ANYTHING ELSE, keep it.", Command: finding.Command{"keep"}}
	cause := func(name string) result.RootCause {
		stop := finding.Remedy{Action: "Stop " + name + ".", Command: finding.Command{"stop", name}}
		return result.RootCause{Reason: "StillInUse", Object: ref("Pod", name), Count: 1, Frees: 1, Certainty: "Proven",
			Remedies: []finding.Remedy{keep, stop}}
	}
	list := &result.List{RootCauses: []result.RootCause{cause("a"), cause("b")}}
	for index, certainty := range []finding.Certainty{"Likely", "Proven"} {
		list.Items = append(list.Items, result.ListItem{
			Target: ref("ConfigMap", fmt.Sprint(index)), Resource: "configmaps", Verdict: result.Stuck,
			RootCauses: []result.ItemCause{{Index: index, Certainty: certainty}},
		})
	}
	var out bytes.Buffer
	if err := print.Result(t.Context(), &out, list, "human", print.Style{Width: 200}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), " ")
	for _, want := range []string{
		"KIND CERTAINTY OBJECTS an unknown time 1 ConfigMap likely shop/0 BEFORE ANYTHING ELSE, keep it. keep " +
			"Then: Stop a. stop a",
		"KIND OBJECTS an unknown time 1 ConfigMap shop/1 First: As for cause 1: BEFORE ANYTHING ELSE, keep it. " +
			"Then: Stop b. stop b",
	} {
		if strings.Count(text, want) != 1 {
			t.Errorf("it doesn't say %q once:\n%s", want, &out)
		}
	}
}

package print_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestSaidOnce quotes long words once, shows the evidence of the best rank, and tells a step once; wide output has all.
func TestSaidOnce(t *testing.T) {
	words := strings.Repeat("no role lets it ", 6) + "at all"
	said := func(rank finding.Rank, source, observed string) finding.Evidence {
		return finding.Observed(source, "%s", observed).Ranked(rank)
	}
	keep := finding.Remedy{
		Step: "Keep", Action: "Keep the data.", Command: finding.Command{"kubectl", "patch", "pv/disk"}, Risk: finding.NoRisk,
	}
	cause := result.RootCause{
		Reason: finding.ControllerForbidden, Certainty: finding.Likely, Object: ref("Database", "db"), Count: 1,
		Message: "It says: " + finding.Quoted(words) + " (ClusterRole a).",
		InShort: finding.InShort{{Text: "It says: "}, {Text: words, Quoted: true}, {Text: "."}},
		Evidence: []finding.Evidence{
			said(finding.Aside, "managedFields", "nothing"), said(finding.Second, "RBAC", "ClusterRole b"),
			said(finding.Main, "Database db", "condition Ready: "+finding.Quoted(words)).Quoting(words),
			said(finding.Main, "Pod a", "is ready"),
			said(finding.Main, "event", "it failed: "+finding.Quoted("no Pod: "+words)).Quoting("no Pod: " + words),
		},
		Remedies: []finding.Remedy{keep, {Step: "Grant", Action: "Let it.", Loses: "x", Risk: finding.DataLoss}},
	}
	other := cause
	other.Object, other.Remedies = ref("Database", "other"), []finding.Remedy{keep, {Step: "Wait", Action: "Wait."}}
	d := &result.Diagnosis{
		Verdict: result.Stuck, Summary: "All of it.", RootCauses: []result.RootCause{cause, other},
		Sums: result.Sums{Text: "Two things block it:", Items: []string{"the one", "the other"}, More: 1},
		Unreadable: []finding.Unreadable{
			{Resource: "secrets", Why: "failed", Error: "it failed: " + words}, {Resource: "jobs", Why: "forbidden"},
		},
	}
	for format, times := range map[string]map[string]int{
		print.FormatHuman: {
			words: 1, "It says: the message above.": 1, "Database db: condition Ready: the message above": 1, "ClusterRole": 0,
			"managedFields": 0, "Pod a: is ready": 1,
			`event: it failed: "no Pod: (quoted above)"`: 1, "event: it failed: the message above": 1, // in part, then in whole
			"Stuck: Two things block it:   - the one   - the other   - 1 more, below ": 1,
			"kubectl patch pv/disk": 1, "1. Do step 1 about cause 1, if you have not.": 1, "secrets": 0,
			"jobs (forbidden)": 1,
		},
		print.FormatWide: {"ClusterRole a": 2, "ClusterRole b": 2, "managedFields": 2, "secrets (failed)": 1},
	} {
		var out bytes.Buffer
		if err := print.Result(t.Context(), &out, d, format, print.Style{}); err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(strings.ReplaceAll(out.String(), "\n    ", " "), "\n", " ")
		for strings.Contains(text, "    ") {
			text = strings.ReplaceAll(text, "    ", " ")
		}
		for want, count := range times {
			text, want = strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")
			if got := strings.Count(text, want); got != count {
				t.Errorf("%s: %q stands there %d times, want %d:\n%s", format, want, got, count, &out)
			}
		}
	}
}

// TestColours paints the verdict, data that is lost, and commands; nothing is lost without.
func TestColours(t *testing.T) {
	d := diagnosis(1)
	d.RootCauses[0].Remedies[0].Loses, d.RootCauses[0].Remedies[0].Risk = "all data", finding.DataLoss
	colored := human(t, d, print.Style{Color: true})
	for _, want := range []string{"\x1b[35;1mStuck:", "\x1b[31mall data.", "\x1b[34;1mkubectl delete pods/p-0"} {
		if !strings.Contains(colored, want) {
			t.Errorf("%q isn't in %q", want, colored)
		}
	}
	if red := strings.Count(colored, "\x1b[31"); red != 1 {
		t.Errorf("%d texts are red, want what is lost alone: %q", red, colored)
	}
	if plain := human(t, d, print.Style{}); strings.Contains(plain, "\x1b") {
		t.Errorf("plain output has colours: %q", plain)
	}
}

// TestShownEvidence shows what the message rests on and doesn't say itself; wide output has all of it.
func TestShownEvidence(t *testing.T) {
	said := func(rank finding.Rank, source string) finding.Evidence {
		return finding.Observed(source, "so").Ranked(rank)
	}
	told := []finding.Evidence{said(finding.Told, "pod"), said(finding.Second, "rights"), said(finding.Told, "lease")}
	for _, c := range []struct {
		evidence []finding.Evidence
		want     []string
	}{
		{told, []string{"lease"}}, // the last is nearest to the cause
		{append(told, said(finding.Main, "status"), said(finding.Main, "event")), []string{"status", "event"}},
		{[]finding.Evidence{said(finding.Second, "rights"), said(finding.Second, "names")}, []string{"rights"}},
	} {
		d := diagnosis(1)
		d.RootCauses[0].Evidence = c.evidence
		short, wide := human(t, d, print.Style{}), human(t, d, print.Style{Wide: true})
		for _, evidence := range c.evidence {
			line := "- " + evidence.Source + ": so\n"
			if want := slices.Contains(c.want, evidence.Source); strings.Contains(short, line) != want {
				t.Errorf("%s is shown: %t, want %t:\n%s", evidence.Source, !want, want, short)
			}
			if !strings.Contains(wide, line) {
				t.Errorf("wide output leaves out %s:\n%s", evidence.Source, wide)
			}
		}
	}
}

// TestExplainedUnread leaves out what could not be looked at for a reason that the answer names, and nothing else.
func TestExplainedUnread(t *testing.T) {
	d := diagnosis(1)
	d.RootCauses[0].Details = finding.GroupVersionDetails{Version: "metrics.example.com/v1"}
	d.Unreadable = []finding.Unreadable{
		{Resource: "*.metrics.example.com/v1", Why: "its discovery fails"},
		{Resource: "*.other.example.com/v1", Why: "its discovery fails"},
	}
	short, wide := human(t, d, print.Style{}), human(t, d, print.Style{Wide: true})
	if strings.Contains(short, "*.metrics.example.com/v1") || !strings.Contains(short, "*.other.example.com/v1") {
		t.Errorf("the wrong one is left out:\n%s", short)
	}
	if !strings.Contains(wide, "*.metrics.example.com/v1") {
		t.Errorf("wide output leaves it out:\n%s", wide)
	}
}

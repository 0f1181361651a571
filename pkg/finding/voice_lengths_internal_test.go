package finding

import (
	"slices"
	"strings"
	"testing"
	"text/template"
)

// TestWideClauses says in short what a text marks, and all of it otherwise, in phrases of phrases, too.
func TestWideClauses(t *testing.T) {
	text := template.Must(template.New("").Funcs(textFunctions()).Parse(
		`RBAC lets it{{if $.Wide}} (ClusterRole a by ClusterRoleBinding b){{end}}, and it says {{quote "x"}}`))
	for voice, want := range map[*Voice]string{
		{}:                        `RBAC lets it (ClusterRole a by ClusterRoleBinding b), and it says "x"`,
		{brief: true}:             `RBAC lets it, and it says "x"`,
		{brief: true, sums: true}: `RBAC lets it, and it says "x"`,
	} {
		var out strings.Builder
		if err := text.Execute(&out, sentence{Voice: *voice}); err != nil {
			t.Fatal(err)
		}
		if got := unmarked(out.String(), *voice); got != want {
			t.Errorf("%+v: %s, want %s", *voice, got, want)
		}
	}
}

// TestQuotations collects what a sentence quotes, and leaves long ones out of what sums up.
func TestQuotations(t *testing.T) {
	long := strings.Repeat("no way ", 20)
	denied := Finding{
		Situation: "ControllerDenied", Object: Ref{Kind: "Database", Name: "db"}, Finalizer: "a/b",
		Details: ControllerDetails{
			Words: long, Right: &Phrase{Situation: "DeniedRight", Details: DeniedRight{Verb: "patch"}},
		},
	}
	short := denied.InShort(Voice{})
	words := strings.TrimSpace(long)
	if !slices.Contains(short, Part{Text: words, Quoted: true, Told: true}) {
		t.Errorf("it says %q", short)
	}
	if message := (Voice{}).Message(denied); message != short.String() || strings.Contains(message, quoteMark) {
		t.Errorf("the message is %q", message)
	}
	for count, named := range map[int]int{1: 1, 3: 3, 4: 4, 5: 3, 9: 3} { // one alone is not counted, but named
		waiting := WaitingFor(slices.Repeat([]Awaited{{Finding: denied}}, count))
		items, more := waiting.Items(Voice{}.Sums(), denied.Object)
		if len(items) != named || more != count-named || strings.Contains(items[0], words) {
			t.Errorf("of %d, the items are %q, and %d more", count, items, more)
		}
	}
	if below := unmarked(marked(words), Voice{}.Sums()); below != "(quoted below)" {
		t.Errorf("a long quotation is summed up as %q", below)
	}
	if below := unmarked("it says"+told(words), Voice{}.Sums()); below != "it says the message quoted below" {
		t.Errorf("a long quotation after a verb is summed up as %q", below)
	}
	if below := unmarked("fails ("+marked(words)+").", Voice{}.Sums()); below != "fails (quoted below)." {
		t.Errorf("a long quotation in parentheses is summed up as %q", below)
	}
	if nasty := unmarked(marked("a\x00b"), Voice{}); nasty != `"a\x00b"` {
		t.Errorf("a mark in a quotation becomes %q", nasty)
	}
}

// TestLostToo leaves out what merely follows, and never data, which come first.
func TestLostToo(t *testing.T) {
	follows := Taken{Situation: "DependentsCollected", Risk: DataLoss}
	follows.Details = TakenDetails{Count: 1, Names: []string{"ConfigMap a"}}
	data := Taken{Situation: "StorageDeleted", Risk: DataLoss, Object: Ref{Kind: "PersistentVolume", Name: "disk"}}
	data.Details.Policy = "Delete"
	remedy := Voice{}.Remedies([]Remedy{{Step: "ScaleUp", Details: StepDetails{}, Taken: []Taken{follows, data}}})[0]
	all, short := remedy.Loses, JoinLost(remedy.LostToo)
	if !strings.Contains(short, "disk") || strings.Contains(short, "dependent") || !strings.Contains(all, "dependent") {
		t.Errorf("it loses %q, or %q", all, short)
	}
	forget := Remedy{Step: "ForgetVolume", Details: VolumeDetails{}, Taken: []Taken{follows, data}}
	parts := Voice{}.Remedies([]Remedy{forget})[0].Lost
	if len(parts) != 3 || !slices.Equal(parts[0].Kept, []string{"disk"}) || parts[1].Kept != nil ||
		!strings.Contains(parts[1].Text, "link to the storage") || !strings.Contains(parts[2].Text, "dependent") {
		t.Errorf("it loses %q", parts)
	}
}

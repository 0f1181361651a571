package print_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

var update = flag.Bool("update", false, "write the golden files anew")

// pages are results of every command that has pages, with all that these can hold.
func pages() map[string]result.Result {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	why := diagnosis(2)
	why.History = []result.Happening{{At: at.Add(-time.Hour), Object: why.Target, Message: "It was deleted.", Count: 2}}
	why.Takes = []finding.Taken{{Message: "The data of its volume.", Risk: finding.DataLoss}}
	why.RootCauses[0].Remedies = append(why.RootCauses[0].Remedies, finding.Remedy{
		Action: "Remove the finalizer.", Risk: finding.DataLoss, Loses: "the data",
		Command: finding.Command{"kubectl", "finalizers", "remove", "pvc/data", "--finalizer", "it's ```"},
	})
	why.Observations = []result.Observation{
		{Verdict: result.Undetermined, Object: why.Target, Message: "That is open.", Evidence: why.RootCauses[0].Evidence},
		{Object: ref("Pod", "p-1"), Situation: "WaitsBelow", Message: "That comes later."},
	}
	sums := *why
	sums.Sums = result.Sums{Text: "Several things block it:", Items: []string{"one", "two"}, More: 3}
	pod := ref("Pod", "p-0")
	list := &result.List{
		GeneratedAt: at, RootCauses: why.RootCauses, Graph: why.Graph, Unreadable: why.Unreadable,
		Items: []result.ListItem{{
			Target: why.Target, Resource: "persistentvolumeclaims", Verdict: result.Stuck, Deletion: *why.Deletion,
			RootCauses: []result.ItemCause{{Reason: finding.StillInUse, Object: pod, Count: 1}}, Ask: finding.Command{"kubectl",
				"finalizers", "why"},
		}, {Target: pod, Resource: "pods", Verdict: result.Progressing, Awaits: "its kubelet", Fares: "waits for its kubelet",
			Deletion: *why.Deletion}},
	}
	tree := &result.Tree{
		GeneratedAt: at, Target: &why.Target, RootCauses: why.RootCauses, LeftOut: "Not all was looked for.",
		Unreadable: why.Unreadable,
		Ask:        finding.Command{"kubectl", "finalizers", "why"},
		Nodes: []result.TreeNode{
			{Node: graph.Node{Ref: why.Target, Terminating: true}, Known: true, Finalizers: []string{"example.com/hold"},
				Status: "Bound"},
			{Node: graph.Node{Ref: pod}, Known: true, Ready: "1/1", Status: "Running",
				Reasons: []finding.Reason{finding.StillInUse}},
			{Node: graph.Node{Ref: ref("Pod", "p-1")}},
		},
		Edges: []result.TreeEdge{
			{Edge: graph.Edge{From: 0, To: 1, Type: finding.WaitsFor, Hold: &why.Deletion.Holds[0]}},
			{Edge: graph.Edge{From: 1, To: 2, Type: finding.Owns}, Reference: finding.OwnerAbsent},
			{Edge: graph.Edge{From: 2, To: 0, Type: finding.Contains}},
		},
	}
	check := &result.Check{Owned: 3, Held: 2, Notes: []string{"Not all was asked."}, Unreadable: why.Unreadable,
		Findings: []result.Finding{{
			Severity: result.Error, Reason: result.OwnerMissing, Object: pod, Owner: &why.Target, Message: "It is wrong.",
			Count:  2,
			Others: []finding.Ref{why.Target}, Evidence: why.RootCauses[0].Evidence, Remedies: why.RootCauses[0].Remedies,
		}}}
	return map[string]result.Result{
		"why": why, "list": list, "tree": tree, "check": check, "preview": preview(why),
		"several": &result.DiagnosisList{Items: []result.Diagnosis{sums, *diagnosis(1)}},
	}
}

func preview(why *result.Diagnosis) *result.Preview {
	pod := ref("Pod", "p-0")
	return &result.Preview{
		Target: why.Target, Outcome: result.WouldHang, Summary: "It would hang.", RootCauses: why.RootCauses,
		Graph: why.Graph, Takes: why.Takes,
		Goes:  []result.Going{{Resource: "pods", Kind: "Pod", Count: 1, Objects: []finding.Ref{pod}}},
		Holds: []result.FinalizerOnTheWay{{Message: "A finalizer is on the way."}},
		Refusals: []result.Refusal{{Reason: finding.AdmissionDenied, Message: "It refuses.",
			Evidence: why.RootCauses[0].Evidence}},
		Hanging:    []result.Hanging{{Object: pod, Awaits: "what nothing tells"}},
		Stays:      []result.Staying{{Message: "It stays."}},
		Asked:      []result.AskedWebhook{{Message: "It is asked."}},
		Delete:     finding.Command{"kubectl", "delete", "pvc/data"},
		Unreadable: why.Unreadable,
	}
}

func printed(t *testing.T, answer result.Result, format string) string {
	t.Helper()
	var out bytes.Buffer
	style := print.Style{Color: true, Width: 40, Wide: true}
	if err := print.Result(t.Context(), &out, answer, format, style); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestPages keeps what pages look like. -update writes the files anew.
func TestPages(t *testing.T) {
	for name, result := range pages() {
		for format, ending := range pageFormats {
			t.Run(name+"-"+format, func(t *testing.T) {
				got, path := withoutAssets(printed(t, result, format)), filepath.Join("testdata", "pages", name+ending)
				if *update {
					if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", path, diff)
				}
			})
		}
	}
}

// withoutAssets is a page without its style sheet and its script, which are the same in all, and without their hashes,
// which TestPolicyOfPages checks.
func withoutAssets(page string) string {
	page = regexp.MustCompile(`(?s)<(style|script)>.*?</`).ReplaceAllString(page, "<$1></")
	return regexp.MustCompile(`sha256-.*?&#39;`).ReplaceAllString(page, "sha256-…&#39;")
}

// attacks are texts that a cluster may hold: in finalizers, messages, annotations, events, names of webhooks.
var attacks = []string{
	`<script>attacked()</script>`, `<img src=x onerror=attacked()>`, `"><svg onload=attacked()>`,
	`' onmouseover='attacked()`,
	`</script><script>attacked()</script>`, `</style><style>*{display:none}`,
	`</title></desc><image href="https://attacker.example/x">`,
	`--><b>bold</b><!--`, `javascript:attacked()`, `[link](https://attacker.example)`,
	`![image](https://attacker.example/x.png)`,
	`https://attacker.example/x`, `www.attacker.example`, `<https://attacker.example>`, `someone@attacker.example`,
	`@everyone`,
	"``` \n# heading", "```", "`code`", `**bold** _it_ ~~gone~~`, `</details><h1>`, `| a | b |`, `&lt;b&gt; &#60;b&#62;`,
	`\<b\> \[a](b)`,
	`[a]: https://attacker.example`, `# heading`, `- item`, `1. item`, `> quote`, `---`, `===`, `    code`, `$x$`,
	`GH-1 #1 !1 owner/repo#1`,
	`{{.}}`, `mailto:someone@attacker.example`, `/close`, `url(https://attacker.example)`, `[^1]`, `:tada:`,
	`%%{init: {}}%%`, "\u2028\x00\x1b[2J",
}

// poisoned puts a text into all texts of a result that may come from the cluster: the ones that are of no type of this
// program's. Unless alone, it is also put behind what the text says.
func poisoned(value reflect.Value, attack string, alone bool) {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !value.IsNil() && value.Kind() == reflect.Pointer {
			poisoned(value.Elem(), attack, alone)
		}
	case reflect.Slice:
		for i := range value.Len() {
			poisoned(value.Index(i), attack, alone)
		}
	case reflect.Struct:
		if value.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range value.NumField() {
			if value.Type().Field(i).Name != "Quotes" { // by which what was said before is left out
				poisoned(value.Field(i), attack, alone)
			}
		}
	case reflect.String:
		if value.Type() != reflect.TypeFor[string]() || !value.CanSet() {
			return
		}
		if alone {
			value.SetString(attack)
		} else {
			value.SetString(value.String() + " " + attack)
		}
	}
}

// elements counts the elements of a document by their names, with the names of their attributes.
func elements(t *testing.T, document string) map[string]int {
	t.Helper()
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for node := range root.Descendants() {
		if node.Type != html.ElementNode {
			continue
		}
		names := []string{node.Data}
		for _, attribute := range node.Attr {
			names = append(names, attribute.Key)
		}
		slices.Sort(names[1:])
		counts[strings.Join(names, " ")]++
	}
	return counts
}

// TestAttacksOnPages puts attacks into every text of every page: the document has the same elements and attributes as
// one with harmless words in their places, and shows the attack as it is.
func TestAttacksOnPages(t *testing.T) {
	for format := range pageFormats {
		for name := range pages() {
			for _, alone := range []bool{true, false} {
				document := func(attack string) string {
					result := pages()[name]
					poisoned(reflect.ValueOf(result), attack, alone)
					return rendered(t, printed(t, result, format), format)
				}
				harmless := elements(t, document("harmless"))
				for _, attack := range attacks {
					if diff := cmp.Diff(harmless, elements(t, document(attack))); diff != "" {
						t.Errorf("%s of %s with %q (-harmless +attack):\n%s", format, name, attack, diff)
					}
				}
			}
		}
	}
}

package print_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func rowsList() *result.List {
	row := func(namespace, name string, age time.Duration, labels map[string]string) result.ListItem {
		deleted := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(-age)
		return result.ListItem{
			Target:   finding.Ref{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: name},
			Resource: "pods", Verdict: result.Stuck,
			Deletion: result.Deletion{RequestedAt: deleted}, CreatedAt: deleted.Add(-age), Labels: labels,
			RootCauses: []result.ItemCause{{Index: 0, Count: len(name), Reason: finding.NodeNotReady}},
		}
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return &result.List{Kind: "DiagnosisList", GeneratedAt: at, Items: []result.ListItem{
		row("shop", "web-10", 3*time.Hour, map[string]string{"app": "web", "tier": "a"}),
		row("bank", "db", 2*time.Hour, map[string]string{"app": "db"}), row("shop", "a", time.Hour, nil),
	}, Unreadable: []finding.Unreadable{}}
}

// TestTemplates applies kubectl's templates to the fields of the JSON.
func TestTemplates(t *testing.T) {
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "template")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	list, one := rowsList(), &result.Diagnosis{Verdict: result.Stuck, Target: finding.Ref{Kind: "Pod", Name: "web"}}
	check := &result.Check{Findings: []result.Finding{{Reason: result.OwnerCycle, Count: 2}}}
	for _, c := range []struct {
		result     result.Result
		asked      string
		want, fail string
	}{
		{result: one, asked: "jsonpath={.verdict}", want: "Stuck"},
		{result: one, asked: "jsonpath=.verdict={.verdict}", want: ".verdict=Stuck"},
		{result: one, asked: "jsonpath={.nothing}", want: ""},
		{result: one, asked: "jsonpath-as-json={.target.name}", want: "[\n    \"web\"\n]\n"},
		{result: one, asked: "jsonpath-file=" + file("{.target.name}"), want: "web"},
		{result: one, asked: "go-template={{.verdict}} {{.nothing}}", want: "Stuck <no value>"},
		{result: one, asked: "go-template-file=" + file("{{.target.name}}"), want: "web"},
		{result: one, asked: "custom-columns=VERDICT:verdict,NAME:{.target.name}", want: "VERDICT   NAME\nStuck     web\n"},
		{
			result: list, asked: "custom-columns=NAME:.target.name,COUNT:.rootCauses[*].count,NONE:.nothing",
			want: "NAME     COUNT   NONE\nweb-10   6       <none>\ndb       2       <none>\na        1       <none>\n",
		},
		{
			result: list, asked: "custom-columns-file=" + file("NAME  COUNT\n.target.name  .rootCauses[0].count\n"),
			want: "NAME     COUNT\nweb-10   6\ndb       2\na        1\n",
		},
		{result: check, asked: "custom-columns=REASON:.reason,COUNT:.count", want: "REASON       COUNT\nOwnerCycle   2\n"},
		{result: &result.List{Items: []result.ListItem{}}, asked: "custom-columns=NAME:.target.name", want: ""},

		{result: one, asked: "jsonpath", fail: "--output jsonpath needs a template behind it: -o jsonpath=TEMPLATE"},
		{result: one, asked: "custom-columns=", fail: "needs a template behind it"},
		{result: one, asked: "jsonpath={.verdict", fail: "--output jsonpath: unclosed action"},
		{result: one, asked: "jsonpath-file=/does/not/exist", fail: "no such file"},
		{result: one, asked: "go-template={{.verdict", fail: "--output go-template: template"},
		{result: one, asked: "custom-columns=NAME", fail: `"NAME" is not HEADING:PATH`},
		{result: one, asked: "custom-columns=NAME:.a[", fail: "is not a valid JSONPath"},
		{result: one, asked: "custom-columns-file=" + file("A B\n.a\n"), fail: "a path for each of them"},
		{result: one, asked: "json=x", fail: "is not one of"},
		{result: one, asked: "jsonpathfile=x", fail: "is not one of"},
	} {
		var out bytes.Buffer
		err := print.Result(t.Context(), &out, c.result, c.asked, print.Style{})
		switch checked := print.HasFormat(c.result, c.asked); {
		case c.fail == "" && (err != nil || checked != nil || out.String() != c.want):
			t.Errorf("%s: %q, want %q; %v, %v", c.asked, &out, c.want, err, checked)
		case c.fail != "" && (err == nil || !strings.Contains(err.Error(), c.fail) || out.Len() > 0):
			t.Errorf("%s: wrote %q, error %v, want %s", c.asked, &out, err, c.fail)
		case c.fail != "" && checked == nil:
			t.Errorf("%s: nothing is said before the answer is looked for", c.asked)
		}
	}
}

// TestTemplatesThatDontFit writes nothing, and doesn't put the whole answer into its error.
func TestTemplatesThatDontFit(t *testing.T) {
	for _, asked := range []string{"go-template={{len .nothing}}", "jsonpath={.items[9]}"} {
		var out bytes.Buffer
		err := print.Result(t.Context(), &out, rowsList(), asked, print.Style{})
		if err == nil || out.Len() > 0 || len(err.Error()) > 300 {
			t.Errorf("%s: wrote %q, error %v", asked, &out, err)
		}
	}
}

func TestSortBy(t *testing.T) {
	for path, want := range map[string]string{
		".metadata.name": "a db web-10", "{.metadata.name}": "a db web-10", "metadata.name": "a db web-10",
		".target.namespace":           "db web-10 a", // what is equal stays in its order
		".deletion.requestedAt":       "web-10 db a",
		".metadata.creationTimestamp": "web-10 db a",
		".metadata.deletionTimestamp": "web-10 db a",
		".rootCauses[0].count":        "a db web-10", // as numbers: 1, 2, 6
		".metadata.labels.app":        "a db web-10", // without it first
		".metadata.labels.tier":       "db a web-10",
	} {
		list := rowsList()
		if err := print.SortBy(list, path); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		names := finding.Each(list.Items, func(item result.ListItem) string { return item.Target.Name })
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for _, path := range []string{".nothing", ".a["} {
		if err := print.SortBy(rowsList(), path); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
	if err := print.SortBy(&result.List{}, ".nothing"); err != nil {
		t.Errorf("a list of nothing: %v", err)
	}
}

// TestRows leaves out headings and shows labels where that is asked for.
func TestRows(t *testing.T) {
	var out bytes.Buffer
	style := print.Style{NoHeadings: true, Labels: true}
	if err := print.Result(t.Context(), &out, rowsList(), print.FormatWide, style); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	first, last := lines[0], lines[len(lines)-1]
	if len(lines) != 3 || !strings.HasPrefix(first, "shop   pods/web-10   3h") ||
		!strings.HasSuffix(first, "   app=web,tier=a") || !strings.HasSuffix(last, "   <none>") {
		t.Errorf("got\n%s", &out)
	}
}

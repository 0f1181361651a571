package print_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/width"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// columnsOf is what text takes on a terminal.
func columnsOf(text string) int {
	columns := 0
	for _, r := range text {
		switch width.LookupRune(r).Kind() {
		case width.EastAsianWide, width.EastAsianFullwidth:
			columns += 2
		default:
			columns++
		}
	}
	return columns
}

// stuckList has a name in wide characters, as labels and finalizers of custom resources may show them, beside a plain
// one, and a long last column.
func stuckList() *result.List {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	list := &result.List{APIVersion: result.APIVersion, Kind: "DiagnosisList", GeneratedAt: at.Add(time.Hour)}
	for _, name := range []string{"orders", "注文一覧"} {
		list.Items = append(list.Items, result.ListItem{
			Target: ref("Database", name), Resource: "databases", Verdict: result.Stuck, Awaits: "it",
			Deletion: result.Deletion{RequestedAt: at,
				Holds: []finding.Hold{{Type: finding.Finalizer, Name: "shop.example.com/cleanup"}}},
			RootCauses: []result.ItemCause{{Reason: finding.ControllerMissing,
				Object: ref("Database", strings.Repeat("long ", 12)), Count: 1}},
		})
	}
	return list
}

func tables(t *testing.T, columns int) map[string]string {
	t.Helper()
	list := stuckList()
	check := &result.Check{Findings: []result.Finding{{
		Severity: result.Warning, Reason: result.OwnerMissing, Reference: finding.OwnerAbsent,
		Object: ref("Database", "注文一覧"), Others: []finding.Ref{ref("Database", "orders")},
		Count: 2, Owner: &finding.Ref{Kind: "Shop", Name: strings.Repeat("far ", 20)},
	}}}
	texts := map[string]string{}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"list": func(out *bytes.Buffer) error {
			return print.Result(t.Context(), out, list, print.FormatWide, print.Style{Width: columns, Table: table.Draw})
		},
		"check": func(out *bytes.Buffer) error {
			return print.Result(t.Context(), out, check, print.FormatWide, print.Style{Width: columns, Table: table.Draw})
		},
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		texts[name] = out.String()
	}
	return texts
}

// TestTablesAlign starts each column below its heading, whatever is as wide as two in the columns before.
func TestTablesAlign(t *testing.T) {
	for name, text := range tables(t, 0) {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		last := map[string]string{"list": "CAUSES", "check": "OWNER OR FINALIZER"}[name]
		begins := columnsOf(lines[0][:strings.Index(lines[0], last)])
		for _, line := range lines[1:] {
			at := strings.Index(line, map[string]string{"list": "ControllerMissing", "check": "Shop"}[name])
			if got := columnsOf(line[:at]); got != begins {
				t.Errorf("%s: the last column begins at %d, not at %d:\n%s", name, got, begins, text)
			}
		}
	}
}

// TestTablesOnNarrowTerminals breaks the last column alone, and loses no word; where there is no room for that column,
// lines stay whole.
func TestTablesOnNarrowTerminals(t *testing.T) {
	for name, wide := range tables(t, 0) {
		for _, columns := range []int{1, 60, 110, 130} {
			narrow := tables(t, columns)[name]
			if columns < 110 {
				if narrow != wide {
					t.Errorf("%s in %d columns is broken:\n%s", name, columns, narrow)
				}
				continue
			}
			if strings.Count(narrow, "\n") <= strings.Count(wide, "\n") {
				t.Errorf("%s in %d columns isn't broken:\n%s", name, columns, narrow)
			}
			if got, want := strings.Count(narrow, "long")+strings.Count(narrow, "far"), strings.Count(wide,
				"long")+strings.Count(wide, "far"); got != want {
				t.Errorf("%s in %d columns has %d words of %d:\n%s", name, columns, got, want, narrow)
			}
			for line := range strings.Lines(narrow) {
				if got := columnsOf(strings.TrimRight(line, "\n")); got > columns {
					t.Errorf("%s: %d columns of %d: %s", name, got, columns, line)
				}
			}
		}
	}
}

// TestTablesAreDrawnAlike draws tables with and without a table of its own: on wide terminals, they are the same.
func TestTablesAreDrawnAlike(t *testing.T) {
	for _, draw := range []print.Drawer{nil, table.Draw} {
		var own, drawn bytes.Buffer
		for out, style := range map[*bytes.Buffer]print.Style{
			&own: {Width: print.Unwrapped}, &drawn: {Width: print.Unwrapped, Table: draw},
		} {
			if err := print.Result(t.Context(), out, stuckList(), print.FormatWide, style); err != nil {
				t.Fatal(err)
			}
		}
		if own.String() != drawn.String() || own.Len() == 0 {
			t.Errorf("drawn as\n%s\nand as\n%s", &own, &drawn)
		}
	}
}

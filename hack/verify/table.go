package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// row is what became of one entry.
type row struct {
	entry   plugins.Finalizer
	results []result
	why     string // it could not be checked
}

// outcome is drifted if one claim is, and held if the name is and none is drifted.
func (r row) outcome() outcome {
	has := func(wanted outcome, field string) bool {
		return slices.ContainsFunc(r.results, func(one result) bool {
			return one.outcome == wanted && strings.HasPrefix(one.claim, field)
		})
	}
	switch {
	case has(drifted, ""):
		return drifted
	case has(held, "names"):
		return held
	}
	return notCheckable
}

// summary prints how many names are held, drifted and not checkable. It returns the exit code.
func summary(out io.Writer, rows []row) int {
	counts := map[outcome]int{}
	for _, row := range rows {
		counts[row.outcome()]++
	}
	_, _ = fmt.Fprintf(out, "%d entries: %d held, %d drifted, %d not checkable\n",
		len(rows), counts[held], counts[drifted], counts[notCheckable])
	if counts[drifted] > 0 {
		return 1
	}
	return 0
}

// head comes before the table.
const head = `# The catalogue, checked against the sources

` + "`make verify-catalogue`" + ` reads the Go module that each entry of the catalogue names, at the version that the
entry names, and looks for what the entry claims: constants and strings with the finalizer's name, types of its kinds,
workloads in manifests and charts, Leases, and the fields and annotations that are read. This page is what it printed.

An entry is held if its name is in the source and none of its claims has drifted. What can't be seen in a source isn't
counted against it: a name that is put together when the program runs, a chart in another repository, a project that
isn't written in Go, a version that no module proxy has.

`

// table is what became of each project, in Markdown.
func table(rows []row) string {
	var out strings.Builder
	_, _ = fmt.Fprint(&out, head)
	_ = summary(&out, rows)
	_, _ = fmt.Fprint(&out, "\n| Project | Module | Entries | Held | Drifted | Not checkable |\n"+
		"| --- | --- | --- | --- | --- | --- |\n")
	for len(rows) > 0 {
		first := rows[0].entry
		rest := slices.IndexFunc(rows, func(r row) bool {
			return r.entry.Project != first.Project || r.entry.Module != first.Module
		})
		if rest < 0 {
			rest = len(rows)
		}
		writeProject(&out, first, rows[:rest])
		rows = rows[rest:]
	}
	return out.String()
}

func writeProject(out io.Writer, first plugins.Finalizer, rows []row) {
	counts, drifts, reasons := map[outcome]int{}, []string{}, []string{}
	for _, row := range rows {
		counts[row.outcome()]++
		if row.why != "" && !slices.Contains(reasons, row.why) {
			reasons = append(reasons, row.why)
		}
		for _, result := range row.results {
			if text := result.claim + ": " + result.why; result.outcome == drifted && !slices.Contains(drifts, text) {
				drifts = append(drifts, text)
			}
			if result.outcome == notCheckable && row.outcome() == notCheckable && !slices.Contains(reasons, result.why) {
				reasons = append(reasons, result.why)
			}
		}
	}
	_, _ = fmt.Fprintf(out, "| %s | %s | %d | %d | %s | %s |\n", first.Project, first.Module, len(rows), counts[held],
		with(counts[drifted], drifts), with(counts[notCheckable], reasons))
}

// with is a count and what there is to say about it.
func with(count int, texts []string) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%d: %s", count, strings.ReplaceAll(strings.Join(texts, "; "), "|", `\|`))
}

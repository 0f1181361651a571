package main

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// documented are the types of the results, by their headings in docs/json.md, and what each adds to another one.
func documented() (types map[string]any, adds map[string]string) {
	types = map[string]any{
		"Diagnosis": result.Diagnosis{}, "Deletion": result.Deletion{}, "Root causes": result.RootCause{},
		"Evidence": finding.Evidence{}, "Lines of logs": finding.LogLine{},
		"History":  result.Happening{},
		"Remedies": finding.Remedy{}, "Observations": result.Observation{}, "Graph": result.Graph{}, "Nodes": graph.Node{},
		"Edges": graph.Edge{},
		"Holds": finding.Hold{}, "References": finding.Ref{}, "Unreadable": finding.Unreadable{},
		"DiagnosisList of why":  result.DiagnosisList{},
		"DiagnosisList of list": result.List{}, "Items of list": result.ListItem{}, "Causes of an item": result.ItemCause{},
		"BlockingGraph": result.Tree{}, "Nodes of tree": result.TreeNode{}, "Edges of tree": result.TreeEdge{},
		"Contents of a namespace": result.TreeContent{},
		"CheckReport":             result.Check{}, "Findings": result.Finding{},
		"Explanation": result.Explanation{}, "Known": result.Known{}, "In the cluster": result.InCluster{},
		"Controllers":             result.Presence{},
		"What is deleted with it": finding.Taken{}, "What is named": finding.Named{}, "What was not read": finding.Unread{},
		"Details of what is deleted with it": finding.TakenDetails{},
		"DeletionPreview":                    result.Preview{}, "DeletionPreviewList": result.PreviewList{},
		"What goes":                   result.Going{},
		"What is already Terminating": result.Before{},
		"Finalizers on the way":       result.FinalizerOnTheWay{}, "Refusals": result.Refusal{},
		"What would hang": result.Hanging{},
		"What stays":      result.Staying{}, "Webhooks that are asked": result.AskedWebhook{}, "What breaks": result.Broken{},
		"What hangs later": result.Later{},
		"Clusters":         result.Cluster{}, "Shared causes": result.SharedCause{},
		"UninstallPlan": result.UninstallPlan{}, "What was named": result.UninstallTarget{},
		"The operator's workloads": result.UninstallController{}, "What it defines": result.UninstallServed{},
		"Objects of others": result.UninstallGuests{}, "Parts of an operator": result.UninstallPart{},
		"Steps of a plan": result.UninstallStep{}, "What needs the operator": result.UninstallStaying{},
		"Version": result.Version{}, "ProjectList": result.ProjectList{}, "Projects": result.Project{},
		"RescuePlan": result.RescuePlan{}, "Facts": result.RescueFact{}, "Steps": result.RescueStep{},
		"Manifests":     result.RescueFile{},
		"RemovalReport": result.RemovalReport{}, "Guards": result.Guard{}, "Removals": result.Removal{},
		"Entries":                   result.RemovalEntry{},
		"Finalizers of each object": result.Entry{},
		"Signs of programs":         finding.ProgramSigns{}, "Signs": finding.Sign{}, "Phrases": finding.Phrase{},
		"Writes": result.Write{}, "Leftovers": result.Leftover{}, "Backup": result.Backup{},
	}
	return types, map[string]string{"Nodes": "References", "Nodes of tree": "Nodes", "Edges of tree": "Edges",
		"Entries": "Holds", "Signs": "Phrases"}
}

// TestFieldsAreDocumented holds docs/json.md against the fields of the results, both ways: their names, and
// which of them may be absent.
func TestFieldsAreDocumented(t *testing.T) {
	types, adds := documented()
	sections := map[string]string{}
	for _, section := range regexp.MustCompile(`\n##+ `).Split(page(t, "json.md"), -1)[1:] {
		heading, body, _ := strings.Cut(section, "\n")
		sections[heading] = body
	}
	want := map[string]map[string]bool{}
	for heading, value := range types {
		want[heading] = map[string]bool{}
		addFields(want[heading], reflect.TypeOf(value))
	}
	for _, always := range []string{"names", "removedBy", "waitsFor", "loses"} {
		want["Known"][always] = false // plugins/validate.go demands them of a finalizer, if not of defaults
	}
	for heading, base := range adds {
		for name := range fieldsOf(types[base]) {
			delete(want[heading], name)
		}
	}
	for heading, fields := range want {
		if got := described(sections[heading], heading == "Known"); !maps.Equal(got, fields) {
			t.Errorf("docs/json.md describes under %q %v\nand there is %v (true: may be absent, marked with *)", heading,
				sorted(got), sorted(fields))
		}
	}
	for heading, body := range sections {
		if want[heading] == nil && strings.Contains(body, "| field |") {
			t.Errorf("docs/json.md has a table of fields under %q, and no type for it", heading)
		}
	}
}

// TestTypesAreDocumented finds each structure that a result leads to in docs/json.md. Fields of the catalogue are
// described in docs/plugins.md, and an objection with the entry that it is about.
func TestTypesAreDocumented(t *testing.T) {
	types, _ := documented()
	known := map[reflect.Type]bool{}
	for _, value := range types {
		known[reflect.TypeOf(value)] = true
	}
	for _, value := range []any{
		plugins.Finalizer{}, plugins.Wait{}, plugins.Drain{}, plugins.Hook{}, plugins.Switch{}, plugins.Field{},
		plugins.Verified{}, plugins.Rescue{}, plugins.Copy{}, plugins.Setting{}, plugins.Elsewhere{}, plugins.NamedCluster{},
		plugins.There{}, plugins.Act{}, plugins.Need{}, plugins.Named{}, plugins.Agent{}, plugins.Program{},
		result.Objection{},
	} {
		known[reflect.TypeOf(value)] = true
	}
	for of := range maps.Clone(known) {
		for field := range of.Fields() {
			inner := field.Type
			if field.Tag.Get("json") == "-" || !field.IsExported() {
				continue // it is for this program alone
			}
			for slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice}, inner.Kind()) {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct && inner.PkgPath() != "time" && !known[inner] {
				t.Errorf("docs/json.md doesn't describe %s, which %s holds as %s", inner, of, field.Name)
			}
		}
	}
}

func fieldsOf(value any) map[string]bool {
	fields := map[string]bool{}
	addFields(fields, reflect.TypeOf(value))
	return fields
}

// addFields adds the fields of a structure, those of embedded ones included, and whether they may be absent.
func addFields(fields map[string]bool, of reflect.Type) {
	for field := range of.Fields() {
		if field.Anonymous {
			addFields(fields, field.Type)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue // it is for this program alone
		}
		fields[name] = options == "omitempty"
	}
}

// described returns the fields that a section names: in the first column of its table, and in its sentences if
// it lists some there.
func described(section string, sentences bool) map[string]bool {
	fields := map[string]bool{}
	for line := range strings.Lines(section) {
		column := line
		if strings.HasPrefix(line, "| `") {
			column, _, _ = strings.Cut(line[1:], "|")
		} else if !sentences {
			continue
		}
		for _, name := range regexp.MustCompile("`([a-zA-Z]+)`(\\*)?").FindAllStringSubmatch(column, -1) {
			fields[name[1]] = name[2] != ""
		}
	}
	return fields
}

func sorted(fields map[string]bool) []string {
	var names []string
	for name, optional := range fields {
		if optional {
			name += "*"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

package print_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// tokenLike is a name that has the form of a credential.
const tokenLike = "glpat-abcdefghij0123456789"

// TestShownLeavesResultsAlone escapes a copy, and nothing that the result, or anybody else, refers to.
func TestShownLeavesResultsAlone(t *testing.T) {
	ref := finding.Ref{Kind: "ClusterRole", Name: "a\x1bb"}
	answer := &result.Diagnosis{
		Summary: "password=hunter2", RootCauses: []result.RootCause{{
			Evidence: []finding.Evidence{{Object: &ref}},
			Details:  finding.ControllerDetails{Words: "token: abc123", Controller: &ref},
		}},
	}
	shown := print.Shown(t.Context(), answer)
	cause := shown.RootCauses[0]
	if got := cause.Evidence[0].Object.Name; got != `a\x1bb` {
		t.Errorf("the copy says %q", got)
	}
	details, is := cause.Details.(finding.ControllerDetails)
	if got := details; !is || got.Words != "token: (hidden)" || got.Controller.Name != `a\x1bb` {
		t.Errorf("the details are %+v", got)
	}
	if ref.Name != "a\x1bb" || answer.Summary != "password=hunter2" ||
		answer.RootCauses[0].Details.(finding.ControllerDetails).Words != "token: abc123" {
		t.Errorf("the result itself has changed: %+v of %q", answer, ref.Name)
	}
}

// TestNamesAreShown leaves names as they are, whatever they look like, alone and in sentences. In the
// same sentence, a credential goes.
func TestNamesAreShown(t *testing.T) {
	if !credential.Has(tokenLike) {
		t.Fatal("the name doesn't look like a credential, so that nothing is proven")
	}
	ref := finding.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: tokenLike}
	hold := finding.Hold{Type: finding.Finalizer, Name: tokenLike + "/hold"}
	sentence := "ConfigMap shop/" + tokenLike + " is held by " + hold.Name + ": password=hunter2"
	answer := &result.Diagnosis{
		Target: ref, Verdict: result.Stuck, Summary: sentence, Deletion: &result.Deletion{Holds: []finding.Hold{hold}},
		RootCauses: []result.RootCause{{
			Reason: finding.ControllerUnknown, Object: ref, Finalizer: hold.Name, Message: sentence, Also: []string{tokenLike},
			Remedies: []finding.Remedy{{Command: finding.Command{"kubectl", "get", "cm/" + tokenLike}}},
		}},
		Graph: result.Graph{Nodes: []graph.Node{{Ref: ref, Holds: []finding.Hold{hold}}}},
	}
	want := strings.Replace(sentence, "hunter2", credential.Removed, 1)
	if shown := print.Shown(t.Context(), answer); shown.Summary != want || shown.RootCauses[0].Message != want {
		t.Errorf("the sentences are %q and %q, want %q", shown.Summary, shown.RootCauses[0].Message, want)
	}
	for _, format := range []string{"human", "wide", "json", "yaml", "name", "dot", "markdown", "html"} {
		if print.HasFormat(answer, format) != nil {
			continue
		}
		var out bytes.Buffer
		if err := print.Result(t.Context(), &out, answer, format, print.Style{Width: print.Unwrapped}); err != nil {
			t.Fatal(err)
		}
		if text := out.String(); !strings.Contains(text, tokenLike) || strings.Contains(text, "hunter2") {
			t.Errorf("as %s:\n%s", format, text)
		}
	}
}

// TestBackupsAreFound leaves the names of files as they are, whatever they look like.
func TestBackupsAreFound(t *testing.T) {
	const path = "/tmp/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." +
		"dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P/A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6.yaml"
	if credential.Clean(path) == path {
		t.Fatal("this would not be taken for a credential anyway")
	}
	backup := result.Backup{Path: path, Create: path, Volume: path}
	answer := result.RemovalReport{Items: []result.Removal{{Backup: &backup}}}
	got := *print.Shown(t.Context(), answer).Items[0].Backup
	if got.Path != path || got.Create != path || got.Volume != path {
		t.Errorf("the backup is in %+v", got)
	}
}

// TestFieldNames leaves the names of all fields of results alone, and finds each name of the table among them.
func TestFieldNames(t *testing.T) {
	all := map[string]bool{}
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(of.Elem())
		case reflect.Struct:
			if seen[of] {
				return
			}
			seen[of] = true
			for i := range of.NumField() {
				field := of.Field(i)
				all[field.Name] = true
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				if credential.Has(name) || credential.Has("field "+name+" of Database shop/orders") {
					t.Errorf("%s.%s is taken for a credential", of, field.Name)
				}
				walk(field.Type)
			}
		}
	}
	for _, result := range results() {
		walk(reflect.TypeOf(result))
	}
	if len(all) < 100 {
		t.Errorf("only %d fields were seen", len(all))
	}
}

// TestChangesLeaveTheirObjectsAlone: a change is said in order, and its objects stay in theirs.
func TestChangesLeaveTheirObjectsAlone(t *testing.T) {
	objects := []finding.Ref{ref("Pod", "b"), ref("Pod", "a")}
	change := result.Change{What: result.IsGone, Objects: objects}
	if got := print.Change(change); got != "2 × Pod (a, b) are gone" && !strings.Contains(got, "a, ") {
		t.Errorf("it says %q", got)
	}
	if objects[0].Name != "b" {
		t.Error("the objects were sorted where they are")
	}
}

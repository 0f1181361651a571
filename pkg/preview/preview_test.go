package preview_test

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/preview"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

type previewCase struct {
	name    string
	objects []string
	target  string // RESOURCE/NAME
	cascade metav1.DeletionPropagation
	deny    string

	outcome result.Outcome
	goes    string // RESOURCE/NAME in the order of kinds
	causes  string // REASON KIND/NAME
	refuses string // KIND/NAME what would refuse
	stays   string // WHY NAME
	says    []string
	unread  string
	never   string // it is not said
}

func (c previewCase) memory(t *testing.T) *clustertest.Memory {
	t.Helper()
	memory, err := clustertest.New(now, strings.Join(c.objects, "\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	if c.deny != "" {
		memory.Deny(c.deny)
	}
	return memory
}

func (c previewCase) ask(t *testing.T, memory *clustertest.Memory) (*result.Preview, error) {
	t.Helper()
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	options := preview.Options{Options: mechanism.Options{Plugins: known}, Cascade: c.cascade}
	return preview.Preview(t.Context(), memory, c.asked(t, memory, c.target), options)
}

// asked is a target, RESOURCE/NAME or RESOURCE/NAMESPACE/NAME.
func (c previewCase) asked(t *testing.T, memory *clustertest.Memory, target string) session.Target {
	t.Helper()
	servedKinds, err := memory.ServedKinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kind, name, _ := strings.Cut(target, "/")
	resource, found := servedKinds.Find(schema.ParseGroupResource(kind))
	if !found {
		t.Fatalf("no %s", kind)
	}
	asked := session.Target{Resource: resource, Name: name}
	namespace, inside, says := strings.Cut(name, "/")
	switch {
	case says:
		asked.Namespace, asked.Name = namespace, inside
	case resource.Namespaced && name == "hook":
		asked.Namespace = "hooks"
	case resource.Namespaced:
		asked.Namespace = "shop"
	}
	return asked
}

// TestPreview follows deletions through clusters in memory.
func TestPreview(t *testing.T) {
	for _, c := range allCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			told, err := c.ask(t, c.memory(t))
			if err != nil {
				t.Fatal(err)
			}
			same := func(what, is, want string) {
				t.Helper()
				if is != want {
					t.Errorf("%s: %q, want %q", what, is, want)
				}
			}
			same("outcome", string(told.Outcome), string(c.outcome))
			var goes, causes, refuses, stays, unread []string
			for _, kind := range told.Goes {
				for _, ref := range kind.Objects {
					goes = append(goes, kind.Resource+"/"+ref.Name)
				}
			}
			for _, cause := range told.RootCauses {
				causes = append(causes, string(cause.Reason)+" "+cause.Object.Kind+"/"+cause.Object.Name)
			}
			for _, refused := range told.Refusals {
				refuses = append(refuses, refused.By.Kind+"/"+refused.By.Name)
			}
			for _, staying := range told.Stays {
				stays = append(stays, string(staying.Why)+" "+staying.Objects[0].Name)
			}
			for _, unreadable := range told.Unreadable {
				unread = append(unread, unreadable.Resource)
			}
			slices.Sort(unread)
			if c.goes != "" {
				same("goes", strings.Join(goes, " "), c.goes)
			}
			if c.causes != "" || told.Outcome == result.WouldGo {
				same("causes", strings.Join(causes, ", "), c.causes)
			}
			same("refuses", strings.Join(refuses, ", "), c.refuses)
			same("stays", strings.Join(stays, ", "), c.stays)
			same("unread", strings.Join(slices.Compact(unread), " "), c.unread)
			text := human(t, told)
			for _, says := range c.says {
				if !strings.Contains(text, says) {
					t.Errorf("it doesn't say %q:\n%s", says, text)
				}
			}
			if c.never != "" && strings.Contains(text, c.never) {
				t.Errorf("it says %q:\n%s", c.never, text)
			}
			if lines, most := strings.Count(text, "\n"), mostLines(told); lines > most {
				t.Errorf("it takes %d lines, want %d at most:\n%s", lines, most, text)
			}
			if strings.Count(text, "To keep the data, FIRST") > 2 { // text is there twice
				t.Errorf("it says so more than once:\n%s", text)
			}
			if strings.Contains(text, "has no words") || strings.Contains(text, " 0s ago") {
				t.Errorf("it says:\n%s", text)
			}
			for line := range strings.Lines(text) {
				if len(line) > 81 && strings.HasPrefix(line, "  ") && strings.Contains(strings.TrimSpace(line), "   ") &&
					!strings.Contains(line, "customresourcedefinitions") {
					t.Errorf("a table is wider than 80 columns: %s", line)
				}
			}
		})
	}
}

// mostLines is how long an answer may be: a screen for one cause, and two for any number.
func mostLines(told *result.Preview) int {
	if len(told.Refusals)+len(told.RootCauses) > 1 {
		return 80
	}
	return 40
}

// human is what people read, in one line for each paragraph.
func human(t *testing.T, told *result.Preview) string {
	t.Helper()
	var out strings.Builder
	if err := print.Result(t.Context(), &out, told, "human", print.Style{Table: table.Draw}); err != nil {
		t.Fatal(err)
	}
	return out.String() + strings.Join(strings.Fields(out.String()), " ")
}

// TestFollowsInTheCluster has a recording asked: it never changes, so what follows the deletion is a question to the
// cluster.
func TestFollowsInTheCluster(t *testing.T) {
	c := previewCase{objects: []string{manager(), configMap("top", "")}, target: "configmaps/top"}
	memory := c.memory(t)
	options := preview.Options{}
	options.Files, options.Flags = []string{"a.snapshot"}, []string{"--context", "a"}
	told, err := preview.Preview(t.Context(), memory, c.asked(t, memory, c.target), options)
	if err != nil {
		t.Fatal(err)
	}
	if follow := told.Follow.String(); !strings.HasSuffix(follow, "why configmaps/top --context a -n shop --watch") {
		t.Errorf("the deletion is followed by %s", follow)
	}
}

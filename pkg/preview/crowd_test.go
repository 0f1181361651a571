package preview_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestCrowd has more held objects than are diagnosed at a time: what holds them is one root cause, which holds their
// namespace, and each of them is in the answer once.
func TestCrowd(t *testing.T) {
	const held = 1100
	objects := []string{manager(), namespace()}
	for number := range held {
		objects = append(objects, configMap(fmt.Sprintf("of-many-%04d", number), "finalizers: [example.com/hold]"))
	}
	c := previewCase{target: "namespaces/shop", objects: objects}
	preview, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	if preview.Outcome != result.MayHang || len(preview.RootCauses) != 1 || len(preview.Hanging) != held+1 {
		t.Fatalf("%s: %d root causes, %d would hang", preview.Summary, len(preview.RootCauses), len(preview.Hanging))
	}
	cause := preview.RootCauses[0]
	if cause.Reason != finding.ControllerUnknown || cause.Count != held || len(cause.Others) != held-1 {
		t.Errorf("%s of %d, others %d", cause.Reason, cause.Count, len(cause.Others))
	}
	var waits, contains int
	for _, edge := range preview.Graph.Edges {
		from := preview.Graph.Nodes[edge.From]
		switch {
		case from.Kind == "Namespace" && edge.Type == finding.WaitsFor:
			waits++
		case from.Kind == "Namespace" && edge.Type == finding.Contains:
			contains++
		}
	}
	if waits != held || contains != held {
		t.Errorf("the namespace waits for %d, and contains %d", waits, contains)
	}
	last := preview.Hanging[held]
	if last.Object.Kind != "Namespace" || len(last.RootCauses) != 1 || !strings.Contains(last.Awaits, "1097 more") {
		t.Errorf("it ends with %s: %s", last.Object, last.Awaits)
	}
}

// TestLimits has more objects than are asked about: the answer says of how many it does not know.
func TestLimits(t *testing.T) {
	many := func(one func(name string) string) (objects []string) {
		for number := range 203 {
			objects = append(objects, one(fmt.Sprintf("of-many-%04d", number)))
		}
		return objects
	}
	held := func(name string) string {
		return secret(name, "finalizers: [example.com/hold], deletionTimestamp: '2026-01-02T11:00:00Z'")
	}
	finalizers := func(name string) string {
		return object("shop.example.com/v1", "Database", "other/"+name, "finalizers: [shop.example.com/"+name+"]", "")
	}
	for _, c := range []previewCase{
		{
			name: "deletions that may be refused", target: "namespaces/shop", outcome: result.MayHang,
			objects: append(many(func(name string) string { return configMap(name, "") }), append(answering(),
				manager(), namespace(), hook("DELETE", "", "configmaps"))...),
			says: []string{"At most 200 objects of a kind were checked for whether their deletion would be refused. 3 more"},
		},
		{
			name: "objects that wait already", target: "configmaps/top", outcome: result.WouldGo,
			objects: append(many(held), manager(), configMap("top", "")),
			says:    []string{"100 of the objects that are already Terminating", "103 more were not."},
		},
		{
			name: "finalizers", target: "namespaces/other", outcome: result.MayHang,
			objects: append(many(finalizers), append(operator(1), object("v1", "Namespace", "/other", "",
				"spec: {finalizers: [kubernetes]}\nstatus: {phase: Active}"))...),
			says:  []string{"its controller was not looked up, because there are too many finalizers"},
			never: "nothing in this cluster shows what removes it",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			preview, err := c.ask(t, c.memory(t))
			if err != nil {
				t.Fatal(err)
			}
			if preview.Outcome != c.outcome {
				t.Errorf("%s: %s", preview.Outcome, preview.Summary)
			}
			text := human(t, preview)
			for _, hold := range preview.Holds { // people see twelve of them
				text += "\n" + hold.Message
			}
			for _, says := range c.says {
				if !strings.Contains(text, says) {
					t.Errorf("it doesn't say %q:\n%s", says, text)
				}
			}
			if c.never != "" && strings.Contains(text, c.never) {
				t.Errorf("it says %q:\n%s", c.never, text)
			}
		})
	}
}

package preview_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
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
	told, err := c.ask(t, c.memory(t))
	if err != nil {
		t.Fatal(err)
	}
	if told.Outcome != report.MayHang || len(told.RootCauses) != 1 || len(told.Hanging) != held+1 {
		t.Fatalf("%s: %d root causes, %d would hang", told.Summary, len(told.RootCauses), len(told.Hanging))
	}
	cause := told.RootCauses[0]
	if cause.Reason != finding.ControllerUnknown || cause.Count != held || len(cause.Others) != held-1 {
		t.Errorf("%s of %d, others %d", cause.Reason, cause.Count, len(cause.Others))
	}
	var waits, contains int
	for _, edge := range told.Graph.Edges {
		from := told.Graph.Nodes[edge.From]
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
	last := told.Hanging[held]
	if last.Object.Kind != "Namespace" || len(last.RootCauses) != 1 || !strings.Contains(last.Awaits, "1097 more") {
		t.Errorf("it ends with %s: %s", last.Object, last.Awaits)
	}
}

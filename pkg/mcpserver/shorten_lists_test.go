package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/schema/outputs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mcpserver"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// command is what the causes of a crowd offer. Half of it would be another command.
const command = "kubectl get configmaps/one-0 -n crowd --context lab -o yaml"

// crowd is a list of many objects. The last one is stuck.
func crowd(count int) *result.List {
	list := &result.List{
		APIVersion: result.APIVersion, Kind: "DiagnosisList", Unreadable: []finding.Unreadable{},
		Graph: result.Graph{Nodes: []graph.Node{}, Edges: []graph.Edge{}},
	}
	hold := finding.Hold{Type: finding.Finalizer, Name: "example.com/hold"}
	cause := result.RootCause{Reason: finding.ControllerMissing, Evidence: []finding.Evidence{}, Path: []finding.Ref{}}
	cause.Certainty, cause.Message = finding.Likely, strings.Repeat("m", 200)
	cause.Remedies = []finding.Remedy{{Action: "look", Command: strings.Fields(command), Risk: finding.NoRisk}}
	for i := range count {
		ref := finding.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "crowd", Name: fmt.Sprintf("one-%d", i)}
		item := result.ListItem{Target: ref, Resource: "configmaps", Verdict: result.Progressing, Awaits: "its end"}
		item.Deletion.Holds = []finding.Hold{hold}
		if i == count-1 {
			item.Verdict = result.Stuck
		}
		list.Items = append(list.Items, item)
		cause.Others = append(cause.Others, ref)
		list.Graph.Nodes = append(list.Graph.Nodes, graph.Node{Ref: ref, Terminating: true})
		list.Graph.Edges = append(list.Graph.Edges, graph.Edge{From: i, To: max(0, i-1), Type: finding.WaitsFor})
	}
	cause.Object = cause.Others[0]
	for range 100 {
		list.RootCauses = append(list.RootCauses, cause)
	}
	return list
}

// TestCrowd cuts what is too long to read, the worst first, and says so. The rest is valid by the schema.
func TestCrowd(t *testing.T) {
	t.Parallel()
	const count, mostBytes = 10_000, 50 << 10
	ask := func(context.Context, mcpserver.Question) mcpserver.Reply {
		return mcpserver.Reply{Results: []result.Result{crowd(count)}}
	}
	session := connect(t, ask, time.Minute)
	schemas, err := outputs.Open("../../docs/schema")
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{1, 7, 50, 500} {
		result := call(t, session, "list", fmt.Sprintf(`{"limit": %d}`, limit))
		data, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > mostBytes || len(textOf(result)) > mostBytes {
			t.Errorf("limit %d: %d bytes, and %d of text", limit, len(data), len(textOf(result)))
		}
		var answer struct {
			Answer  json.RawMessage
			LeftOut []mcpserver.Cut
			AskOn   string
		}
		if err := json.Unmarshal(data, &answer); err != nil {
			t.Fatal(err)
		}
		if err := schemas.Check(answer.Answer); err != nil {
			t.Error(err)
		}
		kept := checkParts(t, answer.Answer)
		items := mcpserver.Cut{List: "items", Kept: kept, Of: count}
		if !slices.Contains(answer.LeftOut, items) || kept > limit {
			t.Errorf("limit %d: of the items, %d are left, and told is %+v", limit, kept, answer.LeftOut)
		}
		others := func(cut mcpserver.Cut) bool { return cut.List == "rootCauses[].others" && cut.Of == count }
		if !slices.ContainsFunc(answer.LeftOut, others) {
			t.Errorf("limit %d: it is not told that others were left out: %+v", limit, answer.LeftOut)
		}
		text := textOf(result)
		for _, want := range []string{
			"10000 objects are Terminating: 1 stuck, 9999 progressing", "of 10000", "Ask why about",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("limit %d: the text doesn't say %q", limit, want)
			}
		}
	}
}

// checkParts holds that what is left of a crowd makes sense by itself, and returns how many items there are.
func checkParts(t *testing.T, answer []byte) (items int) {
	t.Helper()
	var list struct {
		result.List
		RootCauses []struct{ Remedies []struct{ Command string } } `json:"rootCauses"`
	}
	if err := json.Unmarshal(answer, &list); err != nil {
		t.Fatal(err)
	}
	if list.Items[0].Verdict != result.Stuck {
		t.Errorf("the first is %s", list.Items[0].Verdict)
	}
	if got := list.RootCauses[0].Remedies[0].Command; got != command {
		t.Errorf("the command is %q", got)
	}
	for _, edge := range list.Graph.Edges {
		if max(edge.From, edge.To) >= len(list.Graph.Nodes) {
			t.Errorf("an edge joins what is not there: %+v", edge)
		}
	}
	return len(list.Items)
}

// TestInterruptedCut has the time of a question end before its answer is cut: an answer that is not cut is not given.
func TestInterruptedCut(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	ask := func(ctx context.Context, _ mcpserver.Question) mcpserver.Reply {
		<-ctx.Done()
		close(asked)
		return mcpserver.Reply{Results: []result.Result{crowd(300_000)}}
	}
	session := connect(t, ask, time.Millisecond)
	answer, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list", Arguments: map[string]any{}})
	if err != nil {
		t.Fatal(err)
	}
	<-asked
	text, _ := json.Marshal(answer.Content)
	if !answer.IsError || !strings.Contains(string(text), "took longer than") {
		t.Errorf("%d bytes were answered, error %t", len(text), answer.IsError)
	}
}

package clusters_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/clusters"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func begin() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// listOf is a list in which one object waits for each cause, in the same order.
func listOf(causes ...result.RootCause) *result.List {
	list := &result.List{GeneratedAt: begin(), RootCauses: causes}
	for i, cause := range causes {
		object := finding.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "shop", Name: fmt.Sprintf("held-%d", i)}
		list.Items = append(list.Items, result.ListItem{
			Target: object, Verdict: result.Stuck, Deletion: result.Deletion{RequestedAt: begin()},
			RootCauses: []result.ItemCause{{Index: i, Reason: cause.Reason, Object: cause.Object, Count: 1}},
		})
		list.Graph.Nodes = append(list.Graph.Nodes, graph.Node{Ref: object}, graph.Node{Ref: cause.Object})
		list.Graph.Edges = append(list.Graph.Edges, graph.Edge{From: 2 * i, To: 2*i + 1})
	}
	list.Unreadable = []finding.Unreadable{{Resource: "pods"}}
	return list
}

func missing(finalizer, object string) result.RootCause {
	return result.RootCause{
		Reason: finding.ControllerMissing, Finalizer: finalizer,
		Object:  finding.Ref{APIVersion: "a/v1", Kind: "Database", Name: object},
		Details: finding.ControllerMissingDetails{Known: &finding.KnownFinalizerDetails{RemovedBy: "cert-manager"}},
	}
}

func about(reason finding.Reason, kind, name string) result.RootCause {
	return result.RootCause{Reason: reason, Object: finding.Ref{Kind: kind, Name: name}}
}

func answered(name string, list *result.List) clusters.Answer[*result.List] {
	return clusters.Answer[*result.List]{
		Answer: list, Cluster: result.Cluster{Name: name, State: result.Answered},
	}
}

func failed(name string) clusters.Answer[*result.List] {
	return clusters.Answer[*result.List]{
		Cluster: result.Cluster{Name: name, State: result.Unanswered, Error: "no answer within 3s"},
	}
}

// TestShared groups what is the same in several clusters.
func TestShared(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []clusters.Answer[*result.List]
		want    string
	}{
		{"one controller, other objects", []clusters.Answer[*result.List]{
			answered("a", listOf(missing("x/y", "one"))),
			answered("b", listOf(missing("x/y", "two"), missing("x/y", "three"))),
		}, "ControllerMissing cert-manager in [b a] 3 [1 2 0]"},
		{"another finalizer", []clusters.Answer[*result.List]{
			answered("a", listOf(missing("x/y", "one"))), answered("b", listOf(missing("x/z", "one"))),
		}, "ControllerMissing cert-manager in [a] 1 [0]; ControllerMissing cert-manager in [b] 1 [1]"},
		{"nodes have other names", []clusters.Answer[*result.List]{
			answered("a", listOf(about(finding.NodeNotReady, "Node", "a-1"))),
			answered("b", listOf(about(finding.NodeNotReady, "Node", "b-7"))),
		}, "NodeNotReady Node in [a b] 2 [0 1]"},
		{"a webhook has the same name", []clusters.Answer[*result.List]{
			answered("a", listOf(about(finding.WebhookUnavailable, "Hook", "guard"))),
			answered("b", listOf(about(finding.WebhookUnavailable, "Hook", "guard"))),
			answered("c", listOf(about(finding.WebhookUnavailable, "Hook", "other"))),
		}, "WebhookUnavailable Hook guard in [a b] 2 [0 1]; WebhookUnavailable Hook other in [c] 1 [2]"},
		{"in more clusters comes first, and last what is not known", []clusters.Answer[*result.List]{
			answered("a", listOf(result.RootCause{Reason: finding.ControllerUnknown, Finalizer: "u/u"},
				about(finding.StillInUse, "Pod", "p"), about(finding.NodeNotReady, "Node", "n"))),
			answered("b", listOf(result.RootCause{Reason: finding.ControllerUnknown, Finalizer: "u/u"},
				about(finding.NodeNotReady, "Node", "m"))),
		}, "NodeNotReady Node in [a b] 2 [2 4]; StillInUse Pod p in [a] 1 [1]; ControllerUnknown u/u in [a b] 2 [0 3]"},
		{"all failed", []clusters.Answer[*result.List]{failed("a"), failed("b")}, ""},
	} {
		for i := range c.answers { // the object of a cause says where it is
			if c.answers[i].Answer != nil {
				for j := range c.answers[i].Answer.RootCauses {
					object := &c.answers[i].Answer.RootCauses[j].Object
					if object.Name == "" {
						object.Kind, object.Name = "ConfigMap", "held"
					}
				}
			}
		}
		var got []string
		for _, one := range clusters.Lists(c.answers).Shared {
			got = append(got, fmt.Sprintf("%s %s in %v %d %v", one.Reason, one.About, one.Clusters, one.Objects, one.Causes))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, text, c.want)
		}
	}
}

// TestListsJoined keeps what refers to something else by its number, and says of everything where it is.
func TestListsJoined(t *testing.T) {
	first, second := listOf(missing("x/y", "one")), listOf(missing("x/y", "two"), about(finding.StillInUse, "Pod", "p"))
	second.RootCauses[1].EndsWith = []int{0}
	second.Items[0].Deletion.RequestedAt = begin().Add(-time.Hour) // the oldest
	joined := clusters.Lists([]clusters.Answer[*result.List]{answered("a", first), failed("down"), answered("b", second)})
	if got := joined.Items[0].Target.Cluster; got != "b" {
		t.Errorf("the oldest is in %q", got)
	}
	for _, item := range joined.Items {
		cause := joined.RootCauses[item.RootCauses[0].Index]
		if cause.Object != item.RootCauses[0].Object || cause.Object.Cluster != item.Target.Cluster {
			t.Errorf("%v waits for %v", item.Target, cause.Object)
		}
	}
	if got := joined.RootCauses[2].EndsWith; !reflect.DeepEqual(got, []int{1}) {
		t.Errorf("it ends with %v", got)
	}
	for _, edge := range joined.Graph.Edges {
		if from, to := joined.Graph.Nodes[edge.From], joined.Graph.Nodes[edge.To]; from.Cluster != to.Cluster {
			t.Errorf("an edge leads from %v to %v", from.Ref, to.Ref)
		}
	}
	if len(joined.Unreadable) != 2 || joined.Unreadable[1].Cluster != "b" {
		t.Errorf("got %v", joined.Unreadable)
	}
	if len(joined.Clusters) != 3 || result.Asked(joined.Clusters) != 2 || result.AllFailed(joined.Clusters) {
		t.Errorf("got %v", joined.Clusters)
	}
}

// TestAllFailed has an answer that claims nothing.
func TestAllFailed(t *testing.T) {
	joined := clusters.Lists([]clusters.Answer[*result.List]{failed("a"), failed("b")})
	if !result.AllFailed(joined.Clusters) || result.Asked(joined.Clusters) != 0 {
		t.Errorf("got %v", joined.Clusters)
	}
	text, err := json.Marshal(joined)
	if err != nil || !strings.Contains(string(text), `"items":[],"rootCauses":[]`) {
		t.Errorf("got %s, %v", text, err)
	}
	if result.AllFailed(nil) {
		t.Error("where one cluster was asked, there are none that failed")
	}
}

// TestMark marks references wherever they are: in details, in pointers, and in what is behind an interface.
func TestMark(t *testing.T) {
	shared := &finding.Ref{Kind: "Lease", Name: "l"}
	answer := &result.Diagnosis{
		Target: finding.Ref{Kind: "Pod", Name: "p"},
		RootCauses: []result.RootCause{{
			Object:   finding.Ref{Kind: "Node", Name: "n"},
			Details:  finding.ControllerDetails{Controller: shared, Named: []finding.Ref{{Kind: "Secret", Name: "s"}}},
			Evidence: []finding.Evidence{{Object: &finding.Ref{Kind: "Event", Name: "e"}}, {}},
			Remedies: []finding.Remedy{{Details: &finding.LeaderDetails{Lease: shared}}},
		}},
		Unreadable: []finding.Unreadable{{Resource: "pods"}},
	}
	clusters.Mark(answer, "prod")
	text, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(text), `"cluster":"prod"`); got != 6 {
		t.Errorf("%d are marked, and not 6:\n%s", got, text)
	}
	if details := answer.RootCauses[0].Remedies[0].Details.(*finding.LeaderDetails); details.Lease.Cluster != "prod" {
		t.Error("a step's details aren't marked")
	}
	if details := answer.RootCauses[0].Details.(finding.ControllerDetails); details.Workload != nil {
		t.Error("what isn't there is marked")
	}
}

// TestNotes says about which clusters a note is, if not about all.
func TestNotes(t *testing.T) {
	check := func(name string, notes ...string) clusters.Answer[*result.Check] {
		return clusters.Answer[*result.Check]{
			Cluster: result.Cluster{Name: name, State: result.Answered}, Answer: &result.Check{Notes: notes},
		}
	}
	joined := clusters.Checks([]clusters.Answer[*result.Check]{check("a", "both", "one"), check("b", "both")})
	if want := []string{"both", "a: one"}; !reflect.DeepEqual(joined.Notes, want) {
		t.Errorf("got %q", joined.Notes)
	}
}

package print_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/clusters"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

func inFleet[T any](name string, answer *T) clusters.Answer[*T] {
	return clusters.Answer[*T]{
		Answer: answer, Cluster: result.Cluster{Name: name, State: result.Answered, Seconds: 0.25},
	}
}

// notInFleet is a cluster without an answer.
func notInFleet[T any](name string, state result.ClusterState, why string) clusters.Answer[*T] {
	return clusters.Answer[*T]{Cluster: result.Cluster{Name: name, State: state, Seconds: 30, Error: why}}
}

func fleetAt() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// certificates is a list with so many certificates that wait for cert-manager, in a cluster of a name.
func certificates(context string, count int) *result.List {
	cause := result.RootCause{
		Reason: finding.ControllerMissing, Finalizer: "cert-manager.io/x", Certainty: finding.Likely, Count: count,
		Object: ref("Certificate", "c-0"), Message: "cert-manager is not in this cluster.",
		Details: finding.ControllerMissingDetails{Known: &finding.KnownFinalizerDetails{RemovedBy: "cert-manager"}},
		Remedies: []finding.Remedy{{
			Action: "Install cert-manager again.", Command: finding.Command{"helm", "--kube-context", context, "install"},
		}},
	}
	list := &result.List{GeneratedAt: fleetAt(), RootCauses: []result.RootCause{cause}}
	for i := range count {
		object := ref("Certificate", "c-"+string(rune('0'+i)))
		list.Items = append(list.Items, result.ListItem{
			Target: object, Resource: "certificates.cert-manager.io", Verdict: result.Stuck,
			Deletion:   result.Deletion{RequestedAt: fleetAt().Add(-time.Hour)},
			RootCauses: []result.ItemCause{{Reason: cause.Reason, Object: cause.Object, Count: 1}},
			Ask:        finding.Command{"kubectl", "finalizers", "why", "certificates/" + object.Name, "--context", context},
		})
		list.Graph.Nodes = append(list.Graph.Nodes, graph.Node{Ref: object, Terminating: true})
	}
	return list
}

func joinedList() *result.List {
	busy := certificates("prod us", 3)
	busy.Items = append(busy.Items, result.ListItem{
		Target: ref("Pod", "p"), Resource: "pods", Verdict: result.Progressing, Fares: "waits for its kubelet",
		Deletion: result.Deletion{RequestedAt: fleetAt().Add(-time.Minute)},
	})
	busy.Unreadable = []finding.Unreadable{{Resource: "nodes", Error: "forbidden: nodes", Why: "forbidden"}}
	again := inFleet("prod us", busy)
	again.Cluster.Also = []string{"prod-us-admin"}
	partly := inFleet("slow", &result.List{GeneratedAt: fleetAt()})
	partly.Cluster.State, partly.Cluster.Error = result.Incomplete, "not finished within 30s"
	return clusters.Lists([]clusters.Answer[*result.List]{
		inFleet("prod-eu", certificates("prod-eu", 1)), again, inFleet("quiet", &result.List{GeneratedAt: fleetAt()}),
		partly, notInFleet[result.List]("down-1", result.Unanswered, "connection refused"),
		notInFleet[result.List]("down-2", result.Unanswered, "connection refused"),
	})
}

func joinedCheck() *result.Check {
	check := func(objects ...finding.Ref) *result.Check {
		return &result.Check{
			GeneratedAt: fleetAt(), Held: 5, Notes: []string{"Rights were read."}, Findings: []result.Finding{{
				Severity: result.Error, Reason: finding.WebhookUnavailable, Object: ref("Hook", "guard"), Count: len(objects),
				Message: "Its backend is missing.", Others: objects[1:], Certainty: finding.Proven,
			}},
		}
	}
	again := inFleet("a", check(ref("Hook", "guard")))
	again.Cluster.Also = []string{"a-admin"}
	return clusters.Checks([]clusters.Answer[*result.Check]{
		again, inFleet("b", check(ref("Hook", "guard"))),
		notInFleet[result.Check]("c", result.Unanswered, "no answer within 30s"),
	})
}

func joinedWhy() *result.DiagnosisList {
	one := func(ago time.Duration) *result.DiagnosisList {
		return &result.DiagnosisList{Items: []result.Diagnosis{{
			GeneratedAt: fleetAt(), Target: ref("Certificate", "c-0"), Verdict: result.Stuck,
			Summary:  "Certificate shop/c-0 waits for cert-manager.",
			Deletion: &result.Deletion{RequestedAt: fleetAt().Add(-ago)}, RootCauses: certificates("prod-eu", 1).RootCauses,
		}}}
	}
	gone := &result.DiagnosisList{Items: []result.Diagnosis{{
		GeneratedAt: fleetAt(), Target: ref("Certificate", "c-0"), Verdict: result.NotTerminating, Summary: "It is alive.",
	}}}
	return clusters.Diagnoses([]clusters.Answer[*result.DiagnosisList]{
		inFleet("alive", gone), inFleet("prod-eu", one(time.Hour)), inFleet("prod us", one(3*time.Hour)),
		notInFleet[result.DiagnosisList]("other", result.NotThere, "certificates/c-0 -n shop: not found"),
		notInFleet[result.DiagnosisList]("down", result.Unanswered, "connection refused"),
	})
}

func joinedTree() *result.Tree {
	tree := &result.Tree{GeneratedAt: fleetAt(), Nodes: []result.TreeNode{
		{Node: graph.Node{Ref: ref("Certificate", "c-0"), Terminating: true}, Known: true, Finalizers: []string{"a/b"}},
	}}
	return clusters.Trees([]clusters.Answer[*result.Tree]{
		inFleet("prod-eu", tree), inFleet("quiet", &result.Tree{GeneratedAt: fleetAt()}),
		notInFleet[result.Tree]("down", result.Unanswered, "connection refused"),
	})
}

func noneAnswered() *result.List {
	return clusters.Lists([]clusters.Answer[*result.List]{
		notInFleet[result.List]("a", result.Unanswered, "no answer within 30s"),
		notInFleet[result.List]("b", result.Unanswered, "you must log in"),
	})
}

// TestFleetGolden keeps what people see of several clusters.
func TestFleetGolden(t *testing.T) {
	for _, c := range []struct {
		name    string
		answer  func() result.Result
		formats []string
	}{
		{"list", func() result.Result { return joinedList() }, []string{"human", "wide", "short", "name", "markdown"}},
		{"check", func() result.Result { return joinedCheck() }, []string{"human", "wide", "short"}},
		{"why", func() result.Result { return joinedWhy() }, []string{"human", "short"}},
		{"tree", func() result.Result { return joinedTree() }, []string{"human", "dot", "short"}},
		{"none", func() result.Result { return noneAnswered() }, []string{"human", "short", "json"}},
	} {
		for _, format := range c.formats {
			var out bytes.Buffer
			if err := print.Result(t.Context(), &out, c.answer(), format, print.Style{Width: 80}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", "fleet", c.name+"."+format)
			if *update {
				if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), out.String()); diff != "" {
				t.Errorf("%s differs:\n%s", path, diff)
			}
		}
	}
}

// TestFleetNamesAll names each cluster that gave no answer, with its reason, in every format for people.
func TestFleetNamesAll(t *testing.T) {
	for _, format := range []string{"human", "wide", "markdown", "html"} {
		var out bytes.Buffer
		if err := print.Result(t.Context(), &out, joinedList(), format, print.Style{}); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"down-1", "down-2", "connection refused", "slow", "not finished within 30s"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s doesn't say %q", format, want)
			}
		}
	}
}

// TestFleetNothing says where nothing was found: each context may have a namespace of its own.
func TestFleetNothing(t *testing.T) {
	for _, c := range []struct {
		namespaces []string
		want       string
	}{
		{[]string{"", ""}, "."},
		{[]string{"shop", "shop"}, ` in namespace "shop". To look in all namespaces, use -A.`},
		{[]string{"shop", "bank"}, ` in namespaces "shop" and "bank". To look in all namespaces, use -A.`},
	} {
		want := "Asked 2 of 3 clusters. Nothing is Terminating there" + c.want
		lists := []clusters.Answer[*result.List]{notInFleet[result.List]("down", result.Unanswered, "timed out")}
		trees := []clusters.Answer[*result.Tree]{notInFleet[result.Tree]("down", result.Unanswered, "timed out")}
		for i, namespace := range c.namespaces {
			name := string(rune('a' + i))
			lists = append(lists, inFleet(name, &result.List{Namespace: namespace}))
			trees = append(trees, inFleet(name, &result.Tree{Namespace: namespace}))
		}
		for _, answer := range []result.Result{clusters.Lists(lists), clusters.Trees(trees)} {
			var out bytes.Buffer
			if err := print.Result(t.Context(), &out, answer, "human", print.Style{Width: 200}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(strings.Fields(out.String()), " "); !strings.HasPrefix(got, want) {
				t.Errorf("%q: it begins %q, want %q", c.namespaces, got, want)
			}
		}
	}
}

// TestFleetNothingInOthers says where nothing was found, too, in the clusters beside one with something.
func TestFleetNothingInOthers(t *testing.T) {
	for namespace, want := range map[string]string{
		"":     " Nothing is Terminating in b. ",
		"shop": ` Nothing is Terminating in b in namespace "shop". To look in all namespaces, use -A. `,
	} {
		some := certificates("a", 2)
		some.Namespace = namespace
		var out bytes.Buffer
		joined := clusters.Lists([]clusters.Answer[*result.List]{
			inFleet("a", some), inFleet("b", &result.List{Namespace: namespace}),
		})
		if err := print.Result(t.Context(), &out, joined, "human", print.Style{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, want) {
			t.Errorf("it does not say %q:\n%s", want, got)
		}
	}
}

package diagnosis_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// asking are the options of a test.
func asking(t testing.TB) mechanism.Options {
	t.Helper()
	return mechanism.Options{Plugins: knowledge(t), Flags: []string{"--context", "test"}}
}

func list(t testing.TB, memory *clustertest.Memory, area session.Area) *result.List {
	t.Helper()
	options := diagnosis.ListOptions{Options: asking(t), Namespace: area.Namespace, Labels: area.Labels}
	found, err := diagnosis.List(t.Context(), memory, options)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestListSaysWhatWhySays lists the cluster of every case of TestWhy: the case's target is answered as
// why answers it, given that a list doesn't look twice.
func TestListSaysWhatWhySays(t *testing.T) {
	for _, c := range whyCases() {
		if c.probe != nil || c.review != nil || c.deep || c.meanwhile != nil || c.verdict == result.NotTerminating ||
			len(c.damaged) > 0 {
			continue // list neither probes nor looks deeper or twice, and lists what it can read
		}
		t.Run(c.name, func(t *testing.T) {
			memory := c.memory(t)
			if c.deny != "" {
				memory.Deny(c.deny)
			}
			why := c.ask(t)
			got := list(t, memory, session.Area{})
			at := slices.IndexFunc(got.Items, func(item result.ListItem) bool { return item.Target == why.Target })
			if at < 0 {
				if len(got.Unreadable) == 0 {
					t.Fatalf("%s is not listed", why.Target)
				}
				return // its kind can't be listed
			}
			item := got.Items[at]
			var causes, told []string
			for _, cause := range why.RootCauses {
				causes = append(causes, fmt.Sprintf("%s × %d", cause.Reason, cause.Count))
			}
			for _, cause := range item.RootCauses {
				told = append(told, fmt.Sprintf("%s × %d", cause.Reason, cause.Count))
				if got.RootCauses[cause.Index].Reason != cause.Reason {
					t.Errorf("cause %d of the list is %s, and not %s", cause.Index, got.RootCauses[cause.Index].Reason, cause.Reason)
				}
			}
			slices.Sort(causes)
			slices.Sort(told)
			if diff := cmp.Diff(causes, told); diff != "" || item.Verdict != why.Verdict {
				t.Errorf("list says %s, why says %s (-why +list):\n%s", item.Verdict, why.Verdict, diff)
			}
		})
	}
}

// stuckDatabases are many objects with one cause.
func stuckDatabases(count int) []string {
	var objects []string
	for i := range count {
		objects = append(objects, object("shop.example.com/v1", "Database", "shop", fmt.Sprintf("orders-%04d", i),
			deleted(time.Duration(count-i)*time.Minute, "shop.example.com/cleanup"), ""))
	}
	return objects
}

func TestListGroups(t *testing.T) {
	memory, err := clustertest.New(now,
		strings.Join(append(stuckDatabases(1000), configMap("notes", deleted(3*time.Hour, "example.com/hold")),
			configMap("alive", "")), "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := list(t, memory, session.Area{Namespace: "shop"})
	if len(got.Items) != 1001 || len(got.RootCauses) != 2 || got.RootCauses[0].Frees != 1000 ||
		got.RootCauses[0].Count != 1000 || got.RootCauses[1].Frees != 1 {
		t.Fatalf("%d items, causes %+v", len(got.Items), got.RootCauses)
	}
	if !slices.IsSortedFunc(got.Items,
		func(a, b result.ListItem) int { return a.Deletion.RequestedAt.Compare(b.Deletion.RequestedAt) }) {
		t.Error("the oldest is not first")
	}
	var human, colored, wide bytes.Buffer
	for out, style := range map[*bytes.Buffer]print.Style{
		&human: {Table: table.Draw}, &colored: {Color: true, Table: table.Draw},
	} {
		if err := print.Result(t.Context(), out, got, print.FormatHuman, style); err != nil {
			t.Fatal(err)
		}
	}
	compareGolden(t, "list of a thousand with one cause", human.String())
	checkLines(t, human.String())
	if diff := cmp.Diff(human.String(), withoutEscapes(colored.String())); diff != "" {
		t.Errorf("colour says something that the words don't (-plain +colored):\n%s", diff)
	}
	got.Items = got.Items[:3]
	style := print.Style{Table: table.Draw, Wide: true}
	if err := print.Result(t.Context(), &wide, got, print.FormatWide, style); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "list wide", wide.String())
}

// TestListInterrupted says of each object that was found before an interrupt that it was not examined.
func TestListInterrupted(t *testing.T) {
	memory, err := clustertest.New(now, strings.Join(append(stuckDatabases(3), managerAlive()), "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	reader := interrupting{Memory: memory, cancel: cancel}
	got, err := diagnosis.List(ctx, reader, diagnosis.ListOptions{Options: asking(t), Namespace: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	var human bytes.Buffer
	if err := print.Result(t.Context(), &human, got, print.FormatHuman, print.Style{Table: table.Draw}); err != nil {
		t.Fatal(err)
	}
	const says = "not examined, because the command was interrupted"
	if text := strings.Join(strings.Fields(human.String()), " "); !strings.Contains(text, says) {
		t.Errorf("it doesn't say so:\n%s", text)
	}
}

// interrupting ends everything at the first read of something that is not a list of metadata.
type interrupting struct {
	*clustertest.Memory
	cancel func()
}

func (i interrupting) List(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
) ([]unstructured.Unstructured, error) {
	i.cancel()
	return i.Memory.List(ctx, resource, namespace, selector)
}

// TestListReadsOnce makes sure that a thousand objects don't cost a thousand reads.
func TestListReadsOnce(t *testing.T) {
	memory, err := clustertest.New(now, strings.Join(append(stuckDatabases(1000), managerAlive()), "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	list(t, memory, session.Area{})
	times := map[string]int{}
	for _, read := range memory.Reads {
		if times[read]++; times[read] > 3 { // as metadata, whole, and in search of a controller
			t.Errorf("%s was read %d times", read, times[read])
		}
	}
	// what a controller is found by, besides
	if servedKinds, _ := memory.ServedKinds(t.Context()); len(memory.Reads) > len(servedKinds.Resources)+15 {
		t.Errorf("%d reads for %d kinds", len(memory.Reads), len(servedKinds.Resources))
	}
}

func TestListSelects(t *testing.T) {
	memory, err := clustertest.New(now, strings.Join([]string{
		configMap("web", "labels: {app: web}, "+deleted(time.Hour, "example.com/hold")),
		configMap("db", "labels: {app: db}, "+deleted(time.Hour, "example.com/hold")),
		object("v1", "ConfigMap", "elsewhere", "other", "labels: {app: web}, "+deleted(time.Hour, "example.com/hold"), ""),
	}, "---\n"))
	if err != nil {
		t.Fatal(err)
	}
	configMaps, nodes := []cluster.Resource{cluster.ConfigMaps()}, []cluster.Resource{cluster.Nodes()}
	for want, options := range map[string]diagnosis.ListOptions{
		"elsewhere/other shop/db shop/web":  {},
		"shop/db shop/web":                  {Namespace: "shop"},
		"elsewhere/other shop/web":          {Labels: "app=web"},
		"shop/db":                           {Namespace: "shop", Labels: "app=db"},
		"elsewhere/other shop/db shop/web ": {Kinds: configMaps},
		"shop/web":                          {Kinds: configMaps, Namespace: "shop", Labels: "app=web"},
		"":                                  {Kinds: nodes},
	} {
		options.Options = asking(t)
		found, err := diagnosis.List(t.Context(), memory, options)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, item := range found.Items {
			names = append(names, item.Target.Path())
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != strings.TrimSpace(want) {
			t.Errorf("%+v: %s, want %s", options, got, want)
		}
	}
}

func TestListKnowsMirrors(t *testing.T) {
	text := object("v1", "ConfigMap", "shop", "web", deleted(time.Hour, "example.com/hold"), "")
	as := func(apiVersion, kind string) string {
		return "apiVersion: " + apiVersion + "\nkind: " + kind + strings.TrimPrefix(text, "apiVersion: v1\nkind: ConfigMap")
	}
	for want, objects := range map[string][]string{
		"ConfigMap shop/web": {as("infra.example.net/v1", "Bucket"), text},
		"Bucket shop/web":    {as("store.example.com/v1", "Usage"), as("infra.example.net/v1", "Bucket")},
	} {
		memory, err := clustertest.New(now, strings.Join(append(objects, managerAlive()), "---\n"))
		if err != nil {
			t.Fatal(err)
		}
		var listed []string
		for _, item := range list(t, memory, session.Area{}).Items {
			listed = append(listed, item.Target.String())
		}
		if diff := cmp.Diff([]string{want}, listed); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

package metrics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/audit"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// shop is a cluster with a stuck namespace, and something in it that will get stuck.
const shop = `
apiVersion: v1
kind: Namespace
metadata: {name: shop, uid: ns, deletionTimestamp: "2026-01-02T01:00:00Z"}
spec: {finalizers: [kubernetes]}
status: {phase: Terminating}
---
apiVersion: v1
kind: ConfigMap
metadata:
  {name: one, namespace: shop, uid: cm1, deletionTimestamp: "2026-01-02T02:00:00Z", finalizers: [shop.example.com/hold]}
---
apiVersion: v1
kind: ConfigMap
metadata:
  {name: two, namespace: shop, uid: cm2, deletionTimestamp: "2026-01-02T01:30:00Z", finalizers: [shop.example.com/hold]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: live, namespace: other, uid: cm3, finalizers: [nameless]}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: owned
  namespace: other
  uid: cm4
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: gone, uid: gone}]
`

func cluster3am(t *testing.T) *clustertest.Memory {
	t.Helper()
	memory, err := clustertest.New(time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC), shop)
	if err != nil {
		t.Fatal(err)
	}
	return memory
}

func asking(t *testing.T) diagnosis.Options {
	t.Helper()
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return diagnosis.Options{Plugins: known, Pause: session.NoSecondLook}
}

func look(t *testing.T, reader cluster.Reader, namespace string) *Numbers {
	t.Helper()
	numbers, err := Look(t.Context(), reader, namespace, asking(t))
	if err != nil {
		t.Fatal(err)
	}
	return numbers
}

// reading is a Reader that answers as an API server's does: objects are new each time, slim ones are slim. It notes
// what is read.
type reading struct {
	cluster.Reader
	mu    sync.Mutex
	reads map[string]int
}

func read(from cluster.Reader) *reading { return &reading{Reader: from, reads: map[string]int{}} }

func (r *reading) note(form ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads[fmt.Sprint(form...)]++
}

// Source implements cluster.Reader.
func (*reading) Source() cluster.Source { return cluster.FromServer }

// EachMetadata implements cluster.Reader.
func (r *reading) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	r.note("metadata of ", resource, namespace, selector.Fields, selector.Labels)
	return r.Reader.EachMetadata(ctx, resource, namespace, selector, func(object *metav1.PartialObjectMetadata) {
		object = object.DeepCopy()
		keeps := func(what cluster.Keep) bool { return selector.Keep&what != 0 }
		switch {
		case !keeps(cluster.KeepSlim) || keeps(cluster.KeepTerminating) && object.DeletionTimestamp != nil:
		case len(object.OwnerReferences) == 0 && len(object.Finalizers) == 0:
			object.ObjectMeta = metav1.ObjectMeta{Name: object.Name, Namespace: object.Namespace, UID: object.UID}
		case keeps(cluster.KeepOwned) && len(object.OwnerReferences) > 0:
			object.ManagedFields = nil
		default:
			object.ManagedFields, object.Labels, object.Annotations = nil, nil, nil
		}
		visit(object)
	})
}

// List implements cluster.Reader.
func (r *reading) List(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
) ([]unstructured.Unstructured, error) {
	r.note("list of ", resource, namespace, selector)
	return r.Reader.List(ctx, resource, namespace, selector)
}

// Get implements cluster.Reader.
func (r *reading) Get(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*unstructured.Unstructured, error) {
	r.note("object ", resource, namespace, "/", name)
	return r.Reader.Get(ctx, resource, namespace, name)
}

// TestLookSaysWhatListAndCheckSay looks at recorded clusters, and asks the two commands besides. The look reads nothing
// for one of the questions that it has read for the other.
func TestLookSaysWhatListAndCheckSay(t *testing.T) {
	recordings, err := filepath.Glob(filepath.Join("..", "..", "hack", "operator", "testdata", "recorded", "*.snapshot"))
	if err != nil || len(recordings) < 20 {
		t.Fatalf("%d recordings: %v", len(recordings), err)
	}
	recordings = append(recordings, filepath.Join("..", "..", "hack", "demo", "demo.snapshot"))
	for i, path := range recordings {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			recording, err := files.Open(t.Context(), []string{path}, nil)
			if err != nil {
				t.Fatal(err)
			}
			options := asking(t)
			listing, checking, looking := read(recording), read(recording), read(recording)
			list, err := diagnosis.List(t.Context(), listing, diagnosis.ListOptions{Options: options})
			check, failed := audit.Check(t.Context(), checking, "", options)
			if err := errors.Join(err, failed); err != nil {
				t.Fatal(err)
			}
			n := look(t, looking, "")
			if diff := cmp.Diff(numbersOf(list, check), [2]map[string]int{n.told(), n.toldOfCheck()}); diff != "" {
				t.Errorf("-list and check, +look:\n%s", diff)
			}
			for what, times := range looking.reads {
				if most := max(listing.reads[what], checking.reads[what]); times > most {
					t.Errorf("%s: read %d times, and by the commands no more than %d times", what, times, most)
				}
			}
			if len(looking.reads) < 50 {
				t.Errorf("%d reads: this test could not fail", len(looking.reads))
			}
		})
	}
}

// TestSnapshots looks at recordings of less than a cluster: the answer is that of the commands.
func TestSnapshots(t *testing.T) {
	for _, name := range []string{"P09a", "S14", "S19"} {
		recording, err := files.Open(t.Context(), []string{"../../hack/zoo/testdata/recorded/" + name + ".snapshot"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := diagnosis.List(t.Context(), recording, diagnosis.ListOptions{Options: asking(t)})
		if err != nil {
			t.Fatal(err)
		}
		n := look(t, recording, "")
		if diff := cmp.Diff(numbersOf(list, &report.Check{})[0], n.told()); diff != "" || n.unreadable == 0 {
			t.Errorf("%s: %d unreadable; -list, +look:\n%s", name, n.unreadable, diff)
		}
	}
}

func numbersOf(list *report.List, check *report.Check) (numbers [2]map[string]int) {
	numbers = [2]map[string]int{{}, {}}
	for _, item := range list.Items {
		reason := noReason
		if len(item.RootCauses) > 0 {
			reason = item.RootCauses[0].Reason
		}
		numbers[0][strings.Join([]string{item.Target.Kind, string(item.Verdict), string(reason)}, " ")]++
	}
	for _, one := range check.Findings {
		numbers[1][string(one.Severity)+" "+string(one.Reason)] += one.Count
	}
	return numbers
}

func (n *Numbers) told() map[string]int {
	counts := map[string]int{}
	for is, size := range n.groups(len(n.objects)) {
		counts[strings.Join([]string{is.kind, string(is.verdict), string(is.reason)}, " ")] += size.count
	}
	return counts
}

func (n *Numbers) toldOfCheck() map[string]int {
	counts := map[string]int{}
	for is, count := range n.checked() {
		counts[string(is.severity)+" "+string(is.reason)] = count
	}
	return counts
}

// TestNamespace looks at one namespace, which is counted itself.
func TestNamespace(t *testing.T) {
	n := look(t, cluster3am(t), "shop")
	if len(n.objects) != 3 || len(n.findings) != 0 {
		t.Errorf("%d objects and findings %v, want 3 and none", len(n.objects), n.findings)
	}
}

// TestUnfinishedLook is none: neither without rights nor after the end of its context.
func TestUnfinishedLook(t *testing.T) {
	memory := cluster3am(t)
	memory.Deny("*")
	if n, err := Look(t.Context(), memory, "", asking(t)); err == nil {
		t.Errorf("without any right, a look finds %+v", n)
	}
	memory = cluster3am(t)
	ctx, cancel := context.WithCancel(t.Context())
	memory.Before = func(what string) {
		if strings.HasPrefix(what, "configmaps") {
			cancel()
		}
	}
	if n, err := Look(ctx, memory, "", asking(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted, a look finds %+v, and says %v", n, err)
	}
}

// TestEachReadDenied takes away one kind after the other: each verdict is the same as before, or Undetermined, and the
// numbers say that something could not be read.
func TestEachReadDenied(t *testing.T) {
	memory := cluster3am(t)
	full := map[finding.Ref]object{}
	for _, one := range look(t, memory, "").objects {
		full[one.ref] = one
	}
	denied := map[string]bool{}
	for _, read := range memory.Reads {
		resource, _, _ := strings.Cut(strings.Fields(read)[0], ".")
		if denied[resource] {
			continue
		}
		denied[resource] = true
		memory := cluster3am(t)
		memory.Deny(resource)
		n := look(t, memory, "")
		for _, one := range n.objects {
			if was := full[one.ref]; one.verdict != was.verdict && one.verdict != report.Undetermined {
				t.Errorf("without %s, %s is %s, and else %s", resource, one.ref, one.verdict, was.verdict)
			}
		}
		if n.unreadable == 0 {
			t.Errorf("without %s, everything is readable", resource)
		}
	}
	if len(denied) < 40 {
		t.Errorf("%d kinds were denied: this test could not fail", len(denied))
	}
}

// TestCarry keeps what can't be listed any more, and drops it when its list doesn't have it.
func TestCarry(t *testing.T) {
	memory := cluster3am(t)
	first := look(t, memory, "")
	memory.Deny("configmaps")
	second := look(t, memory, "")
	second.carry(first)
	if len(second.objects) != 3 || second.carried != 2 || second.unreadable == 0 {
		t.Errorf("%d objects, %d carried, %d unreadable; want 3, 2, and some",
			len(second.objects), second.carried, second.unreadable)
	}
	if !maps.Equal(first.checked(), second.checked()) {
		t.Errorf("check found %v, and without rights %v", first.checked(), second.checked())
	}
	third := look(t, memory, "")
	third.carry(second)
	if third.carried != 2 {
		t.Errorf("%d objects carried for the second time, want 2", third.carried)
	}
	memory = cluster3am(t)
	memory.Remove("ConfigMap", "one")
	fourth := look(t, memory, "")
	fourth.carry(third)
	if len(fourth.objects) != 2 || fourth.carried != 0 {
		t.Errorf("%d objects, %d carried, after one has gone; want 2 and 0", len(fourth.objects), fourth.carried)
	}
}

// breakingOff is a Reader whose lists of ConfigMaps break off after the first Terminating one.
type breakingOff struct{ cluster.Reader }

// EachMetadata implements cluster.Reader.
func (b breakingOff) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	if resource.Resource != "configmaps" {
		return b.Reader.EachMetadata(ctx, resource, namespace, selector, visit)
	}
	seen := false
	err := b.Reader.EachMetadata(ctx, resource, namespace, selector, func(object *metav1.PartialObjectMetadata) {
		if !seen && object.DeletionTimestamp != nil {
			seen = true
			visit(object)
		}
	})
	return errors.Join(err, errors.New("the second page doesn't come"))
}

// TestCarryOfHalfAList counts no object twice: neither what this look has seen, nor, which Prometheus refuses, by name.
func TestCarryOfHalfAList(t *testing.T) {
	memory := cluster3am(t)
	exporter := of(look(t, memory, ""), look(t, breakingOff{memory}, ""))
	for range 2 {
		if err := exporter.LookOnce(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	says(t, exporter, "finalizers_last_look_carried_objects 1", `finalizers_verdicts{verdict="Stuck"} 2`)
}

// TestCarryOfAnUndiscoveredGroup keeps the objects of a group whose discovery fails: its kinds are not listed at all.
func TestCarryOfAnUndiscoveredGroup(t *testing.T) {
	memory := cluster3am(t)
	first := look(t, memory, "")
	memory.Remove("ConfigMap", "one")
	memory.Remove("ConfigMap", "two")
	memory.Failed = map[schema.GroupVersion]error{{Version: "v1"}: errors.New("out")}
	second := look(t, memory, "")
	second.carry(first)
	if second.carried != 2 || len(second.objects) != 3 {
		t.Errorf("%d objects, %d carried; want 3 and 2", len(second.objects), second.carried)
	}
}

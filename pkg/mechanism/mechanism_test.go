package mechanism

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// noon is the time in all clusters of these tests; their objects count back from it.
var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// ago is a time before noon, as YAML has it.
func ago(before time.Duration) string { return noon.Add(-before).Format(`"` + time.RFC3339 + `"`) }

// manifest is one object of a cluster. meta are more fields of its metadata, rest are those beside it.
func manifest(apiVersion, kind, namespace, name, meta, rest string) string {
	if meta != "" {
		meta = ", " + meta
	}
	uid := strings.ToLower(kind) + "-" + name
	meta = fmt.Sprintf("{namespace: %q, name: %s, uid: %s%s}", namespace, name, uid, meta)
	return fmt.Sprintf("\n---\napiVersion: %s\nkind: %s\nmetadata: %s\n%s\n", apiVersion, kind, meta, rest)
}

// deleted is the metadata of something whose deletion was requested some time ago.
func deleted(before time.Duration, finalizers ...string) string {
	return fmt.Sprintf("deletionTimestamp: %s, finalizers: [%s]", ago(before), strings.Join(finalizers, ", "))
}

// leaseOf is a Lease that was renewed some time ago.
func leaseOf(namespace, name string, renewed time.Duration) string {
	at := noon.Add(-renewed).Format("2006-01-02T15:04:05.000000Z07:00")
	spec := fmt.Sprintf("spec: {holderIdentity: me, leaseDurationSeconds: 40, renewTime: %q}", at)
	return manifest("coordination.k8s.io/v1", "Lease", namespace, name, "", spec)
}

// managerRuns is the Lease of a kube-controller-manager that runs.
func managerRuns() string { return leaseOf("kube-system", session.ControllerManager, time.Second) }

// managerDown is the Lease of one that doesn't.
func managerDown() string { return leaseOf("kube-system", session.ControllerManager, time.Hour) }

// managerIsDown is what the answer says about that.
func managerIsDown() []string {
	const lease = "Lease kube-system/kube-controller-manager"
	return []string{"wait " + lease, "  cause ControlPlaneDown ControllerManagerDown " + lease}
}

// toolsFor returns the tools of a diagnosis of a cluster with some objects. Reads of denied resources fail.
func toolsFor(t *testing.T, objects string, deny ...string) *Tools {
	t.Helper()
	return toolsWith(t, objects, func(memory *clustertest.Memory) {
		for _, resource := range deny {
			memory.Deny(resource)
		}
	})
}

// toolsWith is toolsFor of a cluster that something is done to first.
func toolsWith(t *testing.T, objects string, prepare func(*clustertest.Memory)) *Tools {
	t.Helper()
	memory, err := clustertest.New(noon, objects)
	if err != nil {
		t.Fatal(err)
	}
	prepare(memory)
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	tools := NewTools(memory, known, session.Kubectl{})
	tools.Session.Pause = func(context.Context, time.Duration) error { return nil } // nothing changes before a second look
	return tools
}

// ask puts objects into a cluster and asks the table about each hold of the first of them: what its mechanisms say,
// before anything looks for what refuses the hold's end. Reads of denied resources fail.
func ask(t *testing.T, objects string, deny ...string) session.Answer {
	t.Helper()
	return askTools(t, toolsFor(t, objects, deny...), objects)
}

// askTools is ask of a cluster that tools are there for.
func askTools(t *testing.T, tools *Tools, objects string) session.Answer {
	t.Helper()
	target := firstOf(t, tools, objects)
	answer := session.Answer{}
	for _, hold := range target.Holds() {
		for _, mechanism := range Table() {
			if found, mine := mechanism.Explain(t.Context(), tools, Held{Object: target, Hold: hold}); mine {
				answer.Add(found)
				break
			}
		}
	}
	return answer
}

// firstOf is the first object of a cluster as it was put there, also if its kind may not be read.
func firstOf(t *testing.T, tools *Tools, objects string) *session.Object {
	t.Helper()
	first, _, _ := strings.Cut(strings.TrimPrefix(objects, "\n---"), "\n---")
	whole := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(first), &whole.Object); err != nil {
		t.Fatal(err)
	}
	servedKinds, err := tools.Session.Reader.ServedKinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	resource, served := servedKinds.OfKind(whole.GroupVersionKind().GroupKind())
	if !served {
		t.Fatalf("the cluster in memory doesn't serve %s", whole.GroupVersionKind())
	}
	object, err := session.FromWhole(resource, whole)
	if err != nil {
		t.Fatal(err)
	}
	if !session.ReadWhole(resource.GroupKind()) {
		object.Whole = nil // as why has it
	}
	return object
}

// told lists what an answer says, a line each: its waits with what is said at their blockers, and its findings by
// reason, situation, object and key. No sentence is among it.
func told(answer session.Answer) (lines []string) {
	for _, wait := range answer.Waits {
		lines = append(lines, "wait "+wait.Blocker.Ref.String())
		for _, line := range told(wait.Otherwise) {
			lines = append(lines, "  "+line)
		}
	}
	add := func(sort string, findings []finding.Finding) {
		for _, cause := range findings {
			words := []string{sort}
			for _, word := range []string{string(cause.Reason), cause.Situation} {
				if word != "" {
					words = append(words, word)
				}
			}
			if cause.Object != (finding.Ref{}) {
				words = append(words, cause.Object.String())
			}
			if cause.Key != "" {
				words = append(words, "key", strings.ReplaceAll(strings.TrimRight(cause.Key, "\x00"), "\x00", ","))
			}
			lines = append(lines, strings.Join(words, " "))
		}
	}
	add("cause", answer.Causes)
	add("progress", answer.Progress)
	add("open", answer.Open)
	add("later", answer.Remarks)
	return lines
}

// unread reports whether an answer says that something could not be read, and concludes nothing beside.
func unread(answer session.Answer) bool {
	return len(answer.Open) > 0 && len(answer.Causes)+len(answer.Progress)+len(answer.Waits) == 0
}

// mechanismCase is a cluster, whose first object is asked about, and the answer.
type mechanismCase struct {
	name    string
	objects string
	deny    string   // a resource that may not be read
	told    []string // lines of told; nil for an answer that says that something could not be read
}

// runCases asks about each case.
func runCases(t *testing.T, cases []mechanismCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var deny []string
			if c.deny != "" {
				deny = append(deny, c.deny)
			}
			checkTold(t, c.told, ask(t, c.objects, deny...))
		})
	}
}

// checkTold compares what an answer says; nil is an answer that says that something could not be read.
func checkTold(t *testing.T, want []string, answer session.Answer) {
	t.Helper()
	if want == nil {
		if !unread(answer) {
			t.Errorf("told %q, want that something could not be read", told(answer))
		}
		return
	}
	if diff := cmp.Diff(want, told(answer)); diff != "" {
		t.Errorf("told (-want +got):\n%s", diff)
	}
}

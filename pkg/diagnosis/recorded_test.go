package diagnosis_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestWhyFromARecording asks every question once more while what it reads is recorded, and again of the
// recording, and of one of the whole cluster: the answers are the same.
func TestWhyFromARecording(t *testing.T) {
	for _, c := range whyCases() {
		if c.probe != nil || c.meanwhile != nil { // a recording can't be probed, and doesn't move
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var live *result.Diagnosis
			narrow := recorded(t, func(writer *snapshot.Writer) error {
				var err error
				live, err = c.whyOf(t.Context(), t, snapshot.NewRecorder(c.asked(t), writer))
				return err
			})
			wide := recorded(t, func(writer *snapshot.Writer) error {
				return recordArea(t, snapshot.NewRecorder(c.asked(t), writer), c.deep)
			})
			live.Ask = nil // for an administrator of the live cluster
			for what, recording := range map[string]*snapshot.Recording{"what was read": narrow, "the cluster": wide} {
				replayed, err := c.whyOf(t.Context(), t, recording)
				if err != nil {
					t.Errorf("the recording of %s: %v", what, err)
					continue
				}
				if slices.ContainsFunc(replayed.Unreadable,
					func(one finding.Unreadable) bool { return one.Resource == "configmaps" && one.Why == "not recorded" }) {
					continue // a policy's parameter, which is the data of a ConfigMap
				}
				// The failure of a list stands for that of one object in it.
				said := regexp.MustCompile(`"the recording doesn't contain [^:"]*: `).ReplaceAllString(encoded(t, replayed), `"`)
				if diff := cmp.Diff(encoded(t, live), said); diff != "" {
					t.Errorf("the answer from the recording of %s differs (-live +recorded):\n%s", what, diff)
				}
			}
		})
	}
}

// asked is the case's cluster with the case's rights.
func (c whyCase) asked(t *testing.T) *clustertest.Memory {
	memory := c.memory(t)
	if c.deny != "" {
		memory.Deny(c.deny)
	}
	return memory
}

func recorded(t *testing.T, record func(*snapshot.Writer) error) *snapshot.Recording {
	t.Helper()
	var file bytes.Buffer
	writer := snapshot.NewWriter(&file, snapshot.Header{RecordedAt: now}, asking(t).Plugins)
	if err := errors.Join(record(writer), writer.Close()); err != nil {
		t.Fatal(err)
	}
	recording, err := snapshot.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return recording
}

// recordArea records everything, as kubectl finalizers snapshot -A does.
func recordArea(t *testing.T, recorder *snapshot.Recorder, deep bool) error {
	t.Helper()
	recorded := &diagnosis.Recorded{Options: asking(t)}
	recorded.Deep = deep
	return recorder.RecordArea(t.Context(), "", recorded)
}

func encoded(t *testing.T, answer *result.Diagnosis) string {
	t.Helper()
	data, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// wholeReads notes which resources are read whole.
type wholeReads struct {
	cluster.Reader
	seen *sync.Map
}

func (w wholeReads) Get(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*unstructured.Unstructured, error) {
	w.seen.Store(resource.QualifiedName(), resource)
	return w.Reader.Get(ctx, resource, namespace, name)
}

func (w wholeReads) List(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
) ([]unstructured.Unstructured, error) {
	w.seen.Store(resource.QualifiedName(), resource)
	return w.Reader.List(ctx, resource, namespace, selector)
}

func (w wholeReads) ListUpTo(
	ctx context.Context, resource cluster.Resource, namespace string, most int, visit func(*unstructured.Unstructured),
) (bool, error) {
	w.seen.Store(resource.QualifiedName(), resource)
	return w.Reader.ListUpTo(ctx, resource, namespace, most, visit)
}

// TestRecordingsHoldWhatMechanismsReadWhole fails when a mechanism reads a kind whole, but recordings of a namespace or
// a cluster hold only its metadata.
func TestRecordingsHoldWhatMechanismsReadWhole(t *testing.T) {
	seen := &sync.Map{}
	for _, c := range whyCases() {
		if _, err := c.whyOf(t.Context(), t, wholeReads{c.memory(t), seen}); err != nil {
			t.Fatal(err)
		}
	}
	count := 0
	seen.Range(func(name, value any) bool {
		count++
		resource := value.(cluster.Resource)
		// Objects of other kinds that hold something Terminating are recorded whole, because Terminating objects are
		// diagnosed while a recording is made. The data of ConfigMaps never is.
		custom := !cluster.ServedByKubernetes(resource.Group)
		if !snapshot.Whole(resource.QualifiedName()) && !custom && name != "configmaps" {
			t.Errorf("%s are read whole, and recorded as metadata", name)
		}
		return true
	})
	if count < 10 {
		t.Errorf("%d kinds are read whole: nothing was proven", count)
	}
}

// TestLiveCustomResourceFromARecording asks about a custom resource that was not deleted: a recording of the cluster
// has no more than its metadata, which is what holds it.
func TestLiveCustomResourceFromARecording(t *testing.T) {
	builder := snapshot.NewBuilder("a test")
	gateways := cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Group: "net.example.com", Version: "v1",
		Resource: "gateways"}, Kind: "Gateway", Namespaced: true}
	err := builder.Metadata(gateways, "shop", "main",
		snapshot.Alone([]byte(`{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{"name":"main",`+
			`"namespace":"shop","finalizers":["net.example.com/cleanup"]}}`)))
	if err != nil {
		t.Fatal(err)
	}
	recording, err := builder.Finish(now, &cluster.ServedKinds{Resources: []cluster.Resource{gateways}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := diagnosis.Why(t.Context(), recording, session.Target{Resource: gateways, Namespace: "shop",
		Name: "main"}, asking(t))
	if err != nil {
		t.Fatal(err)
	}
	if answer.Verdict != result.NotTerminating || len(answer.Unreadable) == 0 {
		t.Errorf("%s, not looked at %v: want NotTerminating, and that more was not recorded", answer.Verdict,
			answer.Unreadable)
	}
}

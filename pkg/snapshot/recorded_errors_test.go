package snapshot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// oddAnswers answers every list with one object.
type oddAnswers struct {
	cluster.Reader
	object string
}

func (o oddAnswers) List(
	context.Context, cluster.Resource, string, cluster.Selector,
) ([]unstructured.Unstructured, error) {
	object := unstructured.Unstructured{}
	err := json.Unmarshal([]byte(o.object), &object.Object)
	return []unstructured.Unstructured{object}, err
}

// TestNoObject fails for what a server answers in place of objects.
func TestNoObject(t *testing.T) {
	for _, object := range []string{`{}`, `{"metadata":{}}`, `{"metadata":{"name":5}}`, `{"metadata":"a"}`} {
		answers := oddAnswers{&clustertest.Memory{}, object}
		var file bytes.Buffer
		writer := snapshot.NewWriter(&file, snapshot.Header{RecordedAt: moment()}, nil)
		if _, err := snapshot.NewRecorder(answers, writer).List(t.Context(), cluster.Pods(), "",
			cluster.Selector{}); err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(); err == nil {
			t.Errorf("%s was recorded", object)
		}
	}
}

// TestFailuresHoldNoSecrets records a read that failed with a credential in what the server said.
func TestFailuresHoldNoSecrets(t *testing.T) {
	for name, failure := range map[string]error{
		"a status": apierrors.NewInternalError(errors.New("call failed: Bearer planted1")),
		"a text":   errors.New("Get https://me:planted1@example.com/: no route to host"),
	} {
		memory, err := clustertest.New(moment(), "")
		if err != nil {
			t.Fatal(err)
		}
		memory.Break("pods", failure)
		recording := recorded(t, memory, func(recorder *snapshot.Recorder) error {
			_, _ = recorder.List(t.Context(), cluster.Pods(), "", cluster.Selector{})
			return nil
		})
		_, err = recording.List(t.Context(), cluster.Pods(), "", cluster.Selector{})
		if err == nil || strings.Contains(err.Error(), "planted") || !strings.Contains(err.Error(), credential.Removed) {
			t.Errorf("%s is recorded as %v", name, err)
		}
		if !strings.Contains(failure.Error(), "planted") {
			t.Errorf("%s was changed for everybody else", name)
		}
	}
}

// TestWrongAnswersAreFailures records lists that were answered with something else: they are missing, and never empty.
func TestWrongAnswersAreFailures(t *testing.T) {
	memory, err := clustertest.New(moment(), "")
	if err != nil {
		t.Fatal(err)
	}
	memory.Break("pods", &cluster.WrongAnswer{Got: "404, although it serves this kind"})
	recording := recorded(t, memory, func(recorder *snapshot.Recorder) error {
		_, _ = recorder.List(t.Context(), cluster.Pods(), "", cluster.Selector{})
		_ = recorder.EachMetadata(t.Context(), cluster.Pods(), "", cluster.Selector{}, func(*metav1.PartialObjectMetadata) {})
		if missing := recorder.Missing(); len(missing) != 2 {
			t.Errorf("missing: %v, want both lists", missing)
		}
		return nil
	})
	_, whole := recording.List(t.Context(), cluster.Pods(), "", cluster.Selector{})
	metadata := recording.EachMetadata(t.Context(), cluster.Pods(), "", cluster.Selector{},
		func(*metav1.PartialObjectMetadata) {})
	for _, err := range []error{whole, metadata} {
		if err == nil || apierrors.IsNotFound(err) || !strings.Contains(err.Error(), "404, although") {
			t.Errorf("the recorded list answers with %v", err)
		}
	}
}

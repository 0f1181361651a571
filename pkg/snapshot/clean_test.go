package snapshot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// written returns the file of a recording of what is read of a cluster.
func written(t *testing.T, head snapshot.Header, reader cluster.Reader, read func(*snapshot.Recorder) error) []byte {
	t.Helper()
	var file bytes.Buffer
	head.RecordedAt = moment()
	writer := snapshot.NewWriter(&file, head, known(t))
	recorder := snapshot.NewRecorder(reader, writer)
	_, err := recorder.Catalog(t.Context())
	if err := errors.Join(err, read(recorder), writer.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// known is what the catalogue knows.
func known(t *testing.T) *plugins.Set {
	t.Helper()
	set, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func opened(t *testing.T, file []byte) *snapshot.Recording {
	t.Helper()
	recording, err := snapshot.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return recording
}

func recorded(t *testing.T, reader cluster.Reader, read func(*snapshot.Recorder) error) *snapshot.Recording {
	t.Helper()
	return opened(t, written(t, snapshot.Header{}, reader, read))
}

func gadgets(group string) cluster.Resource {
	return cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Group: group, Version: "v1", Resource: "gadgets"}, Kind: "Gadget", Namespaced: true}
}

// cleaned returns what a recording holds of a Gadget that was read whole, given the JSON of its fields.
func cleaned(t *testing.T, group, fields string) map[string]any {
	t.Helper()
	driver := "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: ebs.csi.aws.com}\n---\n"
	memory, err := clustertest.New(moment(), driver+`{"apiVersion":"`+group+`/v1","kind":"Gadget",`+fields+`}`)
	if err != nil {
		t.Fatal(err)
	}
	recording := recorded(t, memory, func(recorder *snapshot.Recorder) error {
		if err := recorder.First(t.Context(), ""); err != nil {
			return err
		}
		drivers := cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "csidrivers"}, Kind: "CSIDriver"}
		if _, err := recorder.List(t.Context(), drivers, "", cluster.Selector{}); err != nil {
			return err
		}
		_, err := recorder.List(t.Context(), gadgets(group), "", cluster.Selector{})
		return err
	})
	object, err := recording.Get(t.Context(), gadgets(group), "shop", "a")
	if err != nil {
		t.Fatal(err)
	}
	return object.Object
}

const plainMeta = `"metadata":{"name":"a","namespace":"shop"}`

// TestWhatIsKeptOfAnObject has what a recording holds of spec and status.
func TestWhatIsKeptOfAnObject(t *testing.T) {
	for name, c := range map[string]struct{ group, fields, want string }{
		"plain": {"apps", `"spec":{"count":3,"ratio":1.5,"on":true,"none":null,"empty":{},"list":[]}`, `"spec":{"count":3,"ratio":1.5,"on":true,"none":null,"empty":{},"list":[]}`},
		"secrets": {
			"apps",
			`"spec":{"automountServiceAccountToken":true,"pin":{"password":12345},"password":"planted","apiToken":["planted"],"url":"https://me:planted@example.com/","data":{"x":"planted"},"parameters":{"a":"planted"}},"data":"planted"`,
			`"spec":{"automountServiceAccountToken":true,"pin":{"password":"(not recorded)"},"password":"(not recorded)","apiToken":["(not recorded)"],"url":"https://(not recorded)@example.com/"}`,
		},
		"programs": {
			"apps",
			`"spec":{"env":[{"name":"A","value":"planted"},{"name":"B","value":5}],"args":["--driver=ebs.csi.aws.com","--secret=planted"],"command":["//ebs.csi.aws.com:80"]}`,
			`"spec":{"env":[{"name":"A","value":"(not recorded)"},{"name":"B","value":"(not recorded)"}],"args":["(not recorded) ebs.csi.aws.com","(not recorded)"],"command":["(not recorded) //ebs.csi.aws.com"]}`,
		},
		"programs of other shapes": {"apps", `"spec":{"command":{"run":"planted"},"args":"planted"}`, `"spec":{"command":"(not recorded)","args":"(not recorded)"}`},
		"conditions":               {"apps", `"status":{"conditions":[{"message":"Bearer planted1 was refused"}]}`, `"status":{"conditions":[{"message":"Bearer (not recorded) was refused"}]}`},
		"templates": {
			"apps",
			`"spec":{"template":{"metadata":{"annotations":{"x.com/y":"planted","helm.sh/chart":"web"},"managedFields":[{}]}}}`,
			`"spec":{"template":{"metadata":{"annotations":{"x.com/y":"(not recorded)","helm.sh/chart":"web"}}}}`,
		},
		"expressions":       {"apps", `"spec":{"expression":"object.token=='abc'"}`, `"spec":{"expression":"object.token=='abc'"}`},
		"a custom resource": {"shop.example.com", `"spec":{"script":"echo\nplanted","size":"small"},"status":{"log":"two\nlines"}`, `"spec":{"script":"(not recorded)","size":"small"},"status":{"log":"two\nlines"}`},
		"a community's":     {"snapshot.storage.k8s.io", `"spec":{"script":"echo\nplanted"}`, `"spec":{"script":"(not recorded)"}`},
		"below k8s.io":      {"gadgets.k8s.io", `"spec":{"key":"Ab1Ab1Ab1Ab1Ab1planted"}`, `"spec":{"key":"(not recorded)"}`},
		"below x-k8s.io":    {"cluster.x-k8s.io", `"spec":{"script":"echo\nplanted"}`, `"spec":{"script":"(not recorded)"}`},
		"Kubernetes' own":   {"storage.k8s.io", `"spec":{"note":"two\nlines"}`, `"spec":{"note":"two\nlines"}`},
		"not below spec":    {"shop.example.com", `"config":"two\nlines"`, `"config":"(not recorded)"`},
	} {
		t.Run(name, func(t *testing.T) {
			got := cleaned(t, c.group, plainMeta+","+c.fields)
			var want map[string]any
			if err := json.Unmarshal([]byte(`{"apiVersion":"`+c.group+`/v1","kind":"Gadget",`+plainMeta+`,`+c.want+`}`), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(through(t, want), through(t, got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// through encodes and decodes a value, so that its numbers are of one type.
func through(t *testing.T, value any) (decoded any) {
	t.Helper()
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, &decoded)
	}
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// TestWhatIsKeptOfMetadata has what a recording holds of metadata, of an object that was read whole and of one that was not.
func TestWhatIsKeptOfMetadata(t *testing.T) {
	given := `"metadata":{"name":"a","namespace":"shop","selfLink":"/planted","labels":{"kept":"yes","token":"planted"},"finalizers":["x.com/y"],
		"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"o","uid":"u"}],"deletionTimestamp":"2026-01-01T10:00:00Z","deletionGracePeriodSeconds":0,
		"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}","shop.example.com/key":"planted","helm.sh/chart":"web","kubernetes.io/token":"planted",
			"kubernetes.io/description":"Bearer planted1"},
		"managedFields":[{"manager":"m","fieldsV1":{"f:metadata":{"f:finalizers":{},"f:annotations":{"f:planted":{}}},"f:spec":{"f:planted":{}},"f:status":{"f:planted":{},"f:lastError":{},"f:conditions":{"k:{\"type\":\"Ready\"}":{"f:planted":{}}}}}},{"manager":"n"}]}`
	want := `{"name":"a","namespace":"shop","deletionTimestamp":"2026-01-01T10:00:00Z","deletionGracePeriodSeconds":0,"labels":{"kept":"yes","token":"(not recorded)"},` +
		`"annotations":{"helm.sh/chart":"web","kubernetes.io/description":"Bearer (not recorded)","kubernetes.io/token":"(not recorded)","shop.example.com/key":"(not recorded)"},` +
		`"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"o","uid":"u"}],"finalizers":["x.com/y"],` +
		`"managedFields":[{"manager":"m","fieldsV1":{"f:metadata":{"f:finalizers":{}},"f:spec":{},"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{}},"f:lastError":{}}}},{"manager":"n"}]}`
	whole := cleaned(t, "apps", given)
	memory, err := clustertest.New(moment(), `{"apiVersion":"v1","kind":"ConfigMap",`+given+`,"data":{"a":"planted"}}`)
	if err != nil {
		t.Fatal(err)
	}
	configMaps := cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, Kind: "ConfigMap", Namespaced: true}
	recording := recorded(t, memory, func(recorder *snapshot.Recorder) error {
		_, err := recorder.Get(t.Context(), configMaps, "shop", "a") // of what may be secret, there is no more than that
		return err
	})
	meta, err := recording.Metadata(t.Context(), configMaps, "shop", "a")
	if err != nil {
		t.Fatal(err)
	}
	var wanted any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	for form, got := range map[string]any{"whole": whole["metadata"], "metadata": meta.ObjectMeta} {
		if diff := cmp.Diff(wanted, through(t, got)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", form, diff)
		}
	}
	if _, err := recording.Get(t.Context(), configMaps, "shop", "a"); !cluster.NotRecorded(err) {
		t.Errorf("a ConfigMap was recorded whole: %v", err)
	}
}

// TestCleanedOnce records every object of the zoo's recordings: what was cleaned is kept as it is.
func TestCleanedOnce(t *testing.T) {
	compared := 0
	for _, file := range recordings(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before := opened(t, data)
		var was []any
		after := recorded(t, before, func(recorder *snapshot.Recorder) error {
			was = everything(t, before, recorder)
			return nil
		})
		if is := everything(t, before, after); !reflect.DeepEqual(was, is) {
			t.Fatalf("%s (-before +after):\n%s", file, cmp.Diff(was, is))
		}
		compared += len(was)
	}
	if compared < 1000 {
		t.Errorf("%d objects were compared: nothing was proven", compared)
	}
}

// everything asks for each object that a recording holds.
func everything(t *testing.T, recording *snapshot.Recording, reader cluster.Reader) (objects []any) {
	t.Helper()
	catalog, err := recording.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, resource := range catalog.Resources {
		_ = recording.EachMetadata(t.Context(), resource, "", cluster.Selector{}, func(meta *metav1.PartialObjectMetadata) {
			if object, err := reader.Get(t.Context(), resource, meta.Namespace, meta.Name); err == nil {
				objects = append(objects, object.Object)
			} else if meta, err := reader.Metadata(t.Context(), resource, meta.Namespace, meta.Name); err == nil {
				objects = append(objects, meta)
			}
		})
	}
	return objects
}

// oddAnswers answers every list with one object.
type oddAnswers struct {
	cluster.Reader
	object string
}

func (o oddAnswers) List(context.Context, cluster.Resource, string, cluster.Selector) ([]unstructured.Unstructured, error) {
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
		if _, err := snapshot.NewRecorder(answers, writer).List(t.Context(), cluster.Pods(), "", cluster.Selector{}); err != nil {
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
		if err == nil || strings.Contains(err.Error(), "planted") || !strings.Contains(err.Error(), snapshot.Removed) {
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
	metadata := recording.EachMetadata(t.Context(), cluster.Pods(), "", cluster.Selector{}, func(*metav1.PartialObjectMetadata) {})
	for _, err := range []error{whole, metadata} {
		if err == nil || apierrors.IsNotFound(err) || !strings.Contains(err.Error(), "404, although") {
			t.Errorf("the recorded list answers with %v", err)
		}
	}
}

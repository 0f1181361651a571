package snapshot_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

const named = `
apiVersion: v1
kind: ServiceAccount
metadata: {name: stockroom, namespace: acme, uid: account}
---
apiVersion: v1
kind: Namespace
metadata: {name: acme, uid: ns}
status:
  conditions:
  - {type: NamespaceContentRemaining, status: "True", reason: SomeResourcesRemain,
      message: 'Some resources are remaining: databases.shop.example.com has 1 resource instances'}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: payroll-56db, namespace: acme, uid: rs}
---
apiVersion: v1
kind: Pod
metadata:
  name: payroll-56db-x7
  namespace: acme
  uid: pod
  labels: {app: payroll-api, kubernetes.io/os: linux}
  finalizers: [shop.example.com/cleanup]
  managedFields: [{manager: stockroom, operation: Update, apiVersion: v1, fieldsType: FieldsV1, fieldsV1: {}}]
  annotations: {example.com/by: stockroom-leader}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: payroll-56db, uid: rs, controller: true}]
spec:
  nodeName: rack7.acme.internal
  serviceAccountName: payroll-operator
  containers: [{name: main, image: registry.acme.internal/payroll:1.2}]
status:
  phase: Pending
  conditions:
  - type: Ready
    status: "False"
    reason: Waiting
    message: >-
      Back-off pulling image "registry.acme.internal/payroll:1.2" for pod payroll-56db-x7 in acme,
      see payroll-56db.acme.svc
`

func redacted(t *testing.T) (*snapshot.Recording, string) {
	t.Helper()
	memory, err := clustertest.New(moment(), named)
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, snapshot.Header{Context: "acme-prod", Namespace: "acme", Scope: "namespace acme"}, memory,
		func(recorder *snapshot.Recorder) error {
			recorder.Wide = true
			return recorder.Rest(t.Context(), "")
		})
	var out bytes.Buffer
	if err := snapshot.Redact(t.Context(), file, &out); err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return opened(t, out.Bytes()), string(text)
}

// TestRedact replaces every name everywhere, and each by one.
func TestRedact(t *testing.T) {
	recording, text := redacted(t)
	for _, name := range []string{"acme", "payroll", "rack7", "leader"} {
		if at := strings.Index(text, name); at >= 0 {
			t.Errorf("%q is still in it: …%s…", name, text[max(0, at-80):min(len(text), at+80)])
		}
	}
	for _, kept := range []string{
		"shop.example.com/cleanup", "databases.shop.example.com has 1 resource instances", `"linux"`,
		"Back-off pulling image", `"manager":"stockroom"`, `"name":"stockroom"`,
	} {
		if !strings.Contains(text, kept) {
			t.Errorf("%q is not in it any more", kept)
		}
	}
	var pod *unstructured.Unstructured
	pods, err := recording.List(t.Context(), cluster.Pods(), "", cluster.Selector{})
	if err != nil || len(pods) != 1 {
		t.Fatalf("%d pods, %v", len(pods), err)
	}
	pod = &pods[0]
	owner := pod.GetOwnerReferences()[0].Name
	if !strings.HasPrefix(pod.GetName(), owner+"-") {
		t.Errorf("pod %s doesn't go on beginning with its owner's name, %s", pod.GetName(), owner)
	}
	condition, _, _ := unstructured.NestedSlice(pod.Object, "status", "conditions")
	encoded, _ := json.Marshal(condition)
	for _, name := range []string{
		"for pod " + pod.GetName() + " in " + pod.GetNamespace(), owner + "." + pod.GetNamespace() + ".svc",
	} {
		if !strings.Contains(string(encoded), name) {
			t.Errorf("the message doesn't say %q: %s", name, encoded)
		}
	}
	account, _, _ := unstructured.NestedString(pod.Object, "spec", "serviceAccountName")
	if !strings.Contains(account, "operator") {
		t.Errorf("the name of an operator, %s, doesn't show any more that it is one", account)
	}
	if head := recording.Header(); head.Namespace != pod.GetNamespace() || !head.Redacted {
		t.Errorf("the header is %+v", head)
	}
}

// TestRedactTheZoo redacts every recording of the zoo: the result is a recording of as many objects.
func TestRedactTheZoo(t *testing.T) {
	eachRecording(t, func(t *testing.T, data []byte) {
		before := opened(t, data)
		var out bytes.Buffer
		if err := snapshot.Redact(t.Context(), data, &out); err != nil {
			t.Fatal(err)
		}
		after := opened(t, out.Bytes())
		servedKinds, err := after.ServedKinds(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if before.Objects() != after.Objects() {
			t.Errorf("%d objects became %d", before.Objects(), after.Objects())
		}
		for _, resource := range servedKinds.Resources {
			count := func(of *snapshot.Recording) (count int) {
				_ = of.EachMetadata(t.Context(), resource, "", cluster.Selector{}, func(*metav1.PartialObjectMetadata) { count++ })
				return count
			}
			if count(before) != count(after) {
				t.Errorf("%d %s became %d: two names became one", count(before), resource.Resource, count(after))
			}
		}
	})
}

// TestRedactLeavesNoNames plants a name in each field of objects of every kind: what is left of them in a redacted
// recording stands where kinds, reasons and the like do.
func TestRedactLeavesNoNames(t *testing.T) {
	kept := strings.Fields(`
		kind apiVersion group apiGroup apiGroups apiVersions resource resources verbs operations reason type phase uid
		key operator effect status state restartPolicy signal protocol scope failurePolicy matchPolicy
		validationActions parameterNotFoundAction message messageExpression expression valueExpression finalizers
		driver attacher managedBy storedVersions cidrs ip addresses unhealthyPodEvictionPolicy
		persistentVolumeReclaimPolicy accessModes volumeMode whenScaled podReplacementPolicy conditions schedule strategy
		reportingComponent component minAvailable maxUnavailable medium whenDeleted fieldPath scopes`)
	p := &planter{forms: []string{"%s"}, places: map[string]string{}, lower: true}
	documents := p.documents(t, false)
	memory, err := clustertest.New(moment(), documents)
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, snapshot.Header{}, memory, func(recorder *snapshot.Recorder) error {
		servedKinds, err := recorder.ServedKinds(t.Context())
		for _, resource := range append(servedKinds.Resources, gadgets("shop.example.com")) {
			_, _ = recorder.List(t.Context(), resource, "", cluster.Selector{})
		}
		return err
	})
	var out bytes.Buffer
	if err := snapshot.Redact(t.Context(), file, &out); err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for _, marker := range regexp.MustCompile(`zp\d+qx`).FindAllString(string(text), -1) {
		place := p.places[marker]
		left++
		typed := strings.Contains(place, "spec.versions.name") ||
			strings.HasSuffix(place, "Policy.admissionregistration.k8s.io.spec.variables.name")
		if parts := strings.Split(place, "."); !typed && !slices.Contains(kept, parts[len(parts)-1]) {
			t.Errorf("the name in %s is left", place)
		}
	}
	if left == 0 {
		t.Error("not even kinds are left: nothing was proven")
	}
}

func moment() time.Time { return time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC) }

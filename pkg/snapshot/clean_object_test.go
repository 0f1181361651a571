package snapshot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	writer := snapshot.NewWriter(&file, head, nil)
	recorder := snapshot.NewRecorder(reader, writer)
	_, err := recorder.ServedKinds(t.Context())
	if err := errors.Join(err, read(recorder), writer.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// known is what the catalogue knows.
func known(t testing.TB) *plugins.Set {
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
	return cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Group: group, Version: "v1",
		Resource: "gadgets"}, Kind: "Gadget", Namespaced: true}
}

// cleaned returns what a recording holds of an object that was read whole, given the JSON of its fields.
func cleaned(t *testing.T, resource cluster.Resource, fields string) map[string]any {
	t.Helper()
	others := "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: ebs.csi.aws.com}\n---\n" +
		`{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"p"},` +
		`"spec":{"validations":[{"expression":"object.spec.asked != 'x' && has(object.spec.?unset.x) && ` +
		`!object.metadata.annotations['asked.example.com/x'].startsWith('y')"}]}}` + "\n---\n" +
		`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",` +
		`"metadata":{"name":"gadgets.shop.example.com"},` +
		`"spec":{"group":"shop.example.com","names":{"plural":"gadgets"},"versions":[{"name":"v1",` +
		`"additionalPrinterColumns":[{"name":"Ready","jsonPath":".status.lamp"},{"name":"Other",` +
		`"jsonPath":".status.other"}]}]}}` + "\n---\n"
	memory, err := clustertest.New(moment(),
		others+`{"apiVersion":"`+resource.APIVersion()+`","kind":"`+resource.Kind+`",`+fields+`}`)
	if err != nil {
		t.Fatal(err)
	}
	recording := recorded(t, memory, func(recorder *snapshot.Recorder) error {
		recorder.Wide = true
		if err := recorder.First(t.Context(), ""); err != nil {
			return err
		}
		_, err := recorder.List(t.Context(), resource, "", cluster.Selector{})
		return err
	})
	object, err := recording.Get(t.Context(), resource, "shop", "a")
	if err != nil {
		t.Fatal(err)
	}
	return object.Object
}

const plainMeta = `"metadata":{"name":"a","namespace":"shop"}`

// TestWhatIsKeptOfAnObject has what a recording holds of spec and status.
func TestWhatIsKeptOfAnObject(t *testing.T) {
	const left = `"(not recorded)":[]`
	for name, c := range map[string]struct {
		of           cluster.Resource
		fields, want string
	}{
		"of a pod what is read": {
			cluster.Pods(),
			`"spec":{"nodeName":"n","hostname":"planted","volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c",` +
				`"readOnly":true}},{"name":"s","secret":{"secretName":"planted"}}]},"status":{"phase":"Pending","podIP":"planted"}`,
			`"spec":{"nodeName":"n","volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c",` + left +
				`}},{"name":"s","(not recorded)":["emptyDir","ephemeral","hostPath","persistentVolumeClaim",` +
				`"projected"]}],` +
				`"(not recorded)":["asked","containers","hostNetwork","initContainers","nodeSelector","overhead",` +
				`"priorityClassName","runtimeClassName","schedulingGroup","serviceAccountName","unset"]},` +
				`"status":{"phase":"Pending","(not ` +
				`recorded)":["conditions","containerStatuses","ephemeralContainerStatuses","initContainerStatuses",` +
				`"message","reason"]}`,
		},
		"programs": {
			cluster.Pods(),
			`"spec":{"containers":[{"name":"m","image":"i","args":["--driver=ebs.csi.aws.com","--secret=planted",` +
				`"--kubeconfig-data=planted","--from=/planted/kubeconfig"],` +
				`"command":["//ebs.csi.aws.com:80"],"env":[{"name":"A","value":"planted"},{"name":"B","value":5}]}]}`,
			`"spec":{"containers":[{"name":"m","image":"i","args":["(not recorded) ebs.csi.aws.com","(not ` +
				`recorded)","(not recorded) kubeconfig","(not recorded) kubeconfig"],` +
				`"command":["(not recorded) //ebs.csi.aws.com"],"env":[{"name":"A","value":"(not ` +
				`recorded)"},{"name":"B","value":"(not recorded)"}]}]}`,
		},
		"other shapes": {
			cluster.Pods(), `"spec":{"containers":{"name":{"run":"planted"}},"nodeName":["n",{"x":"planted"}],` +
				`"volumes":"planted"},"status":5`,
			`"spec":{"containers":{"name":{` + left + `}},"nodeName":["n",{` + left + `}],` +
				`"(not recorded)":["asked","hostNetwork","initContainers","nodeSelector","overhead",` +
				`"priorityClassName","runtimeClassName","schedulingGroup","serviceAccountName","unset"]},` +
				left,
		},
		"what is asked for": {
			gadgets("shop.example.com"), `"spec":{"asked":"yes","colour":"planted"},"status":{"lamp":true,"other":"planted"}`,
			`"spec":{"asked":"yes","(not recorded)":["unset"]},"status":{"lamp":true,` + left + `}`,
		},
		"references": {
			gadgets("shop.example.com"),
			`"spec":{"podRef":{"name":"p","key":"planted"},"podName":"q","userName":"planted","deep":[{"pods":["x"]},` +
				`{"of":{"kind":"Database","name":"d","size":3}}]}`,
			`"spec":{"podRef":{"name":"p",` + left + `},"podName":"q","deep":[{` + left +
				`},{"of":{"kind":"Database","name":"d",` + left + `}}],"(not recorded)":["asked","unset"]}`,
		},
		"reports": {
			gadgets("shop.example.com"),
			`"status":{"phase":"Failed","message":"cannot reach ` +
				`https://me:planted@example.com/","conditions":[{"type":"Ready","message":"Bearer planted1 was ` +
				`refused","extra":"planted"}],"part":{"reason":"waiting for it","colour":"planted one"},"log":"two\nlines"}`,
			`"status":{"phase":"Failed","message":"cannot reach ` +
				`https://(hidden)@example.com/","conditions":[{"type":"Ready","message":"Bearer (hidden) was refused",` + left +
				`}],"part":{"reason":"waiting for it",` + left + `},"(not recorded)":["lamp"]}`,
		},
		"names like credentials": {
			gadgets("shop.example.com"),
			`"spec":{"template":{"metadata":{"finalizers":["glpat-abcdefghij0123456789.example.com/hold"]}}}`,
			`"spec":{"template":{"metadata":{"finalizers":["glpat-abcdefghij0123456789.example.com/hold"]}}}`,
		},
		"templates": {
			gadgets("shop.example.com"),
			`"spec":{"template":{"metadata":{"annotations":{"x":"planted"},"finalizers":["x.com/y"]}}}`,
			`"spec":{"template":{"metadata":{"finalizers":["x.com/y"],` + left + `}}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := cleaned(t, c.of, plainMeta+","+c.fields)
			var want map[string]any
			if err := json.Unmarshal(
				[]byte(`{"apiVersion":"`+c.of.APIVersion()+`","kind":"`+c.of.Kind+`",`+plainMeta+`,`+c.want+`}`),
				&want); err != nil {
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

// TestWhatIsKeptOfMetadata has what a recording holds of metadata, of an object that was read whole and of one that was
// not.
func TestWhatIsKeptOfMetadata(t *testing.T) {
	given := `"metadata":{"name":"a","namespace":"shop","selfLink":"/planted",
		"labels":{"kept":"yes","token":"planted"},"finalizers":["x.com/y"],
		"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"o","uid":"u"}],
		"deletionTimestamp":"2026-01-01T10:00:00Z","deletionGracePeriodSeconds":0,
		"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}","shop.example.com/key":"planted",
		 "meta.helm.sh/release-name":"web","kubernetes.io/token":"planted",
			"kubernetes.io/description":"Bearer planted1","x.example.com/uid":"1-2"},
		"managedFields":[{"manager":"m","fieldsV1":{"f:metadata":{"f:finalizers":{},"f:annotations":{"f:planted":{}}},
		 "f:spec":{"f:planted":{}},"f:status":{"f:planted":{},"f:lastError":{},"f:conditions":
		  {"k:{\"type\":\"Ready\"}":{"f:planted":{}}}}}},{"manager":"n"}]}`
	want := `{"name":"a","namespace":"shop","deletionTimestamp":"2026-01-01T10:00:00Z","deletionGracePeriodSeconds":0,` +
		`"labels":{"kept":"yes","token":"(not recorded)"},` +
		`"annotations":{"meta.helm.sh/release-name":"web","x.example.com/uid":"1-2","(not recorded)":""},` +
		`"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"o","uid":"u"}],"finalizers":["x.com/y"],` +
		`"managedFields":[{"manager":"m","fieldsV1":{"f:metadata":{"f:finalizers":{}},"f:spec":{},` +
		`"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{}},"f:lastError":{}}}},{"manager":"n"}]}`
	whole := cleaned(t, gadgets("apps"), given)
	memory, err := clustertest.New(moment(), `{"apiVersion":"v1","kind":"ConfigMap",`+given+`,"data":{"a":"planted"}}`)
	if err != nil {
		t.Fatal(err)
	}
	configMaps := cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Version: "v1",
		Resource: "configmaps"}, Kind: "ConfigMap", Namespaced: true}
	recording := recorded(t, memory, func(recorder *snapshot.Recorder) error {
		_, err := recorder.Get(t.Context(), configMaps, "shop", "a") // of what may be secret, there is no more than that
		return err
	})
	meta, err := recording.Metadata(t.Context(), configMaps, "shop", "a")
	if err != nil {
		t.Fatal(err)
	}
	for form, got := range map[string]any{"whole": whole["metadata"], "metadata": meta.ObjectMeta} {
		var wanted any
		if form == "whole" { // there is a policy then, which asks for an annotation
			want = strings.Replace(want, `"(not recorded)":""`, `"(not recorded)":"asked.example.com/x"`, 1)
		} else {
			want = strings.Replace(want, `asked.example.com/x`, ``, 1)
		}
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(wanted, through(t, got)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", form, diff)
		}
	}
	if _, err := recording.Get(t.Context(), configMaps, "shop", "a"); !cluster.NotRecorded(err) {
		t.Errorf("a ConfigMap was recorded whole: %v", err)
	}
}

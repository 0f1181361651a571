package snapshot

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

func rawCases() map[string]string {
	meta := `"metadata":{"name":"a","namespace":"b","deletionTimestamp":"2026-01-01T10:00:00Z","finalizers":["x/y"],"ownerReferences":[{"name":"o","uid":"u"}],` +
		`"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}","shop.example.com/key":"v","helm.sh/chart":"web","pv.kubernetes.io/provisioned-by":"ebs.csi.aws.com"},` +
		`"managedFields":[{"manager":"m","fieldsV1":{"f:metadata":{"f:finalizers":{},"f:annotations":{"f:x":{}}},"f:spec":{"f:a":{}}}}]}`
	return map[string]string{
		"plain":       `{` + meta + `,"spec":{"count":3,"ratio":1.5,"on":true,"none":null,"empty":{},"list":[]}}`,
		"secrets":     `{` + meta + `,"spec":{"password":"hunter22","tokens":["a"],"apiToken":["one","two"],"url":"https://me:pw123456@example.com/","data":{"x":"y"},"parameters":{"a":"b"}}}`,
		"programs":    `{` + meta + `,"spec":{"containers":[{"env":[{"name":"A","value":"B"},{"name":"C","value":5}],"args":["--driver=ebs.csi.aws.com","--secret=x"],"command":["sh"]}]}}`,
		"escapes":     `{` + meta + `,"spec":{"te\u0078t":"line\nbreak \"quoted\" \u2028 <&>","p\u0061ssword":"hunter22"},"status":{"message":"Bearer abcdefgh"}}`,
		"long":        `{` + meta + `,"spec":{"script":"#!/bin/sh\necho","key":"Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1"},"status":{"long":"Ab1Ab1Ab1Ab1Ab1Ab1Ab1Ab1"}}`,
		"odd spaces":  "{ \"kind\" : \"Thing\" ,\n\t" + meta + ` , "spec" : [ 1 , { "a" : [ ] } ] }`,
		"wrong types": `{"metadata":{"name":"a","annotations":{"x":5,"y":["z"]},"finalizers":"x","deletionTimestamp":null,"ownerReferences":null},"spec":"text","env":{"value":"x"}}`,
	}
}

// TestCleanRaw holds what is made of an object's JSON to what is made of the decoded object.
func TestCleanRaw(t *testing.T) {
	for name, object := range rawCases() {
		for _, group := range []string{"", "shop.example.com", "storage.k8s.io"} {
			t.Run(name+" "+group, func(t *testing.T) { compareRaw(t, group, []byte(object)) })
		}
	}
}

func compareRaw(t *testing.T, group string, object []byte) {
	t.Helper()
	resource := cluster.Resource{GroupVersionResource: schema.GroupVersionResource{Group: group, Version: "v1", Resource: "things"}, Kind: "Thing"}
	var content map[string]any
	if err := json.Unmarshal(object, &content); err != nil {
		t.Fatal(err)
	}
	content["apiVersion"], content["kind"] = resource.GroupVersion().String(), resource.Kind
	whole := &unstructured.Unstructured{Object: content}
	if meta, is := content["metadata"].(map[string]any); !is || meta["name"] == "" {
		return
	}
	cleaner := newCleaner()
	cleaner.meet("ebs.csi.aws.com") // as a rule a driver is met before the workloads that name it (kinds.go:early)
	meant := cleaner.whole(whole)
	raw, err := cleaner.raw(resource, object)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw.out, &got); err != nil {
		t.Fatalf("%v: %s", err, raw.out)
	}
	if diff := cmp.Diff(through(t, meant), got); diff != "" {
		t.Errorf("-decoded +raw:\n%s", diff)
	}
	if raw.name != whole.GetName() || raw.namespace != whole.GetNamespace() {
		t.Errorf("it is %q in %q", raw.name, raw.namespace)
	}
	meta, err := metadataOf(whole)
	if err != nil {
		return
	}
	for _, keep := range []cluster.Keep{cluster.KeepAll, cluster.KeepTerminating, cluster.KeepOwned, cluster.KeepHeld, cluster.KeepOwned | cluster.KeepTerminating} {
		if raw.keeps(keep) != keep.Keeps(meta) {
			t.Errorf("keep %d: %v", keep, raw.keeps(keep))
		}
	}
}

// through encodes and decodes a value, so that its types are those of JSON.
func through(t *testing.T, value any) (decoded map[string]any) {
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

func TestCleanRawRefusesWhatIsNoObject(t *testing.T) {
	for _, object := range []string{``, `null`, `[]`, `"a"`, `{`, `{"metadata":{"name":"a"`, `{"metadata":{"name":5}}`, `{"metadata":{}}`, `{"metadata"}`, `{,}`, `{"metadata":{"name":"a"},"x":[1,]}`} {
		if raw, err := newCleaner().raw(cluster.Pods(), []byte(object)); err == nil {
			t.Errorf("%s: %s", object, raw.out)
		}
	}
}

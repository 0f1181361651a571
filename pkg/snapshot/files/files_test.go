package files_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
)

const claimYAML = `apiVersion: v1
items:
- apiVersion: v1
  kind: PersistentVolumeClaim
  metadata:
    creationTimestamp: "2026-01-01T10:00:00Z"
    deletionTimestamp: "2026-01-01T11:00:00Z"
    finalizers: [kubernetes.io/pvc-protection]
    name: data
    namespace: shop
    uid: claim
- apiVersion: v1
  kind: Pod
  metadata: {name: web, namespace: shop, uid: pod, creationTimestamp: "2026-01-01T10:30:00Z"}
  spec:
    nodeName: node-1
    volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
  status: {phase: Running}
kind: List
metadata: {resourceVersion: ""}
`

const leaseJSON = `{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
  "metadata": {"name": "kube-controller-manager", "namespace": "kube-system"},
 "spec": {"renewTime": "2026-01-01T12:00:00.000000Z"}}`

const dumpText = `{"kind": "NodeList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": null}
{"kind": "PodList", "apiVersion": "v1",
  "items": [{"metadata": {"name": "web", "namespace": "shop", "creationTimestamp": "2026-01-01T10:00:00Z"}}]}
==== START logs for container main of pod shop/web ====
{"not": "an object"
==== END logs for container main of pod shop/web ====
{"kind": "ServiceList", "apiVersion": "v1", "items": [{"metadata": {"name": "front", "namespace": "shop"}}]}
`

func manifests() []string {
	return []string{claimYAML, leaseJSON, dumpText, claimYAML + "---\n" + leaseJSON, "# nothing\n---\n" + claimYAML}
}

func opened(t *testing.T, text string) *snapshot.Recording {
	t.Helper()
	recording, err := files.Open(t.Context(), []string{"-"}, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return recording
}

// TestManifests reads what kubectl prints: the objects are there, and nothing else is known.
func TestManifests(t *testing.T) {
	recording := opened(t, claimYAML+"---\n"+leaseJSON)
	if want := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC); !recording.Now().Equal(want) {
		t.Errorf("recorded at %s, want the time of the Lease, %s", recording.Now(), want)
	}
	if _, err := recording.Get(t.Context(), cluster.PersistentVolumeClaims(), "shop", "data"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"data", "other"} {
		_, err := recording.Get(t.Context(), cluster.Pods(), "shop", name)
		if !cluster.NotRecorded(err) || apierrors.IsNotFound(err) {
			t.Errorf("pod %s that no file holds: %v, want: not recorded", name, err)
		}
	}
	pods, err := recording.List(t.Context(), cluster.Pods(), "shop", cluster.Selector{Fields: "spec.nodeName!="})
	if len(pods) != 1 || !cluster.NotRecorded(err) {
		t.Errorf("pods: %d and %v, want the one that is known, and that there may be others", len(pods), err)
	}
	servedKinds, err := recording.ServedKinds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if servedKinds.Partial == nil || !servedKinds.MayServe("shop.example.com") {
		t.Error("manifests don't tell what a cluster serves")
	}
}

// TestIndentedManifests reads objects that a ticket or a mail has indented, whole or in their first line.
func TestIndentedManifests(t *testing.T) {
	indented := func(text, by string) string { return by + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+by) }
	for name, text := range map[string]string{
		"YAML":                      indented(claimYAML, "    "),
		"YAML below blank lines":    "\n  \n\r\n" + indented(claimYAML, "  "),
		"YAML, behind tabs":         indented(claimYAML, "\t"),
		"YAML, the first line only": "  " + strings.TrimSpace(claimYAML),
		"behind much white space":   strings.Repeat(" ", 1<<17) + "\n" + strings.TrimSpace(claimYAML),
	} {
		if _, err := opened(t, text).Get(t.Context(), cluster.PersistentVolumeClaims(), "shop", "data"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestManifestsAsOneDump reads what kubectl cluster-info dump prints, with logs in between.
func TestManifestsAsOneDump(t *testing.T) {
	recording := opened(t, dumpText)
	if recording.Objects() != 2 {
		t.Errorf("%d objects, want 2", recording.Objects())
	}
	if _, err := recording.Get(t.Context(), cluster.Services(), "shop", "front"); err != nil {
		t.Error(err)
	}
}

// TestFolders reads the layouts of oc adm inspect and of kubectl cluster-info dump: their lists are
// complete where they are.
func TestFolders(t *testing.T) {
	folder := written(t, map[string]string{
		"must-gather.local/quay-io-sha/namespaces/shop/core/pods.yaml": "---\napiVersion: " +
			"v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: web, namespace: shop}\nkind: PodList\n",
		"must-gather.local/quay-io-sha/namespaces/shop/core/persistentvolumeclaims.yaml": "apiVersion: v1\nitems: " +
			"[]\nkind: PersistentVolumeClaimList\n",
		"must-gather.local/quay-io-sha/namespaces/shop/core/secrets.yaml": "apiVersion: v1\nitems:\n- " +
			"apiVersion: v1\n  kind: Secret\n  metadata: {name: key, namespace: shop}\n  data: " +
			"{password: aHVudGVyMg==}\nkind: SecretList\n",
		"must-gather.local/quay-io-sha/cluster-scoped-resources/core/nodes/node-1.yaml": "apiVersion: v1\nkind: " +
			"Node\nmetadata: {name: node-1}\n",
		"must-gather.local/quay-io-sha/namespaces/shop/apps/deployments.yaml":               "apiVersion: apps/v1\nitems: [",
		"must-gather.local/quay-io-sha/namespaces/shop/pods/web/main/main/logs/current.log": "no manifest",
		"dump/other/pods.json": `{"kind":"PodList","apiVersion":"v1","items":[]}`,
	})
	recording, err := files.Open(t.Context(), []string{folder}, nil)
	if err != nil {
		t.Fatal(err)
	}
	absent := func(resource cluster.Resource, namespace string) bool {
		_, err := recording.Get(t.Context(), resource, namespace, "absent")
		return apierrors.IsNotFound(err)
	}
	for _, c := range []struct {
		what string
		got  bool
		want bool
	}{
		{"a pod in a namespace of which all pods are there", absent(cluster.Pods(), "shop"), true},
		{"a pod of the dump's namespace", absent(cluster.Pods(), "other"), true},
		{"a pod of another namespace", absent(cluster.Pods(), "elsewhere"), false},
		{"a claim where there is an empty list", absent(cluster.PersistentVolumeClaims(), "shop"), true},
		{"a node where single ones are", absent(cluster.Nodes(), ""), false},
		{"a deployment of a broken file", absent(cluster.Deployments(), "shop"), false},
	} {
		if c.got != c.want {
			t.Errorf("%s is absent: %v, want %v", c.what, c.got, c.want)
		}
	}
	if len(recording.Skipped) != 1 || !strings.Contains(recording.Skipped[0].Error(), "deployments.yaml") {
		t.Errorf("skipped %v, want the broken file", recording.Skipped)
	}
	secrets := cluster.Resource{GroupVersionResource: metav1.SchemeGroupVersion.WithResource("secrets"), Kind: "Secret",
		Namespaced: true}
	secrets.Group, secrets.Version = "", "v1"
	if secret, err := recording.Get(t.Context(), secrets, "shop", "key"); err == nil {
		t.Errorf("a Secret is there with its data: %v", secret.Object)
	}
}

// TestManifestsThatAreNone says of each what is wrong with it.
func TestManifestsThatAreNone(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for _, letter := range "bcdefghij" {
		before := string(letter - 1)
		bomb += string(letter) + ": &" + string(letter) + " [" + strings.TrimSuffix(strings.Repeat("*"+before+",", 9), ",") +
			"]\n"
	}
	for name, c := range map[string]struct{ text, want string }{
		"nothing":          {"", "empty"},
		"white space":      {" \n\n", "Kubernetes object"},
		"text":             {"hello", "Kubernetes object"},
		"binary":           {"\x00\x01\x02", ""},
		"a bare list":      {"[1,2]", "Kubernetes object"},
		"other YAML":       {"a: 1\n", "Kubernetes object"},
		"cut off":          {`{"apiVersion":"v1","kind":"Pod","metadata":{"name":`, "cut off"},
		"items of nothing": {`{"kind":"List","apiVersion":"v1","items":[{}]}`, "Kubernetes object"},
		"items, no list":   {`{"kind":"List","apiVersion":"v1","items":{"a":1}}`, "without items"},
		"nested":           {`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":` + deep + "}", "nested deeper"},
		"aliases":          {bomb, ""},
		"rows of any kind": {"NAME   READY   STATUS     AGE\nb1     False   Deleting   3h\n", "kubectl get TYPE b1 -o yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := files.Open(t.Context(), []string{"-"}, bytes.NewReader([]byte(c.text)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error that says %q", err, c.want)
			}
		})
	}
}

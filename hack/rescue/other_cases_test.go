package rescue_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const login = `
apiVersion: v1
kind: Secret
metadata: {namespace: NS, name: login, finalizers: [lab.example.com/hold]}
stringData: {password: lab}
`

const node = `
apiVersion: v1
kind: Node
metadata: {name: NS-1, labels: {zone: a}, finalizers: [lab.example.com/hold]}
`

const takes = "lab.example.com/takes: 10s"

func otherAccidents() []accident {
	return slices.Concat(projectAccidents(), snapshotAccidents(), []accident{
		{
			name: "definition-with-instances",
			objects: definition("shelved.example.com", "shelves", "Shelf") + "\n---\n" +
				"apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: NS, name: nothing}\n---\n",
			ready: func(t *testing.T, l *lab, ns string) {
				l.create(t, strings.ReplaceAll(custom("shelved.example.com/v1", "Shelf",
					"metadata: {namespace: NS, name: top, finalizers: [shelved.example.com/hold]}\nspec: {books: 12}"), "NS", ns))
			},
			deletes: []string{"kubectl delete crd/shelves.shelved.example.com --wait=false"},
			target:  "crd/shelves.shelved.example.com", outcome: result.PartlyLost,
			back: func(t *testing.T, l *lab, ns string) {
				l.becomes(t, "shelves.shelved.example.com/top -n "+ns, "{.spec.books} {.metadata.deletionTimestamp}", "12 ")
			},
		},
		{
			name: "owner-with-dependents", objects: owners("Top", "hold") + owned2("left") + owned2("right"),
			ready: adopt("left", "right"), deletes: []string{"kubectl delete configmap/top -n NS --wait=false"},
			after: letGoLater("top"), target: "configmap/top -n NS", outcome: result.CanBeKept, stops: "OrphanDependents",
			back: all(again("configmap/left"), again("configmap/right"), again("configmap/top"), owned("configmap/left")),
		},
		{
			name: "chain-of-owners", objects: owners("Top", "hold") + owned2("left") + claimAndVolume("data", "Delete", "0s"),
			disks: []string{"NS-data"}, ready: all(bound("data"), chain),
			deletes: []string{"kubectl delete configmap/top -n NS --wait=false"}, after: letGoLater("top"),
			target: "configmap/top -n NS", outcome: result.CanBeKept, stops: "RetainVolumesNow OrphanDependents",
			kept: []string{"NS-data"}, back: all(again("configmap/left"), same("data"), again("configmap/top")),
		},
		{
			name: "owner-in-foreground", objects: owners("Top", "hold") + owned2("left") +
				claimAndVolume("data", "Delete", "0s") +
				pod("app", "data"), disks: []string{"NS-data"}, ready: all(bound("data"), chain),
			deletes: []string{"kubectl delete configmap/top -n NS --wait=false --cascade=foreground"},
			after:   all(letGoLater("top"), going("pvc/data")),
			target:  "configmap/top -n NS", outcome: result.CanBeKept, stops: "RetainVolumesNow",
			kept: []string{"NS-data"}, back: same("data"),
		},
		{
			name:    "secret-saved",
			objects: login,
			deletes: []string{"kubectl delete secret/login -n NS --wait=false"}, after: letGoLater("login"),
			target: "secret/login -n NS", flags: []string{"--with-secrets"}, outcome: result.NoData,
			back: func(t *testing.T, l *lab, ns string) {
				l.becomes(t, "secret/login -n "+ns, "{.data.password} {.metadata.deletionTimestamp}", "bGFi ")
			},
		},
		{
			name:    "secret-by-name",
			objects: login,
			deletes: []string{"kubectl delete secret/login -n NS --wait=false"},
			target:  "secret/login -n NS", outcome: result.PartlyLost, says: []string{"unless you save it now"},
			after: letGoLater("login"),
			back: func(t *testing.T, l *lab, ns string) {
				l.within(t, func() error {
					data, err := l.field(t, "secret/login -n "+ns+" --ignore-not-found", "{.metadata.uid} {.data.password}")
					if err == nil && strings.Contains(data, "bGFi") {
						return fmt.Errorf("the data are there, and the plan says that they are lost: %s", data)
					}
					return err
				})
			},
		},
		{
			name: "node", objects: node,
			deletes: []string{"kubectl delete node/NS-1 --wait=false"}, after: letGoLater("NS-1"), target: "node/NS-1",
			outcome: result.NoData,
			back: func(t *testing.T, l *lab, ns string) {
				l.becomes(t, "node/"+ns+"-1", "{.metadata.labels.zone} {.metadata.deletionTimestamp}", "a ")
			},
		},
		{
			name: "webhook-refuses", objects: claimAndVolume("data", "Delete", "0s") + pod("app", "data") +
				webhook, disks: []string{"NS-data"},
			ready: bound("data"), deletes: []string{"kubectl delete pvc/data -n NS --wait=false"}, target: "pvc/data -n NS",
			outcome: result.CanBeKept, stops: "LetRequestsPass RetainVolumesNow", kept: []string{"NS-data"}, back: same("data"),
		},
	})
}

const webhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: NS}
webhooks:
- name: volumes.NS.example.com
  clientConfig: {service: {namespace: NS, name: gone}}
  rules: [{apiGroups: [""], apiVersions: [v1], resources: [persistentvolumes], operations: [UPDATE]}]
  objectSelector: {matchLabels: {accident: NS}}
  failurePolicy: Fail
  sideEffects: None
  admissionReviewVersions: [v1]
---
`

func projectAccidents() []accident {
	bucket := func(name, apiVersion, kind, rest string, stops string) accident {
		resource := strings.ToLower(kind) + "." + strings.TrimSuffix(apiVersion, "/v1")
		return accident{
			name: name, objects: custom(apiVersion, kind, rest), disks: []string{"NS-bucket"}, ready: held(resource + "/books"),
			deletes: []string{"kubectl delete " + resource + "/books -n NS --wait=false"}, target: resource + "/books -n NS",
			outcome: result.PartlyLost, stops: stops, says: []string{"may have been deleting it since"},
			kept: []string{"NS-bucket"}, back: all(again(resource+"/books"), held(resource+"/books")),
		}
	}
	return []accident{
		{
			name: "outside-too-late", disks: []string{"NS-bucket"},
			objects: custom("s3.services.k8s.aws/v1", "Bucket",
				"metadata: {namespace: NS, name: books}\nspec: {name: NS-bucket}"),
			ready:   held("buckets.s3.services.k8s.aws/books"),
			deletes: []string{"kubectl delete buckets.s3.services.k8s.aws/books -n NS"},
			target:  "buckets.s3.services.k8s.aws/books -n NS", nothing: true, lost: []string{"NS-bucket"},
		},
		bucket("crossplane", "lab.crossplane.io/v1", "Bucket", `metadata:
  namespace: NS
  name: books
  annotations: {crossplane.io/external-name: NS-bucket, `+takes+`}
spec: {deletionPolicy: Delete}`, "KeepOutside"),
		bucket("ack", "s3.services.k8s.aws/v1", "Bucket", `metadata: {namespace: NS, name: books, annotations: {`+takes+`}}
spec: {name: NS-bucket}`, "KeepOutside"),
		bucket("config-connector", "storage.cnrm.cloud.google.com/v1", "StorageBucket",
			`metadata: {namespace: NS, name: books, annotations: {`+takes+`}}
spec: {resourceID: NS-bucket}`, "KeepOutside"),
		bucket("cluster-api", "cluster.x-k8s.io/v1", "Cluster",
			`metadata: {namespace: NS, name: books, annotations: {`+takes+`}}
spec: {name: NS-bucket}`, "PauseOutside"),
		bucket("own-operator", "rescued.example.com/v1", "Database",
			`metadata: {namespace: NS, name: books, annotations: {`+takes+`}}
spec: {name: NS-bucket}`, "StopController"),
	}
}

// owners is an object that owns others, and is held.
func owners(_, finalizer string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: NS, name: top, finalizers: [lab.example.com/" +
		finalizer + "]}\n---\n"
}

func owned2(name string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: NS, name: " + name + "}\n---\n"
}

// own gives an object an owner.
func own(t *testing.T, l *lab, ns, object, owner string) {
	t.Helper()
	kind, name, _ := strings.Cut(owner, "/")
	uid := l.must(t, "kubectl get "+owner+" -n "+ns+" -o jsonpath={.metadata.uid}")
	patch := fmt.Sprintf(`{"metadata":{"ownerReferences":[`+
		`{"apiVersion":"v1","kind":"%s","name":"%s","uid":"%s","blockOwnerDeletion":true}]}}`, kind, name, uid)
	l.must(t, "kubectl patch "+object+" -n "+ns+" --type merge -p '"+patch+"'")
}

func adopt(names ...string) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		for _, name := range names {
			own(t, l, ns, "configmap/"+name, "ConfigMap/top")
		}
	}
}

// chain has left owned by top, and a claim by left.
func chain(t *testing.T, l *lab, ns string) {
	t.Helper()
	own(t, l, ns, "configmap/left", "ConfigMap/top")
	own(t, l, ns, "pvc/data", "ConfigMap/left")
}

// letGoLater removes the finalizer of an object after a while, as its controller would.
func letGoLater(name string) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		l.outside.later(name, ns)
	}
}

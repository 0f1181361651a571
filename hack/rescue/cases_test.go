package rescue_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// definitions are the kinds of the operators, and the operators that have a workload.
var definitions = strings.Join([]string{
	definition("lab.crossplane.io", "buckets", "Bucket"), definition("s3.services.k8s.aws", "buckets", "Bucket"),
	definition("storage.cnrm.cloud.google.com", "storagebuckets", "StorageBucket"),
	definition("cluster.x-k8s.io", "clusters", "Cluster"), definition("rescued.example.com", "databases", "Database"),
	definition("shelves.example.com", "shelves", "Shelf"),
	workload("crossplane-system", "provider-lab", "buckets", "lab.crossplane.io"),
	workload("ack-system", "ack-s3-controller", "buckets", "s3.services.k8s.aws"),
	strings.ReplaceAll(workload("cnrm-system", "cnrm-controller-manager", "storagebuckets",
		"storage.cnrm.cloud.google.com"),
		"kind: Deployment", "kind: StatefulSet"),
	definition(snapshotGroup, "volumesnapshots", "VolumeSnapshot"),
	strings.ReplaceAll(definition(snapshotGroup, "volumesnapshotcontents", "VolumeSnapshotContent"),
		"Namespaced", "Cluster"),
	workload("capi-system", "capi-controller-manager", "clusters", "cluster.x-k8s.io"),
	workload("rescued-system", "rescued-operator", "databases", "rescued.example.com"),
}, "\n---\n")

func definition(group, plural, kind string) string {
	return strings.NewReplacer("GROUP", group, "PLURAL", plural, "KIND", kind, "SINGULAR", strings.ToLower(kind)).Replace(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: PLURAL.GROUP
  annotations: {api-approved.kubernetes.io: "unapproved, in a lab"}
spec:
  group: GROUP
  scope: Namespaced
  names: {plural: PLURAL, singular: SINGULAR, kind: KIND}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}`)
}

// workload is an operator's Deployment, which alone may write its kind.
func workload(namespace, name, plural, group string) string {
	return strings.NewReplacer("SPACE", namespace, "NAME", name, "PLURAL", plural, "GROUP", group).Replace(`
apiVersion: v1
kind: Namespace
metadata: {name: SPACE}
---
apiVersion: v1
kind: ServiceAccount
metadata: {namespace: SPACE, name: NAME}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: NAME}
rules:
- {apiGroups: [GROUP], resources: [PLURAL, PLURAL/finalizers], verbs: [get, list, watch, update, patch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: NAME}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: NAME}
subjects: [{kind: ServiceAccount, namespace: SPACE, name: NAME}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: SPACE, name: NAME}
spec:
  replicas: 2
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME, pkg.crossplane.io/provider: NAME}}
    spec:
      serviceAccountName: NAME
      nodeName: worker-1
      containers: [{name: manager, image: NAME}]`)
}

func custom(apiVersion, kind, rest string) string {
	return "\napiVersion: " + apiVersion + "\nkind: " + kind + "\n" + rest + "\n---\n"
}

// held waits until an object has a finalizer.
func held(object string) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		l.has(t, object+" -n "+ns, "{.metadata.finalizers[0]}")
	}
}

// new checks that an object is there again, and not being deleted.
func again(object string) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		l.becomes(t, object+" -n "+ns, "{.metadata.deletionTimestamp}{.kind}",
			strings.Split(kindOf(t, l, ns, object), " ")[0])
	}
}

func kindOf(t *testing.T, l *lab, ns, object string) string {
	t.Helper()
	kind, err := l.field(t, object+" -n "+ns, "{.kind}")
	if err != nil {
		t.Fatal(err)
	}
	return kind
}

func all(checks ...func(t *testing.T, l *lab, ns string)) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		for _, check := range checks {
			check(t, l, ns)
		}
	}
}

func accidents() []accident { return append(storageAccidents(), otherAccidents()...) }

func storageAccidents() []accident {
	return []accident{
		{
			name: "claim-in-use", objects: claimAndVolume("data", "Delete", "0s") +
				pod("app", "data"), disks: []string{"NS-data"},
			ready: bound("data"), deletes: []string{"kubectl delete pvc/data -n NS --wait=false"}, target: "pvc/data -n NS",
			outcome: result.CanBeKept, stops: "RetainVolumesNow", kept: []string{"NS-data"}, back: same("data"),
		},
		{
			name: "claim-free", objects: claimAndVolume("data", "Delete", "8s"), disks: []string{"NS-data"},
			ready: bound("data"), deletes: []string{"kubectl delete pvc/data -n NS"}, target: "pvc/data -n NS",
			outcome: result.PartlyLost, stops: "RetainVolumesNow", kept: []string{"NS-data"},
			says: []string{"PersistentVolumeClaim NS/data itself: it is gone", "may be deleting the storage now"},
			back: bound("data"),
		},
		{
			name: "claim-gone-retained", objects: claimAndVolume("data", "Retain", "0s"), disks: []string{"NS-data"},
			ready: bound("data"), deletes: []string{"kubectl delete pvc/data -n NS"}, target: "pvc/data -n NS",
			outcome: result.CanBeKept, kept: []string{"NS-data"}, back: bound("data"),
			says: []string{"its reclaim policy is Retain"},
		},
		{
			name: "claim-in-use-retained", objects: claimAndVolume("data", "Retain", "0s") + pod("app", "data"),
			disks: []string{"NS-data"}, ready: bound("data"), deletes: []string{"kubectl delete pvc/data -n NS --wait=false"},
			target: "pvc/data -n NS", outcome: result.CanBeKept, kept: []string{"NS-data"}, back: same("data"),
		},
		{
			name: "volume-in-use", objects: claimAndVolume("data", "Delete", "0s") +
				pod("app", "data"), disks: []string{"NS-data"},
			ready: bound("data"), deletes: []string{"kubectl delete pv/NS-data --wait=false"}, target: "pv/NS-data",
			outcome: result.CanBeKept, stops: "RetainVolumesNow", kept: []string{"NS-data"}, back: same("data"),
			says: []string{"PersistentVolume NS-data itself"},
		},
		{
			name: "volume-retained", objects: claimAndVolume("data", "Retain", "0s"), disks: []string{"NS-data"},
			ready: bound("data"), deletes: []string{"kubectl delete pv/NS-data --wait=false"}, target: "pv/NS-data",
			outcome: result.CanBeKept, kept: []string{"NS-data"}, back: same("data"),
		},
		{
			name: "volume-and-claim-going", objects: claimAndVolume("data", "Delete", "8s"), disks: []string{"NS-data"},
			ready:   bound("data"),
			deletes: []string{"kubectl delete pv/NS-data --wait=false", "kubectl delete pvc/data -n NS"},
			target:  "pv/NS-data", outcome: result.PartlyLost, stops: "RetainVolumesNow", kept: []string{"NS-data"},
			back: bound("data"), says: []string{"may be deleting the storage now"},
		},
		{
			name:    "claim-of-set",
			objects: claimAndVolume("data-web-0", "Delete", "0s") + set("web", "", "data"), disks: []string{"NS-data-web-0"},
			ready:   all(bound("data-web-0"), running("web-0")),
			deletes: []string{"kubectl delete pvc/data-web-0 -n NS --wait=false"}, target: "pvc/data-web-0 -n NS",
			outcome: result.CanBeKept, stops: "RetainVolumesNow", kept: []string{"NS-data-web-0"},
			back: all(same("data-web-0"), running("web-0")),
		},
		{
			name: "set-gone",
			objects: claimAndVolume("data-web-0", "Delete", "8s") +
				set("web", "Delete", "data"), disks: []string{"NS-data-web-0"},
			ready:   all(bound("data-web-0"), running("web-0"), owned("pvc/data-web-0")),
			deletes: []string{"kubectl delete sts/web -n NS --cascade=foreground"}, after: released("NS-data-web-0"),
			target: "sts/web -n NS", outcome: result.PartlyLost, stops: "RetainVolumesNow", kept: []string{"NS-data-web-0"},
			back: bound("data-web-0"), says: []string{"itself: it is gone"},
		},
		{
			name:    "set-with-its-claims",
			objects: claimAndVolume("data-web-0", "Delete", "8s") + slowly(set("web", "Delete", "data")),
			disks:   []string{"NS-data-web-0"},
			ready:   all(bound("data-web-0"), running("web-0"), owned("pvc/data-web-0")),
			deletes: []string{"kubectl delete sts/web -n NS --cascade=foreground --wait=false"},
			after:   all(letGoLater("web-0"), going("pvc/data-web-0")), target: "sts/web -n NS",
			outcome: result.CanBeKept, stops: "RetainVolumesNow", kept: []string{"NS-data-web-0"},
			back: all(same("data-web-0"), running("web-0")),
		},
		{
			name: "space-of-five",
			objects: claimAndVolume("one", "Delete", "8s") + claimAndVolume("two", "Delete", "8s") +
				claimAndVolume("three", "Retain", "8s") + claimAndVolume("four", "Delete", "8s") +
				claimAndVolume("data-web-0", "Delete", "8s") + set("web", "", "data") + pod("app", "one") +
				"apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: NS, name: kept, finalizers: [lab.example.com/hold]}\n---\n",
			disks:   []string{"NS-one", "NS-two", "NS-three", "NS-four", "NS-data-web-0"},
			ready:   all(bound("one", "two", "three", "four", "data-web-0"), running("web-0")),
			deletes: []string{"kubectl delete ns/NS --wait=false"}, after: letGoLater("kept"), target: "ns/NS",
			outcome: result.PartlyLost, stops: "RetainVolumesNow",
			kept: []string{"NS-one", "NS-two", "NS-three", "NS-four", "NS-data-web-0"},
			back: bound("one", "two", "three", "four", "data-web-0"),
		},
		{
			name: "space-gone", objects: claimAndVolume("one", "Retain", "0s") + claimAndVolume("two", "Retain", "0s"),
			disks: []string{"NS-one", "NS-two"}, ready: bound("one", "two"), deletes: []string{"kubectl delete ns/NS"},
			target: "ns/NS", outcome: result.PartlyLost, kept: []string{"NS-one", "NS-two"}, back: bound("one", "two"),
		},
		{
			name: "claim-too-late", objects: claimAndVolume("data", "Delete", "0s"), disks: []string{"NS-data"},
			ready: bound("data"), deletes: []string{"kubectl delete pvc/data -n NS"}, after: gone("pv/NS-data"),
			target: "pvc/data -n NS", nothing: true, lost: []string{"NS-data"},
		},
		{
			name: "space-partly-too-late",
			objects: claimAndVolume("one", "Delete", "0s") + claimAndVolume("two", "Retain", "0s") + pod("app", "two") +
				"apiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: NS, name: kept, finalizers: [lab.example.com/hold]}\n---\n",
			disks: []string{"NS-one", "NS-two"}, ready: bound("one", "two"),
			deletes: []string{"kubectl delete ns/NS --wait=false"}, after: all(gone("pv/NS-one"), letGoLater("kept")),
			target: "ns/NS", outcome: result.PartlyLost, lost: []string{"NS-one"}, kept: []string{"NS-two"}, back: bound("two"),
			says: []string{"nothing shows what it was"},
		},
		{
			name: "claim-made-anew", objects: claimAndVolume("data", "Retain", "0s"), disks: []string{"NS-data"},
			ready: bound("data"), deletes: []string{"kubectl delete pvc/data -n NS"},
			after: func(t *testing.T, l *lab, ns string) {
				l.create(t, strings.ReplaceAll(`
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {namespace: NS, name: data}
spec: {accessModes: [ReadWriteOnce], storageClassName: lab, resources: {requests: {storage: 1Gi}}}`, "NS", ns))
			},
			target: "pvc/data -n NS", outcome: result.CanBeKept, kept: []string{"NS-data"}, back: bound("data-rescued"),
		},
	}
}

// set is a StatefulSet with a pod, whose claim there is.
func set(name, whenDeleted, claim string) string {
	policy := ""
	if whenDeleted != "" {
		policy = "\n  persistentVolumeClaimRetentionPolicy: {whenDeleted: " + whenDeleted + ", whenScaled: Retain}"
	}
	return strings.NewReplacer("NAME", name, "CLAIM", claim, "POLICY", policy).Replace(`
apiVersion: apps/v1
kind: StatefulSet
metadata: {namespace: NS, name: NAME}
spec:
  serviceName: NAME
  replicas: 1
  selector: {matchLabels: {set: NAME}}POLICY
  template:
    metadata: {labels: {set: NAME}}
    spec:
      nodeName: worker-1
      terminationGracePeriodSeconds: 1
      containers: [{name: app, image: app, volumeMounts: [{name: CLAIM, mountPath: /data}]}]
  volumeClaimTemplates:
  - metadata: {name: CLAIM, labels: {app: shop}}
    spec: {accessModes: [ReadWriteOnce], storageClassName: lab, resources: {requests: {storage: 1Gi}}}
---
`)
}

func running(pod string) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		l.becomes(t, "pod/"+pod+" -n "+ns, "{.status.phase}", "Running")
	}
}

func owned(object string) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		l.has(t, object+" -n "+ns, "{.metadata.ownerReferences[0].name}")
	}
}

// slowly has the pods of a set stop only when the lab lets them.
func slowly(set string) string {
	return strings.Replace(set, "metadata: {labels: {set: web}}",
		"metadata: {labels: {set: web}, finalizers: [lab.example.com/hold]}", 1)
}

// released waits until a volume's claim is gone.
func released(volume string) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		l.becomes(t, "pv/"+strings.ReplaceAll(volume, "NS", ns), "{.status.phase}", "Released")
	}
}

// gone waits until an object is gone.
func gone(object string) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		l.must(t, "kubectl wait --for=delete --timeout=60s "+strings.ReplaceAll(object, "NS", ns))
	}
}

// going waits until an object is being deleted.
func going(object string) func(t *testing.T, l *lab, ns string) {
	return func(t *testing.T, l *lab, ns string) {
		t.Helper()
		l.has(t, object+" -n "+ns, "{.metadata.deletionTimestamp}")
	}
}

package attribution

import (
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestLosesOf wants the lost thing itself named, from the fields that the catalogue gives for it, and no Secret read
// for that.
func TestLosesOf(t *testing.T) {
	cases := []struct {
		name, document, resource string
		denied                   bool
		want, not                string
		reads                    int
	}{{
		name: "a load balancer, by a field of a Service that was not read whole",
		document: "{apiVersion: v1, kind: Service, metadata: {name: x, uid: u, finalizers: [service.k8s.aws/resources]}, " +
			"status: {loadBalancer: {ingress: [{hostname: nlb-1.elb.amazonaws.com}]}}}",
		resource: "services",
		want:     "left behind in AWS and still costing money (load balancer nlb-1.elb.amazonaws.com)", reads: 1,
	}, {
		name: "a Service that can't be read whole",
		document: "{apiVersion: v1, kind: Service, metadata: {name: x, uid: u, finalizers: [service.k8s.aws/resources]}, " +
			"status: {loadBalancer: {ingress: [{hostname: nlb-1.elb.amazonaws.com}]}}}",
		resource: "services", denied: true,
		want: "(.status.loadBalancer.ingress[*].hostname, .status.loadBalancer.ingress[*].ip, which could not be read, " +
			"would show which)", reads: 1,
	}, {
		name: "an object of another uid",
		document: "{apiVersion: v1, kind: Service, metadata: {name: x, uid: another, finalizers: " +
			"[service.k8s.aws/resources]}, status: {loadBalancer: {ingress: [{hostname: nlb-1.elb.amazonaws.com}]}}}",
		resource: "services", not: "nlb-1", want: "would show which", reads: 1,
	}, {
		name: "a volume",
		document: "{apiVersion: v1, kind: PersistentVolume, metadata: {name: x, uid: u, finalizers: " +
			"[external-provisioner.volume.kubernetes.io/finalizer]}, spec: {csi: {volumeHandle: vol-0a1b}}}",
		resource: "persistentvolumes",
		want:     "the record of the storage, which is left behind and still costs money (volume vol-0a1b)", reads: 1,
	}, {
		name: "a field that the object doesn't have",
		document: "{apiVersion: v1, kind: PersistentVolume, metadata: {name: x, uid: u, finalizers: " +
			"[external-provisioner.volume.kubernetes.io/finalizer]}, spec: {}}",
		resource: "persistentvolumes", want: "still costs money", not: "(", reads: 1,
	}, {
		name: "one thing under two fields",
		document: "{apiVersion: infrastructure.cluster.x-k8s.io/v1, kind: AWSMachine, metadata: {name: x, uid: u, " +
			"finalizers: [awsmachine.infrastructure.cluster.x-k8s.io]}, spec: {instanceID: i-1, providerID: i-1}}",
		resource: "awsmachines.infrastructure.cluster.x-k8s.io", want: "(instance i-1)", reads: 1,
	}, {
		name: "a Secret",
		document: "{apiVersion: v1, kind: Secret, metadata: {name: x, uid: u, finalizers: " +
			"[machine.sapcloud.io/machine-controller]}, data: {spec: c2VjcmV0}}",
		resource: "secrets", want: ".spec.providerID, which could not be read, would show which",
	}, {
		name: "nothing is known, and the object names something",
		document: "{apiVersion: shop.example.com/v1, kind: Database, metadata: {name: x, uid: u, finalizers: " +
			"[shop.example.com/cleanup]}, status: {endpoint: db-7.example.com}}",
		resource: "databases.shop.example.com",
		want:     "in the cluster or outside it: perhaps status.endpoint db-7.example.com", reads: 1,
	}, {
		name:     "nothing is known of it on a kind of Kubernetes",
		document: "{apiVersion: v1, kind: ConfigMap, metadata: {name: x, uid: u, finalizers: [ops.intra/keep]}}",
		resource: "configmaps", want: "the cleanup of what belongs to ConfigMap x",
	}}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			memory, err := clustertest.New(time.Now(), c.document)
			if err != nil {
				t.Fatal(err)
			}
			if c.denied {
				memory.Deny(c.resource)
			}
			known, err := plugins.Embedded()
			if err != nil {
				t.Fatal(err)
			}
			whole := &unstructured.Unstructured{}
			if err := yaml.Unmarshal([]byte(c.document), &whole.Object); err != nil {
				t.Fatal(err)
			}
			plural := schema.ParseGroupResource(c.resource)
			resource := cluster.Resource{GroupVersionResource: plural.WithVersion(whole.GroupVersionKind().Version),
				Kind: whole.GetKind()}
			object, err := session.FromWhole(resource, whole)
			if err != nil {
				t.Fatal(err)
			}
			object.Whole, object.Ref.UID = nil, "u"
			got := finding.Voice{}.Loss(finderOf(memory, known).LosesOf(t.Context(), object,
				finding.Hold{Type: finding.Finalizer, Name: whole.GetFinalizers()[0]}))
			if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
				t.Errorf("loses %q, want %q and not %q", got, c.want, c.not)
			}
			if len(memory.Reads) != c.reads || slices.ContainsFunc(memory.Reads,
				func(read string) bool { return strings.HasPrefix(read, "secrets") }) {
				t.Errorf("read %q, want %d reads", memory.Reads, c.reads)
			}
		})
	}
}

package removal_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// operatorAtZero should remove the finalizer of orders, and does not run.
const operatorAtZero = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop-operator, namespace: shop-system, uid: operator-1}
spec:
  replicas: 0
  selector: {matchLabels: {app: shop-operator}}
  template:
    metadata: {labels: {app: shop-operator}}
    spec: {serviceAccountName: shop-operator, containers: [{name: main}]}
`

// itsWebhook is called for each update of a Database, and served by the operator.
const itsWebhook = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: shop-webhook}
webhooks:
- name: databases.shop.example.com
  clientConfig: {service: {namespace: shop-system, name: shop-operator}}
  rules: [{apiGroups: [shop.example.com], apiVersions: ["*"], operations: [UPDATE], resources: [databases]}]
  failurePolicy: Fail
  sideEffects: None
  matchPolicy: Equivalent
---
apiVersion: v1
kind: Service
metadata: {name: shop-operator, namespace: shop-system}
spec: {selector: {app: shop-operator}, ports: [{port: 443}]}
`

// TestPlanSaysAtOnceWhatElseRefuses has a plan without an override say that overriding is not enough: by the dry run,
// whatever could be read, and by the diagnosis, if that knows what refuses.
func TestPlanSaysAtOnceWhatElseRefuses(t *testing.T) {
	denied := apierrors.NewForbidden(schema.GroupResource{Group: "shop.example.com", Resource: "databases"}, "orders",
		errors.New("failed calling webhook"))
	for _, c := range []struct {
		name  string
		deny  string
		warns bool
	}{
		{name: "the diagnosis knows the webhook", warns: true},
		{name: "the webhooks can't be read", deny: "validatingwebhookconfigurations"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, orders+mayWrite(theOperator)+account+operatorAtZero+itsWebhook,
				removal.Options{Finalizers: []string{"shop.example.com/cleanup"}}, "databases.shop.example.com/orders")
			b.writer.answer = func(string) error { return denied }
			if c.deny != "" {
				b.memory.Deny(c.deny)
			}
			done := b.run(t)
			var refused []string
			for _, guard := range done.Guards {
				if !guard.Passed {
					refused = append(refused, guard.Name)
				}
			}
			if want := []string{"Justified", "DryRun"}; !slices.Equal(refused, want) || len(b.writer.written()) > 0 {
				t.Errorf("refused by %q, want %q; it sent %q", refused, want, b.writer.sent)
			}
			warned := strings.Join(done.Items[0].Warnings, " ")
			if strings.Contains(warned, "shop-webhook refuses this write, whatever you override") != c.warns {
				t.Errorf("it warns: %s", warned)
			}
			text := strings.Join(strings.Fields(b.printed(t, done)), " ")
			if !strings.Contains(text, "A dry run was refused (see REFUSED).") ||
				strings.Count(text, "failed calling webhook") != 1 {
				t.Errorf("the plan says:\n%s", text)
			}
		})
	}
}

const heldTwice = `
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, uid: web-1, resourceVersion: "7", deletionTimestamp: 2026-01-02T02:00:00Z,
  deletionGracePeriodSeconds: 30, finalizers: [a/x, b/y]}
spec: {nodeName: n1, containers: [{name: main}]}
---
apiVersion: v1
kind: Node
metadata: {name: n1, uid: n1}
status: {conditions: [{type: Ready, status: Unknown, reason: NodeStatusUnknown,
  lastTransitionTime: "2026-01-02T01:00:00Z"}]}
`

// TestBetterWaysAreAboutWhatIsRemoved leaves out what holds the object beside the finalizers to be removed, and other
// last resorts. Where no finalizer is named, each step says what it is about.
func TestBetterWaysAreAboutWhatIsRemoved(t *testing.T) {
	of := func(finalizers []string, deny string) (*result.RemovalReport, string) {
		b := newBench(t, heldTwice, removal.Options{Finalizers: finalizers}, "pods/web")
		if deny != "" {
			b.memory.Deny(deny)
		}
		done := b.run(t)
		for _, remedy := range done.Items[0].Better {
			if remedy.LastResort() || slices.Contains(remedy.Command, "--force") {
				t.Errorf("%q: a last resort: %s", finalizers, remedy.Action)
			}
		}
		_, better, _ := strings.Cut(b.printed(t, done), "BETTER")
		return done, better
	}
	named, text := of([]string{"a/x"}, "")
	for _, remedy := range named.Items[0].Better {
		if slices.Contains(remedy.Command, "nodes/n1") {
			t.Errorf("the node holds no finalizer: %+v", remedy)
		}
	}
	if strings.Contains(text, "About ") {
		t.Errorf("one cause needs no heading:\n%s", text)
	}
	_, text = of(nil, "")
	for _, says := range []string{"About its grace period, NodeNotReady:", "About the finalizer a/x, ControllerUnknown:"} {
		if !strings.Contains(text, says) {
			t.Errorf("it doesn't say %q:\n%s", says, text)
		}
	}
	of(nil, "nodes")
}

// TestOneLossForEachFinalizer says once what is lost with a finalizer that both the catalogue and the diagnosis know.
func TestOneLossForEachFinalizer(t *testing.T) {
	const volume = `
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv-1, uid: pv-1, resourceVersion: "7", deletionTimestamp: 2026-01-02T02:00:00Z,
  annotations: {pv.kubernetes.io/provisioned-by: disk.csi.example.com},
  finalizers: [external-provisioner.volume.kubernetes.io/finalizer, external-attacher/disk-csi-example-com]}
spec: {persistentVolumeReclaimPolicy: Delete, csi: {driver: disk.csi.example.com, volumeHandle: vol-1}}
status: {phase: Released}
---
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata: {name: csi-1, uid: csi-1, resourceVersion: "7", deletionTimestamp: 2026-01-02T02:00:00Z,
  finalizers: [external-attacher/disk-csi-example-com]}
spec: {attacher: disk.csi.example.com, nodeName: n1, source: {persistentVolumeName: pv-1}}
status: {attached: true}
`
	for target, finalizer := range map[string]string{
		"persistentvolumes/pv-1":                   "external-provisioner.volume.kubernetes.io/finalizer",
		"volumeattachments.storage.k8s.io/csi-1":   "external-attacher/disk-csi-example-com",
		"databases.shop.example.com/orders":        "shop.example.com/cleanup",
		"configmaps/notes":                         "a/x",
		"persistentvolumeclaims/nobody-knows-this": "example.com/hold",
	} {
		claim := "---" + strings.NewReplacer("ConfigMap", "PersistentVolumeClaim", "notes", "nobody-knows-this",
			"a/x, b/y, a/x", "example.com/hold").Replace(held)
		for _, deny := range []string{"", "volumeattachments.storage.k8s.io", "persistentvolumes"} {
			if deny != "" && strings.HasPrefix(target, deny) {
				continue
			}
			b := newBench(t, volume+"---"+orders+"---"+held+claim, removal.Options{Finalizers: []string{finalizer}}, target)
			if strings.HasPrefix(target, "volumeattach") || strings.HasPrefix(target, "persistentvolumes") {
				b.targets[0].Namespace = ""
			}
			if deny != "" {
				b.memory.Deny(deny)
			}
			item := b.run(t).Items[0]
			if len(item.Entries) != 1 || len(item.Entries[0].Loses) != 1 || item.Entries[0].Name != finalizer ||
				item.Entries[0].Type != finding.Finalizer {
				t.Errorf("%s without %q: %+v", target, deny, item.Entries)
			}
		}
	}
}

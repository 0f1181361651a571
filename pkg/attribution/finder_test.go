package attribution

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

var now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// stuck is a Terminating object, as the tests of this file tell them apart.
type stuck struct {
	kind, namespace, name, finalizer string
	managers                         []string // who hold the finalizer
	unsure                           bool     // what refuses its removal is unread
	writers                          []string // who wrote its status
	spec, labels                     string   // in YAML, if it has some
}

func (s stuck) resource() cluster.Resource {
	switch s.kind {
	case "ConfigMap":
		return cluster.Resource{
			GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, Kind: s.kind,
			Namespaced: true,
		}
	case "PersistentVolumeClaim":
		return cluster.Resource{
			GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumeclaims"},
			Kind:                 s.kind, Namespaced: true,
		}
	case "Parcel":
		return cluster.Resource{
			GroupVersionResource: schema.GroupVersionResource{Group: "post.acme.dev", Version: "v1", Resource: "parcels"},
			Kind:                 s.kind, Namespaced: true,
		}
	case "DatabaseClass":
		return cluster.Resource{
			GroupVersionResource: schema.GroupVersionResource{
				Group: "shop.example.com", Version: "v1", Resource: "databaseclasses",
			},
			Kind: s.kind,
		}
	case "Challenge":
		return cluster.Resource{
			GroupVersionResource: schema.GroupVersionResource{
				Group: "acme.cert-manager.io", Version: "v1", Resource: "challenges",
			},
			Kind: s.kind, Namespaced: true,
		}
	case "CephObjectStore":
		return cluster.Resource{
			GroupVersionResource: schema.GroupVersionResource{
				Group: "ceph.rook.io", Version: "v1", Resource: "cephobjectstores",
			},
			Kind: s.kind, Namespaced: true,
		}
	}
	return cluster.Resource{
		GroupVersionResource: schema.GroupVersionResource{
			Group: "shop.example.com", Version: "v1", Resource: strings.ToLower(s.kind) + "s",
		},
		Kind: s.kind, Namespaced: true,
	}
}

func (s stuck) document() string {
	var managers []string
	for _, manager := range s.managers {
		managers = append(managers,
			fmt.Sprintf(`{manager: %s, operation: Update, apiVersion: v1, time: "2026-06-01T12:00:00Z", `+
				`fieldsType: FieldsV1, fieldsV1: {"f:metadata": {"f:finalizers": {'v:"%s"': {}}}}}`, manager, s.finalizer))
	}
	for _, writer := range s.writers {
		managers = append(managers, fmt.Sprintf(`{manager: %s, operation: Update, apiVersion: v1, subresource: status, `+
			`time: "2026-06-01T11:00:00Z", fieldsType: FieldsV1, fieldsV1: {"f:status": {"f:phase": {}}}}`, writer))
	}
	spec := s.spec
	if spec == "" {
		spec = "{}"
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {namespace: %s, name: %s, uid: %s-%s-%s, "+
		"deletionTimestamp: %q, finalizers: [%q], managedFields: [%s], labels: {%s}}\nspec: %s\n",
		s.resource().APIVersion(), s.kind, s.namespace, s.name, s.kind, s.namespace, s.name,
		now.Add(-time.Hour).Format(time.RFC3339), s.finalizer, strings.Join(managers, ", "), s.labels, spec)
}

// shop is a cluster in which several programs may be a Database's controller, by what is known about each.
const shop = `
apiVersion: v1
kind: ServiceAccount
metadata: {namespace: shop-system, name: shop-operator}
---
apiVersion: v1
kind: ServiceAccount
metadata: {namespace: cd, name: deployer}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shop}
rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: [get, list, watch, update, patch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: shop}
roleRef: {kind: ClusterRole, name: shop}
subjects: [{kind: ServiceAccount, namespace: shop-system, name: shop-operator},
  {kind: ServiceAccount, namespace: going, name: second}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {namespace: ruled, name: shop}
roleRef: {kind: ClusterRole, name: shop}
subjects: [{kind: ServiceAccount, namespace: cd, name: deployer}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {namespace: ruled-alike, name: shop}
roleRef: {kind: ClusterRole, name: shop}
subjects: [{kind: ServiceAccount, namespace: cd, name: deployer}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {namespace: people, name: shop}
roleRef: {kind: ClusterRole, name: reads}
subjects: [{kind: User, name: ann}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reads}
rules: [{apiGroups: [shop.example.com], resources: [databases], verbs: [get]}]
---
apiVersion: v1
kind: Namespace
metadata: {name: going, uid: going, deletionTimestamp: "2026-07-01T11:00:00Z"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: own, name: rook-ceph-operator, uid: rook}
spec: {replicas: 0, template: {spec: {serviceAccountName: rook-ceph-system}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: rook-ceph, name: rook-ceph-operator, uid: rook-usual}
spec: {replicas: 1, template: {spec: {serviceAccountName: rook-ceph-system}}}
`

// finderOf returns a Finder that reads a cluster in memory.
func finderOf(reader cluster.Reader, known *plugins.Set) *Finder {
	reads := session.New(reader, session.Kubectl{})
	reads.Pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() } // nothing changes meanwhile
	return NewFinder(reads, health.NewChecker(reads), known)
}

func shopFinder(t *testing.T, objects ...stuck) (*Finder, *clustertest.Memory) {
	t.Helper()
	documents := []string{shop}
	for _, object := range objects {
		documents = append(documents, object.document())
	}
	memory, err := clustertest.New(now, strings.Join(documents, "\n---\n"))
	if err != nil {
		t.Fatal(err)
	}
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return finderOf(memory, known), memory
}

// told is the answer about an object, in words.
func told(t *testing.T, f *Finder, one stuck) string {
	t.Helper()
	meta, err := f.Session.Reader.Metadata(t.Context(), one.resource(), one.namespace, one.name)
	if err != nil {
		t.Fatal(err)
	}
	object, hold := session.FromMetadata(one.resource(), meta), finding.Hold{Type: finding.Finalizer, Name: one.finalizer}
	var answer session.Answer
	if known, found := f.Plugins.Find(one.finalizer, one.resource().GroupKind().String()); found {
		answer = f.AttributeKnown(t.Context(), object, hold, known, finding.Finding{Situation: "KnownFinalizer"}, Declared{})
	} else {
		refused := RefusalsDecided
		if one.unsure {
			refused = RefusalsUnread
		}
		answer = f.Attribute(t.Context(), object, hold, refused)
	}
	for _, wait := range answer.Waits {
		answer.Causes = append(answer.Causes, wait.Otherwise.Causes...)
	}
	var words strings.Builder
	voice := finding.Voice{Now: now}
	for _, cause := range answer.Causes {
		fmt.Fprintf(&words, "%s %s %s\n%s\n%s\n%s\n%+v\n%v\n", cause.Reason, cause.Object, cause.Certainty,
			voice.Message(cause), voice.Awaits(cause), cause.Key, remediesOf(voice, cause), cause.Candidates)
		for _, evidence := range cause.Evidence {
			fmt.Fprintf(&words, "%s: %s\n", evidence.Source, evidence.Observed)
		}
	}
	for _, note := range slices.Concat(answer.Progress, answer.Open, answer.Remarks) {
		fmt.Fprintf(&words, "%s %v %v\n", voice.Message(note), note.Evidence, remediesOf(voice, note))
	}
	return words.String()
}

// remediesOf are the remedies of a finding as people are told them.
func remediesOf(voice finding.Voice, cause finding.Finding) (told []string) {
	for _, remedy := range voice.Remedies(cause.Remedies) {
		told = append(told, fmt.Sprint(remedy.Action, remedy.Command, remedy.Risk, remedy.Loses))
	}
	return told
}

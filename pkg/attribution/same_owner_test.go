package attribution

import (
	"strings"
	"testing"
)

// company is a cluster in which the API groups of two operators have an owner in common. One is scaled to zero, and no
// pod leads of the other. A third operator runs, and has no rights.
const company = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: queue-operator}
rules: [{apiGroups: [queue.acme.dev], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: queue-operator}
roleRef: {kind: ClusterRole, name: queue-operator}
subjects: [{kind: ServiceAccount, namespace: acme-queue, name: queue-operator}]
---
apiVersion: v1
kind: ServiceAccount
metadata: {namespace: acme-queue, name: queue-operator}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: acme-queue, name: queue-operator, uid: queue}
spec: {replicas: 0, selector: {matchLabels: {app: q}}, template: {spec: {serviceAccountName: queue-operator}}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: mail-operator}
rules: [{apiGroups: [mail.acme.dev], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: mail-operator}
roleRef: {kind: ClusterRole, name: mail-operator}
subjects: [{kind: ServiceAccount, namespace: acme-mail, name: mail-operator}]
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {namespace: acme-mail, name: mail-operator, uid: lease}
spec: {holderIdentity: mail-operator-1, renewTime: "2026-06-01T12:00:00.000000Z", leaseDurationSeconds: 15}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: acme-mail, name: mail-operator, uid: mail}
spec: {replicas: 1, selector: {matchLabels: {app: m}}, template: {spec: {serviceAccountName: mail-operator}}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {namespace: post, name: post-operator}
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: post, name: post-operator, uid: post}
spec: {replicas: 1, selector: {matchLabels: {app: p}}, template: {spec: {serviceAccountName: post-operator}}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: post, name: post-operator-1, uid: pod, labels: {app: p}}
spec: {serviceAccountName: post-operator, containers: [{name: main, image: x}]}
status:
  phase: Running
  conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-06-01T12:00:00Z"}]
`

// TestSameOwner asks about finalizers that have only an owner's domain in common with the cluster's
// operators. That alone blames none of them.
func TestSameOwner(t *testing.T) {
	for name, c := range map[string]struct {
		held stuck
		want []string
	}{
		"the owner's domain":       {stuck{kind: "ConfigMap", finalizer: "acme.dev/keep"}, []string{"ControllerUnknown"}},
		"another project's domain": {stuck{kind: "ConfigMap", finalizer: "ci.acme.dev/keep"}, []string{"ControllerUnknown"}},
		"the project's own domain": {
			stuck{kind: "ConfigMap", finalizer: "queue.acme.dev/keep"},
			[]string{"ControllerDown", "acme-queue/queue-operator"},
		},
		"the owner's domain, set by one of them": {
			stuck{kind: "ConfigMap", finalizer: "acme.dev/keep", managers: []string{"queue-operator"}},
			[]string{"ControllerDown", "acme-queue/queue-operator"},
		},
		"a custom kind without an operator": {
			stuck{kind: "Parcel", finalizer: "post.acme.dev/keep"}, []string{"ControllerMissing"},
		},
		"a custom kind whose operator lost its role": {
			stuck{kind: "Parcel", finalizer: "post.acme.dev/keep", managers: []string{"post-operator"}},
			[]string{"ControllerForbidden", "post/post-operator"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.held.namespace, c.held.name = "a", "x"
			got := toldIn(t, company, c.held)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is missing in\n%s", want, got)
				}
			}
		})
	}
}

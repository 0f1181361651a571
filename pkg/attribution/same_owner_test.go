package attribution

import (
	"fmt"
	"strings"
	"testing"
)

// company is a cluster in which the API groups of two operators have an owner in common. One is scaled to zero, and no
// pod leads of the other. A third operator runs, and has no rights.
func company() string {
	const lease = `
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {namespace: acme-mail, name: mail-operator, uid: lease}
spec: {holderIdentity: mail-operator-1, renewTime: "2026-06-01T12:00:00.000000Z", leaseDurationSeconds: 15}
`
	const post = `
apiVersion: v1
kind: Pod
metadata: {namespace: post, name: post-operator-1, uid: pod, labels: {app: post-operator}}
spec: {serviceAccountName: post-operator, containers: [{name: main, image: x}]}
status:
  phase: Running
  conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-06-01T12:00:00Z"}]
`
	return strings.Join([]string{
		rightsOn("queue.acme.dev", "acme-queue", "queue-operator"), accountIn("acme-queue", "queue-operator"),
		operatorOf("acme-queue", "queue-operator", 0), rightsOn("mail.acme.dev", "acme-mail", "mail-operator"), lease,
		operatorOf("acme-mail", "mail-operator", 1), accountIn("post", "post-operator"),
		operatorOf("post", "post-operator", 1), post,
	}, "---")
}

// rightsOn lets a ServiceAccount do everything in an API group.
func rightsOn(group, namespace, name string) string {
	return fmt.Sprintf(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: %[3]s}
rules: [{apiGroups: [%[1]s], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: %[3]s}
roleRef: {kind: ClusterRole, name: %[3]s}
subjects: [{kind: ServiceAccount, namespace: %[2]s, name: %[3]s}]
`, group, namespace, name)
}

func accountIn(namespace, name string) string {
	return fmt.Sprintf("\napiVersion: v1\nkind: ServiceAccount\nmetadata: {namespace: %s, name: %s}\n", namespace, name)
}

// operatorOf is a Deployment that runs as the ServiceAccount of its name.
func operatorOf(namespace, name string, replicas int) string {
	return fmt.Sprintf(`
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: %[1]s, name: %[2]s, uid: %[2]s}
spec: {replicas: %[3]d, selector: {matchLabels: {app: %[2]s}}, template: {spec: {serviceAccountName: %[2]s}}}
`, namespace, name, replicas)
}

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
		"a custom kind whose operator has no role, and is known by nothing but its name": {
			stuck{kind: "Parcel", finalizer: "post.acme.dev/keep"},
			[]string{"ControllerForbidden", "Likely", "no role is bound to ServiceAccount post/post-operator"},
		},
		"a custom kind whose operator lost its role": {
			stuck{kind: "Parcel", finalizer: "post.acme.dev/keep", managers: []string{"post-operator"}},
			[]string{"ControllerForbidden", "post/post-operator"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.held.namespace, c.held.name = "a", "x"
			got := toldIn(t, company(), c.held)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is missing in\n%s", want, got)
				}
			}
		})
	}
}

// sibling is a cluster in which one operator of an owner is left, with a Lease that is named after the owner.
const sibling = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: logistics}
rules: [{apiGroups: [logistics.acme.dev], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: logistics}
roleRef: {kind: ClusterRole, name: logistics}
subjects: [{kind: ServiceAccount, namespace: acme, name: NAME}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: acme, name: NAME, uid: logistics}
spec: {replicas: 1, selector: {matchLabels: {app: l}}, template: {spec: {serviceAccountName: NAME}}}
---
apiVersion: v1
kind: Pod
metadata: {namespace: acme, name: NAME-1, uid: pod, labels: {app: l}}
spec: {serviceAccountName: NAME, containers: [{name: main, image: x}]}
status:
  phase: Running
  conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-06-01T12:00:00Z"}]
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {namespace: acme, name: acme-leader, uid: lease}
spec: {holderIdentity: NAME-1_2, renewTime: "2026-07-01T11:59:59.000000Z", leaseDurationSeconds: 15}
`

// TestSibling asks about a finalizer that one program of an owner has set while another one is left: by the names of
// both, that is not the same.
func TestSibling(t *testing.T) {
	for name, c := range map[string]struct{ left, setter, want string }{
		"of another task":     {"acme-logistics-operator", "acme-post-operator", "ControllerMissing"},
		"of the same task":    {"acme-post-controller", "acme-post-operator", "ControllerForbidden"},
		"of the owner's name": {"acme-operator", "acme-post-operator", "ControllerForbidden"},
	} {
		t.Run(name, func(t *testing.T) {
			held := stuck{
				kind: "Parcel", finalizer: "post.acme.dev/keep", namespace: "a", name: "x", managers: []string{c.setter},
			}
			if got := toldIn(t, strings.ReplaceAll(sibling, "NAME", c.left), held); !strings.Contains(got, c.want) {
				t.Errorf("want %s:\n%s", c.want, got)
			}
		})
	}
}

// TestYoungOperator asks about a kind whose operator is known by nothing but its name, and has no role. One that was
// created while the roles were read may have got its role with it.
func TestYoungOperator(t *testing.T) {
	held := stuck{kind: "Parcel", namespace: "a", name: "x", finalizer: "post.acme.dev/keep"}
	for created, forbidden := range map[string]bool{"2026-07-01T11:59:59Z": true, "2026-07-01T12:00:00Z": false} {
		state := strings.Replace(company(), "name: post-operator, uid: post-operator",
			"name: post-operator, uid: post-operator, creationTimestamp: "+created, 1)
		if got := toldIn(t, state, held); strings.Contains(got, "ControllerForbidden") != forbidden {
			t.Errorf("created at %s, ControllerForbidden is wanted: %v, in\n%s", created, forbidden, got)
		}
	}
}

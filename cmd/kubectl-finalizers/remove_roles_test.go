package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// roleClass is a removal with exactly the roles of docs/rbac.
type roleClass struct {
	name  string
	steps string
	args  []string
	right string // that is missing with the role for readers alone
	write string
	code  int
}

const rolesBackground = `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: by-role}
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRoleBinding
    metadata: {name: by-role-readers}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: kubectl-finalizers-reader}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: by-role-reader},
      {apiGroup: rbac.authorization.k8s.io, kind: User, name: by-role-remover}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRoleBinding
    metadata: {name: by-role-removers}
    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: kubectl-finalizers-remover}
    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: by-role-remover}]
- until: {object: clusterrole/kubectl-finalizers-reader,
    path: '{.rules[?(@.apiGroups[0]=="shop.example.com")].verbs[0]}'}
`

func roleClasses() []roleClass {
	deployment := func(name, cascade, finalizer string) string {
		return fmt.Sprintf(`
- apply: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: %[1]s, namespace: by-role, finalizers: [example.com/stays]}
    spec: {replicas: 0, selector: {matchLabels: {app: %[1]s}},
      template: {metadata: {labels: {app: %[1]s}}, spec: {containers: [{name: main, image: none}]}}}
- apply: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: %[1]s-child, namespace: by-role, finalizers: [example.com/hold],
      ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: %[1]s, uid: '${uid:deployment/%[1]s}',
      blockOwnerDeletion: true}]}
- delete: {object: deployment/%[1]s, namespace: by-role, cascade: %[2]s}
%[3]s`, name, cascade, finalizer)
	}
	return []roleClass{{
		name: "custom resource",
		steps: `
- apply: |
    apiVersion: shop.example.com/v1
    kind: Database
    metadata: {name: orders, namespace: by-role, finalizers: [shop.example.com/cleanup]}
- delete: {object: databases.shop.example.com/orders, namespace: by-role}
`,
		args:  []string{"databases.shop.example.com/orders", "-n", "by-role", "--finalizer", "shop.example.com/cleanup"},
		right: "patch databases.shop.example.com in namespace by-role",
		write: "patch /apis/shop.example.com/v1/namespaces/by-role/databases/orders",
	}, {
		name: "claim",
		steps: `
- apply: |
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: {name: data, namespace: by-role, finalizers: [example.com/hold]}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
- delete: {object: pvc/data, namespace: by-role}
- until: {object: pvc/data, namespace: by-role, path: '{.metadata.finalizers}', is: '["example.com/hold"]'}
`,
		args:  []string{"pvc/data", "-n", "by-role", "--finalizer", "example.com/hold"},
		right: "patch persistentvolumeclaims in namespace by-role",
		write: "patch /api/v1/namespaces/by-role/persistentvolumeclaims/data",
	}, {
		name: "pod",
		steps: `
- apply: |
    apiVersion: v1
    kind: Pod
    metadata: {name: web, namespace: by-role, finalizers: [example.com/hold]}
    spec: {containers: [{name: main, image: none}]}
- delete: {object: pod/web, namespace: by-role, graceSeconds: 0}
- until: {object: pod/web, namespace: by-role, path: '{.status.phase}', is: Failed}
`,
		args:  []string{"pod/web", "-n", "by-role", "--finalizer", "example.com/hold"},
		right: "patch pods in namespace by-role",
		write: "patch /api/v1/namespaces/by-role/pods/web",
	}, {
		name: "foreground deletion",
		steps: deployment("front", "foreground",
			"- until: {object: configmap/front-child, namespace: by-role, path: '{.metadata.deletionTimestamp}'}"),
		args: []string{"deployment/front", "-n", "by-role", "--finalizer", "foregroundDeletion", "--override",
			"ControllerUnknown", "--timeout", "1s"},
		// held by the other entry
		right: "delete deployments.apps in namespace by-role",
		write: "delete /apis/apps/v1/namespaces/by-role/deployments/front", code: 5,
	}, {
		name: "definition",
		steps: `
- apply: |
    apiVersion: shop.example.com/v1
    kind: Database
    metadata: {name: last, namespace: by-role, finalizers: [shop.example.com/cleanup]}
- delete: {object: crd/databases.shop.example.com}
- until: {object: databases.shop.example.com/last, namespace: by-role, path: '{.metadata.deletionTimestamp}'}
`,
		args: []string{"crd/databases.shop.example.com", "--finalizer", "customresourcecleanup.apiextensions.k8s.io",
			"--override", "ControllerMissing"},
		right: "patch customresourcedefinitions.apiextensions.k8s.io",
		write: "patch /apis/apiextensions.k8s.io/v1/customresourcedefinitions/databases.shop.example.com",
	}, {
		name: "namespace, with kube-controller-manager down",
		steps: `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: by-role-listed}
- controllerManager: pause
- patch: {object: lease/kube-controller-manager, namespace: kube-system, merge: {spec: {leaseDurationSeconds: 15}}}
- until: {object: lease/kube-controller-manager, namespace: kube-system, leaseStale: true}
- delete: {object: ns/by-role-listed}
`,
		args:  []string{"ns/by-role-listed", "--finalizer", "kubernetes", "--override", "ControlPlaneDown"},
		right: "update namespaces/finalize",
		write: "update /api/v1/namespaces/by-role-listed/finalize",
	}, {
		name: "orphaning deletion", steps: deployment("orphaning", "orphan", ""),
		args: []string{"deployment/orphaning", "-n", "by-role", "--finalizer", "orphan", "--override", "ControlPlaneDown",
			"--timeout", "1s"},
		right: "delete deployments.apps in namespace by-role",
		write: "delete /apis/apps/v1/namespaces/by-role/deployments/orphaning", code: 5,
	}}
}

// testRoles removes one of each sort with exactly the roles of docs/rbac, and with the reader's alone learns
// which right is missing.
func testRoles(t *testing.T, plane *controlplane.ControlPlane) {
	resumeAfter(t, plane)
	var steps strings.Builder
	for _, file := range []string{"reader.yaml", "reader-secrets.yaml", "custom-resources.yaml", "remover.yaml"} {
		data, err := os.ReadFile("../../docs/rbac/" + file)
		if err != nil {
			t.Fatal(err)
		}
		steps.WriteString("- apply: |\n    " + strings.ReplaceAll(string(data), "\n", "\n    ") + "\n")
	}
	mustBreak(t, plane,
		definition("databases.shop.example.com", "Database", "Namespaced")+steps.String()+rolesBackground)
	reader, remover := newLab(t, plane, "by-role-reader"), newLab(t, plane, "by-role-remover")
	for _, c := range roleClasses() {
		t.Run(c.name, func(t *testing.T) {
			mustBreak(t, plane, c.steps)
			refused := reader.remove(t, append(slices.Clone(c.args), "--force")...)
			if text := fmt.Sprintf("%+v", refused.report.Guards); refused.code != 5 || !strings.Contains(text,
				"the right to "+c.right+", or") {
				t.Errorf("it doesn't name the right to %s (%d):\n%s", c.right, refused.code, text)
			}
			if writes := reader.writes(t); len(writes) > 0 {
				t.Errorf("a reader wrote %q", writes)
			}
			done := remover.confirmed(t, c.args...)
			if want := map[int]result.RemovalOutcome{0: result.Gone, 5: result.StillHeld}[c.code]; done.code != c.code ||
				done.report.Outcome != want {
				t.Errorf("%s with %d, want %s with %d:\n%s%s", done.report.Outcome, done.code, want, c.code, done.stdout,
					done.stderr)
			}
			if writes := remover.writes(t); !slices.Equal(writes, []string{c.write}) {
				t.Errorf("it wrote %q, want %q", writes, c.write)
			}
		})
	}
}

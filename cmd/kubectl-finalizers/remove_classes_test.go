package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// removalClass is a removal of one sort: what is broken, what is asked for, and what must come of it.
type removalClass struct {
	name   string
	steps  string
	args   []string
	writes []string // exactly these
	gone   []string // RESOURCE NAMESPACE/NAME
	stays  []string
	says   []string // in the plan
	code   int
}

func removalClasses() []removalClass {
	return []removalClass{{
		name: "custom finalizer that stands twice",
		steps: `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: twice}
    ---
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: databases.twice.example.com}
    spec:
      group: twice.example.com
      scope: Namespaced
      names: {plural: databases, singular: database, kind: Database}
      versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
- apply: |
    apiVersion: twice.example.com/v1
    kind: Database
    metadata: {name: one, namespace: twice, finalizers: [twice, twice]}
    ---
    apiVersion: twice.example.com/v1
    kind: Database
    metadata: {name: sibling, namespace: twice, finalizers: [twice]}
- delete: {object: databases.twice.example.com/one, namespace: twice}
- delete: {object: databases.twice.example.com/sibling, namespace: twice}
`,
		args:   []string{"databases.twice.example.com/one", "-n", "twice", "--finalizer", "twice"},
		writes: []string{"patch /apis/twice.example.com/v1/namespaces/twice/databases/one"},
		gone:   []string{"databases.twice.example.com twice/one"},
		stays:  []string{"databases.twice.example.com twice/sibling"},
	}, {
		name: "definition of custom resources",
		steps: `
- apply: |
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: things.crd.example.com}
    spec:
      group: crd.example.com
      scope: Cluster
      names: {plural: things, singular: thing, kind: Thing}
      versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
- apply: |
    apiVersion: crd.example.com/v1
    kind: Thing
    metadata: {name: held, finalizers: [crd.example.com/hold]}
- delete: {object: crd/things.crd.example.com}
- until: {object: things.crd.example.com/held, path: '{.metadata.deletionTimestamp}'}
`,
		args: []string{"crd/things.crd.example.com", "--finalizer", "customresourcecleanup.apiextensions.k8s.io",
			"--override", "ControllerMissing"},
		writes: []string{"patch /apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.crd.example.com"},
		gone:   []string{"customresourcedefinitions.apiextensions.k8s.io /things.crd.example.com"},
		says:   []string{"Its instances (1 found) stay in storage", "come back"},
	}, {
		name: "pod with grace left",
		steps: `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: graceful}
- deadNode: graceful-node
- apply: |
    apiVersion: v1
    kind: Pod
    metadata: {name: web, namespace: graceful, finalizers: [example.com/hold]}
    spec: {nodeName: graceful-node, terminationGracePeriodSeconds: 3600, containers: [{name: main, image: none}]}
- delete: {object: pod/web, namespace: graceful}
`,
		args:   []string{"pod/web", "-n", "graceful", "--finalizer", "example.com/hold", "--timeout", "1s"},
		writes: []string{"patch /api/v1/namespaces/graceful/pods/web"},
		stays:  []string{"pods graceful/web"}, says: []string{"This does not remove the pod: 3600s of its grace period"},
		code: 5,
	}, {
		name: "pod without grace",
		steps: `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: graceless}
    ---
    apiVersion: v1
    kind: Pod
    metadata: {name: web, namespace: graceless, finalizers: [example.com/hold, example.com/other]}
    spec: {containers: [{name: main, image: none}]}
- delete: {object: pod/web, namespace: graceless, graceSeconds: 0}
- until: {object: pod/web, namespace: graceless, path: '{.status.phase}', is: Failed} # pod GC has been there
`,
		args:   []string{"pod/web", "-n", "graceless", "--finalizer", "example.com/hold", "--finalizer", "example.com/other"},
		writes: []string{"patch /api/v1/namespaces/graceless/pods/web"}, gone: []string{"pods graceless/web"},
	}, {
		name: "namespace whose own list holds it, with kube-controller-manager down",
		steps: `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: listed, labels: {kept: "yes"}}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: inside, namespace: listed}
- until: {object: configmap/kube-root-ca.crt, namespace: listed, path: '{.metadata.uid}'}
- controllerManager: pause
- until: {object: lease/kube-controller-manager, namespace: kube-system, leaseStale: true}
- delete: {object: ns/listed}
`,
		args:   []string{"ns/listed", "--finalizer", "kubernetes", "--override", "ControlPlaneDown"},
		writes: []string{"update /api/v1/namespaces/listed/finalize"}, gone: []string{"namespaces /listed"},
		stays: []string{"configmaps listed/inside"}, says: []string{"It is not empty", "configmaps (2)"},
	}, {
		name: "foreground deletion, while nobody collects",
		steps: `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: foreground}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: owner, namespace: foreground}
- apply: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: child, namespace: foreground, finalizers: [example.com/hold], ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: '${uid:configmap/owner}', blockOwnerDeletion: true}]}
- delete: {object: configmap/owner, namespace: foreground, cascade: foreground}
`,
		args: []string{"cm/owner", "-n", "foreground", "--finalizer", "foregroundDeletion", "--override",
			"ControlPlaneDown"},
		writes: []string{"patch /api/v1/namespaces/foreground/configmaps/owner"},
		gone:   []string{"configmaps foreground/owner"}, stays: []string{"configmaps foreground/child"},
		says: []string{"1 object that has ConfigMap foreground/owner as its owner", "the supported way"},
	}, {
		name: "foreground deletion of something that is held by another entry, too",
		steps: `
- apply: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: both, namespace: foreground, finalizers: [example.com/stays]}
- delete: {object: configmap/both, namespace: foreground, cascade: foreground}
`,
		args: []string{"cm/both", "-n", "foreground", "--finalizer", "foregroundDeletion", "--override", "ControlPlaneDown",
			"--timeout", "1s"},
		writes: []string{"delete /api/v1/namespaces/foreground/configmaps/both"},
		stays:  []string{"configmaps foreground/both"}, code: 5,
	}, {
		name: "orphaning deletion, while nobody collects",
		steps: `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: orphaned}
    ---
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: owner, namespace: orphaned}
- apply: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: child, namespace: orphaned, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: '${uid:configmap/owner}'}]}
- delete: {object: configmap/owner, namespace: orphaned, cascade: orphan}
`,
		args:   []string{"cm/owner", "-n", "orphaned", "--finalizer", "orphan", "--override", "ControlPlaneDown"},
		writes: []string{"patch /api/v1/namespaces/orphaned/configmaps/owner"},
		gone:   []string{"configmaps orphaned/owner"}, stays: []string{"configmaps orphaned/child"},
		says: []string{"will be DELETED"},
	}}
}

// testClasses removes one of each sort: exactly the planned writes, what was asked for is gone, and what is beside it
// is untouched.
func testClasses(t *testing.T, plane *controlplane.ControlPlane) {
	l := newLab(t, plane, "remove-classes", controlplane.ClusterAdmins)
	resumeAfter(t, plane)
	for _, c := range removalClasses() {
		t.Run(c.name, func(t *testing.T) {
			mustBreak(t, plane, c.steps)
			before := versions(t, plane, c.stays)
			plan := l.remove(t, c.args...)
			told := fmt.Sprintf("%+v", plan.report.Items)
			for _, text := range c.says {
				if !strings.Contains(told, text) {
					t.Errorf("the plan doesn't say %q: %s", text, told)
				}
			}
			done := l.confirmed(t, c.args...)
			if done.code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", done.code, c.code, done.stdout, done.stderr)
			}
			if writes := l.writes(t); !slices.Equal(writes, c.writes) {
				t.Errorf("it wrote %q, want %q", writes, c.writes)
			}
			for _, name := range c.gone {
				if version := versions(t, plane, []string{name}); version[0] != "" {
					t.Errorf("%s is still there", name)
				}
			}
			after := versions(t, plane, c.stays)
			for i, name := range c.stays {
				touched := after[i] != before[i] && c.code == 0
				if after[i] == "" || touched {
					t.Errorf("%s was touched: %q to %q", name, before[i], after[i])
				}
			}
			checkBackup(t, done.report)
		})
	}
}

// resumeAfter lets kube-controller-manager run again when the test is over.
func resumeAfter(t *testing.T, plane *controlplane.ControlPlane) {
	t.Helper()
	t.Cleanup(func() {
		if err := plane.ResumeControllerManager(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
}

func versions(t *testing.T, plane *controlplane.ControlPlane, names []string) []string {
	t.Helper()
	var versions []string
	for _, name := range names {
		resource, path, _ := strings.Cut(name, " ")
		namespace, name, _ := strings.Cut(path, "/")
		version := ""
		if found := object(t, plane, resource, namespace, name); found != nil {
			version = found.GetResourceVersion()
		}
		versions = append(versions, version)
	}
	return versions
}

func checkBackup(t *testing.T, done report.RemovalReport) {
	t.Helper()
	for _, item := range done.Items {
		if item.Backup == nil {
			t.Errorf("%s was not saved", item.Target)
			continue
		}
		info, err := os.Stat(item.Backup.Path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the backup %s: %v, %v", item.Backup.Path, info, err)
		}
		content, err := os.ReadFile(item.Backup.Path)
		if err != nil || !strings.Contains(string(content), item.Target.UID) {
			t.Errorf("the backup doesn't hold the object: %v\n%s", err, content)
		}
	}
}

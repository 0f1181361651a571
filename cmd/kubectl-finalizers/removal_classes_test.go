package main

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
		steps: definition("databases.twice.example.com", "Database", "Namespaced") + `
- apply: |
    apiVersion: v1
    kind: Namespace
    metadata: {name: twice}
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
		steps: definition("things.crd.example.com", "Thing", "Cluster") + `
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
		says:   []string{"(1 found) stay in storage", "come back"},
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
- patch: {object: lease/kube-controller-manager, namespace: kube-system, merge: {spec: {leaseDurationSeconds: 15}}}
- until: {object: lease/kube-controller-manager, namespace: kube-system, leaseStale: true}
- delete: {object: ns/listed}
`,
		args:   []string{"ns/listed", "--finalizer", "kubernetes", "--override", "ControlPlaneDown"},
		writes: []string{"update /api/v1/namespaces/listed/finalize"}, gone: []string{"namespaces /listed"},
		stays: []string{"configmaps listed/inside"}, says: []string{"Namespace listed is not empty", "configmaps (2)"},
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
    metadata: {name: child, namespace: foreground, finalizers: [example.com/hold],
      ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: '${uid:configmap/owner}',
      blockOwnerDeletion: true}]}
- delete: {object: configmap/owner, namespace: foreground, cascade: foreground}
`,
		args: []string{"cm/owner", "-n", "foreground", "--finalizer", "foregroundDeletion", "--override",
			"ControlPlaneDown"},
		writes: []string{"patch /api/v1/namespaces/foreground/configmaps/owner"},
		gone:   []string{"configmaps foreground/owner"}, stays: []string{"configmaps foreground/child"},
		says: []string{"ConfigMap foreground/child, a dependent of ConfigMap foreground/owner", "the supported way"},
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
    metadata: {name: child, namespace: orphaned,
      ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: '${uid:configmap/owner}'}]}
- delete: {object: configmap/owner, namespace: orphaned, cascade: orphan}
`,
		args:   []string{"cm/owner", "-n", "orphaned", "--finalizer", "orphan", "--override", "ControlPlaneDown"},
		writes: []string{"patch /api/v1/namespaces/orphaned/configmaps/owner"},
		gone:   []string{"configmaps orphaned/owner"}, stays: []string{"configmaps orphaned/child"},
		says: []string{"will be DELETED"},
	}}
}

// testClasses removes one of each sort: exactly the planned writes, what was asked for is gone, and what is beside it

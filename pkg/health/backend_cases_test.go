package health

import (
	"strings"
)

const (
	webService = `
apiVersion: v1
kind: Service
metadata: {namespace: ext, name: web, uid: service-web}
spec: {type: ClusterIP, selector: {app: web}, ports: [{name: https, port: 443, targetPort: 8443}]}
`
	byHand = `
apiVersion: v1
kind: Service
metadata: {namespace: ext, name: web, uid: service-web}
spec: {type: ClusterIP, ports: [{port: 443}]}
`
	extNamespace = `
apiVersion: v1
kind: Namespace
metadata: {name: ext, uid: namespace-ext}
`
	smallQuota = `
apiVersion: v1
kind: ResourceQuota
metadata: {namespace: ext, name: small, uid: quota-small}
`
	notReadySlice = `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {namespace: ext, name: web-1, labels: {kubernetes.io/service-name: web}}
ports: [{name: https, port: 8443}]
endpoints: [{addresses: [10.0.0.1], conditions: {ready: false}}]
`
	webDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {namespace: ext, name: web, uid: deployment-web}
spec: {replicas: 0, template: {metadata: {labels: {app: web, more: "yes"}}}}
`
)

func webPod(meta, spec, status string) string {
	return "\napiVersion: v1\nkind: Pod\nmetadata: {namespace: ext, name: web-x, uid: pod-web-x, labels: {app: web}" +
		meta + "}\nspec: {" + spec + "}\nstatus: {" + status + "}\n"
}

type backendCase struct {
	name     string
	objects  []string
	port     int32
	deny     string
	state    backendState
	words    string
	workload string
	remedy   string
}

func backendCases() []backendCase {
	onNode := "nodeName: n1"
	readyNode := `
apiVersion: v1
kind: Node
metadata: {name: n1, uid: node-n1}
status: {conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}]}
`
	owned := ", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: replicaset-web-1, " +
		"controller: true}]"
	replicaSet := `
apiVersion: apps/v1
kind: ReplicaSet
metadata: {namespace: ext, name: web-1, uid: replicaset-web-1,
  ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: deployment-web, controller: true}]}
`
	return []backendCase{
		{
			name: "no Service", objects: []string{extNamespace}, state: BackendBroken,
			words: "is missing (Service ext/web does not exist)", remedy: "get deployments",
		},
		{
			name: "no namespace", state: BackendBroken,
			words: "is missing (Service ext/web and its Namespace don't exist)",
		},
		{
			name: "a Service that may not be read", objects: []string{webService}, deny: "services",
			state: BackendUnknown, words: "could not be checked, because Service ext/web could not be read (forbidden)",
		},
		{
			name: "a name outside the cluster",
			objects: []string{strings.Replace(webService, "type: ClusterIP",
				"type: ExternalName, externalName: x.example.com", 1)},
			state: BackendUnknown, words: "x.example.com, which is outside the cluster",
		},
		{
			name: "no such port", objects: []string{webService, extNamespace}, port: 8443, state: BackendBroken,
			words: "has no port 8443 (it has 443)", remedy: "edit services/web",
		},
		{
			name: "slices that may not be read", objects: []string{webService}, deny: "endpointslices",
			state: BackendUnknown, words: "the EndpointSlices of Service ext/web could not be read",
		},
		{
			name: "ready", objects: []string{webService, strings.Replace(notReadySlice, "false", "true", 1)},
			state: BackendUp, words: "is up",
		},
		{
			name:    "ready for lack of a condition",
			objects: []string{webService, strings.Replace(notReadySlice, "{ready: false}", "{}", 1)}, state: BackendUp,
		},
		{
			name: "ready for another port",
			objects: []string{
				webService, strings.Replace(strings.Replace(notReadySlice, "false", "true", 1), "https", "metrics", 1),
				extNamespace,
			},
			state: BackendBroken, words: "no workload in Namespace ext runs pods that Service ext/web selects",
			remedy: "-n ext get deployments,statefulsets,daemonsets,pods --show-labels",
		},
		{
			name: "by hand, ready",
			objects: []string{
				byHand, strings.Replace(strings.Replace(notReadySlice, "name: https, ", "", 1), "false", "true", 1),
			},
			state: BackendUp,
		},
		{
			name: "by hand, not ready", objects: []string{byHand, notReadySlice, extNamespace}, state: BackendBroken,
			words: "written by hand", remedy: "get endpointslices.discovery.k8s.io",
		},
		{
			name: "pods that may not be read", objects: []string{webService, extNamespace}, deny: "pods",
			state: BackendBroken, words: "the pods of Service ext/web, which would show why, could not be read",
		},
		{
			name: "workloads that may not be read", objects: []string{webService, extNamespace}, deny: "deployments",
			state: BackendBroken, words: "deployments.apps in Namespace ext, which would show why, could not be read",
		},
		{
			name: "scaled to nothing", objects: []string{webService, webDeployment, extNamespace}, state: BackendBroken,
			words: "has no ready endpoints, because Deployment ext/web is scaled to 0", workload: "Deployment ext/web",
			remedy: "kubectl -n ext scale deployments.apps/web --replicas=1",
		},
		{
			name:    "a workload for other pods",
			objects: []string{webService, strings.Replace(webDeployment, "app: web", "app: db", 1), extNamespace},
			state:   BackendBroken, words: "no workload in Namespace ext runs pods",
		},
		{
			name: "pods refused by a quota", state: BackendBroken,
			words:    "because Deployment ext/web can't create its pods: ResourceQuota ext/small does not allow them",
			workload: "Deployment ext/web", remedy: "-n ext describe resourcequota/small",
			objects: []string{
				webService,
				strings.Replace(webDeployment, "replicas: 0", "replicas: 1", 1) +
					"status: {conditions: [{type: ReplicaFailure, status: \"True\", message: \"exceeded quota: small\"}]}\n",
				extNamespace, smallQuota,
			},
		},
		{
			name:    "no pods yet",
			objects: []string{webService, strings.Replace(webDeployment, "replicas: 0", "replicas: 1", 1), extNamespace},
			state:   BackendBroken, words: "because Deployment ext/web has no pods",
		},
		{
			name: "crashing", state: BackendBroken,
			words:    `Pod ext/web-x is in CrashLoopBackOff (container "main", which last ended with code 3 (Error))`,
			workload: "Pod ext/web-x", remedy: "logs pods/web-x --all-containers --previous",
			objects: []string{
				webService, readyNode, replicaSet, webDeployment, extNamespace,
				webPod(owned, onNode,
					"phase: Running, containerStatuses: [{name: main, restartCount: 4, "+
						"state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 3, reason: Error}}}]"),
			},
		},
		{
			name: "image missing, a pod by itself", state: BackendBroken,
			words: `is in ImagePullBackOff (container "main")`, workload: "Pod ext/web-x",
			objects: []string{
				webService, readyNode, extNamespace,
				webPod("", onNode,
					"phase: Pending, containerStatuses: [{name: main, state: {waiting: {reason: ImagePullBackOff}}}]"),
			},
		},
		{
			name: "unschedulable", state: BackendBroken, words: "can't be scheduled: 0/1 nodes are available",
			objects: []string{
				webService, extNamespace,
				webPod("", "",
					"phase: Pending, conditions: [{type: PodScheduled, status: \"False\", reason: Unschedulable, "+
						"message: 0/1 nodes are available}]"),
			},
		},
		{
			name: "not scheduled yet", objects: []string{webService, extNamespace, webPod("", "", "phase: Pending")},
			state: BackendBroken, words: "has not been assigned to a node",
		},
		{
			name:    "on a node that is gone",
			objects: []string{webService, extNamespace, webPod("", onNode, "phase: Running")}, state: BackendBroken,
			words: "is on Node n1, which no longer exists",
		},
		{
			name: "on a dead node", state: BackendBroken, words: "is on Node n1, which has not been ready for",
			objects: []string{
				webService, strings.Replace(readyNode, `"True"`, `"Unknown"`, 1), extNamespace,
				webPod("", onNode, "phase: Running"),
			},
		},
		{
			name: "not ready", state: BackendBroken, words: "is not ready: containers with unready status: [main]",
			objects: []string{
				webService, readyNode, extNamespace,
				webPod("", onNode,
					"phase: Running, conditions: [{type: Ready, status: \"False\", message: \"containers with "+
						"unready status: [main]\"}]"),
			},
		},
		{
			name: "ready on another port",
			objects: []string{
				webService, readyNode, extNamespace,
				webPod("", onNode, "phase: Running, conditions: [{type: Ready, status: \"True\"}]"),
			},
			state: BackendBroken, words: "targetPort",
		},
		{
			name: "on its way out because it is scaled down", state: BackendBroken, words: "scaled to 0",
			workload: "Deployment ext/web",
			objects: []string{
				webService, readyNode, replicaSet, webDeployment, extNamespace,
				webPod(owned+", deletionTimestamp: \"2026-01-01T00:00:00Z\"", onNode, "phase: Running"),
			},
		},
		{
			name: "a pod by itself that was evicted", state: BackendBroken,
			words:    `because Pod ext/web-x was evicted ("The node was low on resource: memory")`,
			workload: "Pod ext/web-x", remedy: "get pods/web-x -o yaml",
			objects: []string{
				webService, extNamespace,
				webPod("", onNode, "phase: Failed, reason: Evicted, message: 'The node was low on resource: memory.'"),
			},
		},
		{
			name: "finished pods", objects: []string{webService, extNamespace, webPod("", onNode, "phase: Succeeded")},
			state: BackendBroken, words: "no workload in Namespace ext runs pods",
		},
	}
}

package diagnosis_test

import (
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"slices"
	"strings"
	"time"
)

// infra is a custom resource of one of the kinds that infra-operator should release.
func infra(kind, namespace, name string, ago time.Duration, meta, rest string) string {
	if meta != "" {
		meta = ", " + meta
	}
	return object("infra.example.net/v1", kind, namespace, name, deleted(ago, "infra.example.net/empty")+meta, rest)
}

// infraOperator removes the finalizers of infra.example.net, while it runs.
func infraOperator(replicas int) string {
	deployment := object("apps/v1", "Deployment", "infra-system", "infra-operator", "",
		fmt.Sprintf("spec: {replicas: %d, template: {spec: {serviceAccountName: infra-operator}}}", replicas))
	rights := strings.ReplaceAll(granted("infra-operator", mayWrite, "'*'", "infra-system/infra-operator"),
		"shop.example.com", "infra.example.net")
	running := ""
	if replicas > 0 {
		running = "---\n" +
			strings.NewReplacer("shop-operator", "infra-operator", "shop-system", "infra-system").Replace(
				operatorPod(podIsReady))
	}
	return deployment + "---\n" + rights + running
}

// belowCases are about what an object waits for itself whose controller runs: found by what binds objects to one
// another.
func belowCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	const minute, hour = time.Minute, time.Hour
	parent := func(meta, rest string) string {
		if meta != "" && !strings.Contains(rest, "status:") {
			rest = strings.TrimSpace(rest + "\n" + turning(20*time.Second))
		}
		return database(hour, meta, rest) + "---\n" +
			granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator) + "---\n" +
			operator(1, "") + "---\n" + operatorPod(podIsReady)
	}
	busy := "managedFields: [" + managed("shop-operator", 5*time.Second, worksOn) + "]"
	reads := func(group, resources string) string {
		return strings.ReplaceAll(
			granted("shop-reads", mayRead, resources, theOperator), "shop.example.com", group,
		)
	}
	readsInfra := reads("infra.example.net", "buckets")
	logs := func(meta, rest string) string { return infra("Bucket", "shop", "logs", 59*minute, meta, rest) }
	down, up := infraOperator(0), infraOperator(1)
	stuck := []string{"ControllerDown Deployment/infra-system/infra-operator"}
	silent := []string{"ControllerUnknown Database/shop/orders"}
	inStatus := func(text string) string { return "status: {" + text + "}" }
	found := []whyCase{{
		name: "below: owned", objects: []string{parent("", ""), logs(ownedBy("Database", "orders"), ""), down},
		notes: []string{
			"Database shop/orders probably waits for Bucket shop/logs", "shop-system/shop-operator, which runs",
			"its ownerReferences name Database shop/orders",
		},
	}, {
		name:    "below: owned, and the controller has just written to the object",
		objects: []string{parent(busy, ""), logs(ownedBy("Database", "orders"), ""), down, readsInfra},
	}, {
		name: "below: of its uid in a label, elsewhere",
		objects: []string{
			parent("", ""), infra("Bucket", "other", "logs", minute, "labels: {made-for: database-orders}", ""), down,
		},
		notes: []string{"made-for is the uid of Database shop/orders"},
	}, {
		name: "below: of its uid in an annotation, without a namespace",
		objects: []string{
			parent("", ""),
			infra("Zone", "", "logs", minute, "annotations: {shop.example.com/owner-uid: database-orders}", ""), down,
		},
	}, {
		name:    "below: named in a reference",
		objects: []string{parent("", "spec: {bucketRef: {name: logs}}"), logs("", ""), down},
		notes:   []string{"names Bucket shop/logs in spec.bucketRef"},
	}, {
		name: "below: named in a list of what was made, in another namespace",
		objects: []string{
			parent("",
				inStatus("resources: [{kind: Bucket, group: infra.example.net, name: other}, {kind: Bucket, "+
					"group: infra.example.net, name: logs, namespace: other}]")),
			infra("Bucket", "other", "logs", minute, "", ""), down,
		},
		notes: []string{"in status.resources[1]"},
	}, {
		name: "below: named in an inventory",
		objects: []string{
			parent("", inStatus("inventory: {entries: [{id: other_logs_infra.example.net_Bucket, v: v1}]}")),
			infra("Bucket", "other", "logs", minute, "", ""), down,
		},
	}, {
		name: "below: named by name", objects: []string{parent("", "spec: {primaryBucketName: logs}"), logs("", ""), down},
	}, {
		name:    "below: named in the status's words",
		objects: []string{parent("", inStatus("message: 'waiting for bucket \"logs\" to be deleted'")), logs("", ""), down},
		notes:   []string{"status.message:"},
	}, {
		name: "below: named in a condition, by kind and path",
		objects: []string{
			parent("",
				inStatus(`conditions: [{type: Deleting, status: "True", reason: Waiting, `+
					`message: "Deleting buckets.infra.example.net other/logs"}]`)),
			infra("Bucket", "other", "logs", minute, "", ""), down,
		},
	}, {
		name: "below: named, and each names the other, and a status says who waits",
		objects: []string{
			parent("", "spec: {bucketRef: {name: logs}}\nstatus: {message: waiting for Bucket logs}"),
			logs("", "spec: {databaseRef: {name: orders}}"), down,
		},
	}, {
		name: "below: named, and it names the object as its parent",
		objects: []string{
			parent("", "spec: {bucketRef: {name: logs}}"), logs("", "spec: {parentRef: {kind: Database, name: orders}}"), down,
		},
	}, {
		name: "below: owned, and it names its owner",
		objects: []string{
			parent("", ""),
			logs(ownedBy("Database", "orders"),
				"spec: {databaseRef: {name: orders}}\nstatus: {message: owned by Database orders}"),
			down,
		},
	}, {
		name: "below: two deep", objects: []string{
			parent("", ""),
			infra("Topic", "shop", "events", minute, ownedBy("Database", "orders"), "spec: {virtualMachineRefs: [web]}"), up,
			machine("VirtualMachine", "web", deleted(hour, "virt.example.net/x"), ""),
			strings.ReplaceAll(down, "infra", "virt"),
		},
	}}
	for i := range found {
		found[i].target, found[i].verdict, found[i].causes = orders, result.Stuck, stuck
	}
	found[len(found)-1].causes = []string{"ControllerDown Deployment/virt-system/virt-operator"}
	bystanders := []whyCase{{
		name: "below: nothing", objects: []string{parent("", ""), down},
	}, {
		name: "below: only namesakes", objects: []string{
			parent("",
				"spec: {bucketRef: {name: logs}, backup: {kind: Bucket, name: logs, namespace: here}}\n"+
					"status: {message: waiting for bucket \"logs\" in namespace here}"),
			infra("Bucket", "other", "logs", minute, "", ""), infra("Topic", "shop", "logs", minute, "", ""),
			infra("Bucket", "shop", "logs-2", minute, "", ""), down,
		},
	}, {
		name: "below: a live object is named", objects: []string{
			parent("", "spec: {bucketRef: {name: logs}}\nstatus: {message: waiting for bucket logs}"),
			object("infra.example.net/v1", "Bucket", "shop", "logs",
				ownedBy("Database", "orders")+", finalizers: [infra.example.net/empty]", ""),
			down,
		},
	}, {
		name: "below: each names the other",
		objects: []string{
			parent("", "spec: {bucketRef: {name: logs}}"), logs("", "spec: {databaseRef: {name: orders}}"), down,
		},
	}, {
		name: "below: each says that it waits for the other",
		objects: []string{
			parent("", "status: {message: waiting for Bucket logs}"),
			logs("", "status: {message: waiting for Database orders}"), up,
		},
		notes: []string{
			"Bucket shop/logs and Database shop/orders name one another", "waiting for Bucket logs",
			"waiting for Database orders",
		},
	}, {
		name: "below: three name one another in a circle", objects: []string{
			parent("", "spec: {bucketRef: {name: logs}}"), logs("", "spec: {topicRef: {name: events}}"),
			infra("Topic", "shop", "events", minute, "", "spec: {databaseRef: {name: orders}}"), up,
		},
	}, {
		name: "below: what surely waits for what says that it waits for the object", objects: []string{
			parent("", "spec: {bucketRef: {name: logs}}"),
			strings.Replace(logs("", ""), "infra.example.net/empty", "foregroundDeletion", 1), up, managerAlive(),
			infra("Topic", "shop", "events", minute,
				"ownerReferences: [{apiVersion: x/v1, kind: Bucket, name: logs, uid: bucket-logs, "+
					"blockOwnerDeletion: true}]", "status: {message: waiting for Database orders}"),
		},
	}, {
		name: "below: what it belongs to", objects: []string{
			parent(ownedBy("Bucket", "logs")+", labels: {of: zone-home}",
				"spec: {bucketRef: {name: logs}, zoneRef: {name: home}, namespaceRef: {kind: Namespace, "+
					"name: shop}}\nstatus: {message: Bucket logs made it, nodeName: n1}"),
			logs("", ""), infra("Zone", "", "home", minute, "", ""), down,
			object("v1", "Node", "", "n1", deleted(minute, "infra.example.net/empty"), ""),
		},
	}, {
		name: "below: what it is made of",
		objects: []string{
			parent("",
				"spec: {classRef: {kind: Zone, name: home}, template: {bucketName: logs}, sourceRef: {kind: Bucket, name: logs}}"),
			logs("", ""), infra("Zone", "", "home", minute, "", ""), down,
		},
	}, {
		name:    "below: one of two kinds of a name",
		objects: []string{parent("", "spec: {databaseName: logs}"), logs("", ""), down},
	}, {
		name:    "below: an object of another uid",
		objects: []string{parent("", "spec: {bucketRef: {name: logs, uid: of-another}}"), logs("", ""), down},
	}}
	for i := range bystanders {
		bystanders[i].target, bystanders[i].verdict, bystanders[i].causes = orders, result.Undetermined, silent
	}
	others := []whyCase{{
		name: "below: owned, and nothing tells how that fares", target: orders, verdict: result.Undetermined,
		objects: []string{parent("", ""), logs(ownedBy("Database", "orders"), ""), up},
		causes:  []string{"ControllerUnknown Bucket/shop/logs"},
	}, {
		name: "below: owned, and that is on its way", target: orders, verdict: result.Progressing,
		objects: []string{
			parent("", ""), infra("Bucket", "shop", "logs", 5*time.Second, ownedBy("Database", "orders"), ""), up,
		},
	}, {
		name: "below: owned, and nobody is known to remove the object's finalizer", target: orders, verdict: result.Stuck,
		objects: []string{
			strings.Replace(database(hour, "", ""), "shop.example.com/cleanup", "plain", 1),
			logs(ownedBy("Database", "orders"), ""), down,
		},
		causes: stuck, notes: []string{"Then whoever set the finalizer plain must remove it"},
	}, {
		name: "below: owned and on its way, and nobody is known to remove the object's finalizer", target: orders,
		verdict: result.Undetermined,
		objects: []string{
			strings.Replace(database(hour, "", ""), "shop.example.com/cleanup", "plain", 1),
			infra("Bucket", "shop", "logs", 5*time.Second, ownedBy("Database", "orders"), ""), up,
		},
		causes: silent,
	}, {
		name: "below: owned, and the object's own controller is down", target: orders, verdict: result.Stuck,
		objects: []string{
			database(hour, "", ""), granted("shop-operator", mayWrite, "databases", theOperator), operator(0, ""),
			logs(ownedBy("Database", "orders"), ""), down,
		},
		causes: []string{"ControllerDown Deployment/shop-system/shop-operator"},
	}, {
		name: "below: a kind that may not be listed", target: orders, verdict: result.Undetermined, deny: "buckets",
		objects: []string{parent(busy, ""), logs(ownedBy("Database", "orders"), ""), down, readsInfra},
		says:    []string{"buckets.infra.example.net"},
	}, {
		name: "below: a group that isn't discovered", target: orders, verdict: result.Undetermined,
		failed:  "broken.example.com/v1",
		objects: []string{parent(busy, ""), reads("broken.example.com", "things")},
		says:    []string{"*.broken.example.com/v1"},
	}, {
		name: "below: a kind that may not be listed, and that its controller may not read", target: orders,
		verdict: result.Progressing, deny: "buckets", objects: []string{parent(busy, "")},
	}, {
		name: "below: a group that isn't discovered, of which its controller may read nothing", target: orders,
		verdict: result.Progressing, failed: "broken.example.com/v1", objects: []string{parent(busy, "")},
	}, {
		name: "below: Secrets may not be listed, which its controller may only read", target: orders,
		verdict: result.Progressing, deny: "secrets",
		objects: []string{parent(busy, "spec: {secretRef: {name: key}}"), reads("''", "secrets")},
	}, {
		name: "below: Secrets may not be listed, which its controller may delete", target: orders,
		verdict: result.Undetermined, deny: "secrets", says: []string{"secrets"},
		objects: []string{
			parent(busy, ""), strings.ReplaceAll(reads("''", "secrets"), mayRead, mayRead+", delete"),
		},
	}, {
		name: "below: a kind that may not be listed, and its controller may read everything", target: orders,
		verdict: result.Progressing, deny: "buckets", objects: []string{parent(busy, ""), reads("'*'", "'*'")},
	}, {
		name: "below: a kind that may not be listed, and the object names it", target: orders,
		verdict: result.Undetermined, deny: "buckets", says: []string{"buckets.infra.example.net"},
		objects: []string{parent(busy, "spec: {bucketRef: {name: logs}}"), reads("'*'", "'*'")},
	}, {
		name: "below: a group that isn't discovered, and the object names it", target: orders,
		verdict: result.Undetermined, failed: "broken.example.com/v1", says: []string{"*.broken.example.com/v1"},
		objects: []string{
			parent(busy, strings.TrimSuffix(turning(20*time.Second), "}")+
				", resources: [{kind: Thing, group: broken.example.com, name: a}]}"), reads("'*'", "'*'"),
		},
	}}
	return slices.Concat(found, bystanders, others, belowMachineCases(), namedWaitCases())
}

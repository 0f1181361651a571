package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const lostRace = `Operation cannot be fulfilled on databases.shop.example.com "orders": the object has been ` +
	`modified; please apply your changes to the latest version and try again`

// denial is what the API server says when it denies an account of shop-system something.
func denial(account, verb, resource, group, where string) string {
	return fmt.Sprintf(`failed to release it: %s "orders" is forbidden: User "system:serviceaccount:%s" cannot %s `+
		`resource "%s" in API group "%s" %s`,
		resource, account, verb, resource, group, where)
}

// writtenBy is an entry of managedFields for one condition.
func writtenBy(manager, condition string, ago time.Duration) string {
	return managed(manager, ago, fmt.Sprintf(`{"f:status": {"f:conditions": {'k:{"type":"%s"}': {"f:status": {}}}}}`,
		condition))
}

// voiceCases are about who says what of an object, and whether it is trouble.
func voiceCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	writes := granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator)
	runs, alive := operator(1, ""), operatorPod(podIsReady)
	beside := func(ago time.Duration, events ...string) []string {
		return append([]string{database(ago, "", ""), writes, runs, alive}, events...)
	}
	said := func(by, reason, message string, ago time.Duration) string {
		return warned("shop", "database-orders", reason, by, message, ago)
	}
	states := func(ago time.Duration, fields, status string, more ...string) []string {
		if fields != "" {
			fields = "managedFields: [" + fields + "]"
		}
		return append([]string{database(ago, fields, "status: {"+status+"}"), writes, runs, alive}, more...)
	}
	unready := func(kind, reason, message string) string {
		return fmt.Sprintf(`observedGeneration: 2, conditions: [{type: %s, status: "False", reason: %s, message: %q}]`, kind,
			reason, message)
	}
	unknown, failing := []string{"ControllerUnknown Database/shop/orders"},
		[]string{"ControllerFailing Database/shop/orders"}
	scanner := granted("scanner", mayWrite, "databases/status", "watch/shop-scanner")
	cases := []whyCase{{
		name: "custom resource of which a policy scanner complains", target: orders, verdict: result.Undetermined,
		objects: beside(time.Hour, said("kyverno-scan", "PolicyViolation",
			"validation error: label team is missing, rule failed", time.Minute)), causes: unknown,
	}, {
		name: "custom resource of which an unknown scanner complains", target: orders, verdict: result.Undetermined,
		objects: beside(time.Hour, said("compliance-watcher", "Failed", "check failed: access denied", time.Minute)),
		causes:  unknown,
	}, {
		name: "custom resource of which the project's exporter complains", target: orders, verdict: result.Undetermined,
		objects: beside(time.Hour, said("shop-exporter", "ScrapeFailed", "connection refused", time.Minute)), causes: unknown,
	}, {
		name: "custom resource of which its controller complains under the kind's name", target: orders,
		verdict: result.Stuck, sure: finding.Likely,
		objects: beside(time.Hour, said("database-controller", "Deleting", "access denied", time.Minute),
			said("kyverno-scan", "PolicyViolation", "rule failed", time.Second)),
		causes: failing, says: []string{`"access denied"`},
	}, {
		name: "custom resource of which the later of two complaints is told", target: orders, verdict: result.Stuck,
		objects: beside(time.Hour, said("shop-operator", "DropFailed", "no route to host", 10*time.Minute),
			said("shop-operator", "DropFailed", "access denied", time.Minute)),
		causes: failing, says: []string{`"access denied"`},
	}, {
		name: "custom resource of which somebody complained before it was deleted", target: orders,
		verdict: result.Undetermined,
		objects: beside(time.Hour, said("shop-operator", "SyncFailed", "no route to host", 2*time.Hour)), causes: unknown,
	}, {
		name: "custom resource whose controller lost a race for a write just after the deletion", target: orders,
		verdict: result.Progressing,
		objects: beside(6*time.Second, said("shop-operator", "ReconcileError", lostRace, 3*time.Second)),
	}, {
		name: "custom resource whose controller warns that it is deleted", target: orders, verdict: result.Progressing,
		objects: beside(6*time.Second, said("shop-operator", "DatabaseDeleted", "Database was deleted", 3*time.Second)),
	}, {
		name: "custom resource whose controller warns that its backup is deleted", target: orders, verdict: result.Stuck,
		objects: beside(6*time.Second, said("shop-operator", "BackupDeleted", "Backup was deleted", 3*time.Second)),
		causes:  failing,
	}, {
		name: "custom resource whose controller warns of an error while it is deleted", target: orders,
		verdict: result.Stuck, causes: failing,
		objects: beside(6*time.Second, said("shop-operator", "DatabaseDeleted", "access denied", 3*time.Second)),
	}, {
		name: "custom resource whose controller lost a race for a write, as its status says", target: orders,
		verdict: result.Progressing,
		objects: states(6*time.Second, "", unready("Ready", "ReconcileError", lostRace)),
	}, {
		name: "custom resource whose controller lost a race for a write long ago", target: orders,
		verdict: result.Undetermined,
		objects: beside(time.Hour, said("shop-operator", "ReconcileError", lostRace, 50*time.Minute)), causes: unknown,
	}, {
		name: "custom resource whose controller is at work and tells of failures that are over", target: orders,
		verdict: result.Progressing,
		objects: states(time.Hour, managed("shop-operator", time.Second, `{"f:status": {"f:message": {}}}`),
			`message: "failover finished, 0 errors left", lastError: "no error", conditions: [{type: Ready, status: "False", `+
				`lastTransitionTime: "`+at(time.Minute)+`"}]`),
	}, {
		name: "custom resource of whose health nobody knows", target: orders, verdict: result.Undetermined,
		objects: states(time.Hour, "",
			`observedGeneration: 2, conditions: [{type: Healthy, status: Unknown, reason: InternalError, `+
				`message: look for errors}]`), causes: unknown,
	}, {
		name: "custom resource of which a scanner's condition tells trouble", target: orders, verdict: result.Undetermined,
		objects: states(time.Hour, writtenBy("kyverno", "Compliant", time.Minute), unready("Compliant", "Failed",
			"3 rules failed")), causes: unknown,
	}, {
		name: "custom resource of which another program's condition tells trouble", target: orders,
		verdict: result.Undetermined,
		objects: states(time.Hour, writtenBy("shop-scanner", "Compliant", 50*time.Minute), unready("Compliant", "Failed",
			"3 rules failed"), scanner), causes: unknown,
	}, {
		name: "custom resource of which a condition that a framework's name wrote tells trouble", target: orders,
		verdict: result.Stuck,
		objects: states(time.Hour, writtenBy("manager", "Ready", time.Minute), unready("Ready", "DropFailed",
			"no route to host"), scanner), causes: failing,
	}}
	return append(cases, append(deniedCases(beside, states, unready), balancerVoices()...)...)
}

// deniedCases are about the API server's own words.
func deniedCases(
	beside func(time.Duration, ...string) []string, states func(time.Duration, string, string, ...string) []string,
	unready func(string, string, string) string,
) []whyCase {
	const orders = "databases.shop.example.com/orders"
	inShop := `in the namespace "shop"`
	secrets := denial("shop-system:shop-operator", "delete", "secrets", "", inShop)
	status := func(words string) []string { return states(time.Hour, "", unready("Ready", "DropFailed", words)) }
	forbidden := []string{"ControllerForbidden Database/shop/orders"}
	reaches := strings.ReplaceAll(granted("secrets", "delete", "secrets", theOperator), "apiGroups: [shop.example.com]",
		"apiGroups: ['']")
	subresource := denial("shop-system:shop-operator", "patch", "databases/status", "shop.example.com", inShop)
	attached := func(words string) string {
		return attachment(deleted(time.Hour, attacherHolds),
			fmt.Sprintf("attached: true, detachError: {message: %q, time: %q}", words, at(time.Minute)))
	}
	detach := `rpc error: volumeattachments.storage.k8s.io "att" is forbidden: User ` +
		`"system:serviceaccount:storage:attacher" cannot patch resource "volumeattachments" in API group "storage.k8s.io" ` +
		`at the cluster scope`
	attacher := func(verbs string) string {
		return strings.ReplaceAll(granted("attacher", verbs, "volumeattachments", "storage/attacher"), "shop.example.com",
			"storage.k8s.io")
	}
	deletes := `persistentvolumes "disk" is forbidden: User "system:serviceaccount:storage:provisioner" cannot delete ` +
		`resource "persistentvolumes" in API group "" at the cluster scope`
	return []whyCase{{
		name: "custom resource whose controller quotes a denial in its status", target: orders, verdict: result.Stuck,
		sure:    finding.Likely,
		objects: status(secrets), causes: forbidden, says: []string{"is not allowed to delete secrets in Namespace shop"},
		remedy: "-n shop auth can-i delete secrets --as system:serviceaccount:shop-system:shop-operator",
	}, {
		name: "custom resource whose controller quotes a denial in an event", target: orders, verdict: result.Stuck,
		objects: beside(time.Hour, warned("shop", "database-orders", "DropFailed", "shop-operator", secrets, time.Minute)),
		causes:  forbidden,
		remedy:  "edit clusterrole.rbac.authorization.k8s.io/shop-operator",
	}, {
		name: "custom resource whose controller quotes a denial that RBAC has mended", target: orders,
		verdict: result.Undetermined,
		objects: append(status(secrets), reaches), causes: []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "custom resource whose controller quotes a denial of a subresource", target: orders, verdict: result.Stuck,
		objects: status(subresource), causes: forbidden,
		remedy: "can-i patch databases.shop.example.com --subresource status",
	}, {
		name: "custom resource whose controller quotes the denial of somebody as whom it acts", target: orders,
		verdict: result.Stuck,
		objects: status(denial("apps:deployer", "delete", "secrets", "", inShop)), causes: forbidden, sure: finding.Likely,
		says:   []string{"not allowed to delete secrets in Namespace shop as ServiceAccount apps/deployer"},
		remedy: "-n shop auth can-i delete secrets --as system:serviceaccount:apps:deployer",
	}, {
		name: "custom resource whose controller may only read it, and quotes that it may not update", target: orders,
		verdict: result.Stuck, sure: finding.Proven,
		objects: []string{
			database(time.Hour, "", "status: {"+unready("Ready", "DropFailed", denial("shop-system:shop-operator", "update",
				"databases", "shop.example.com", inShop))+"}"),
			granted("shop-operator", mayRead, "databases", theOperator), operator(1, ""), operatorPod(podIsReady),
		},
		causes: forbidden, remedy: "auth can-i update databases.shop.example.com --as " +
			"system:serviceaccount:shop-system:shop-operator",
	}, {
		name: "custom resource of which others quote its controller's denial", target: orders, verdict: result.Stuck,
		objects: beside(time.Hour, warned("shop", "database-orders", "Denied", "auditor", secrets, time.Minute)),
		causes:  forbidden,
	}, {
		name: "custom resource of which others quote a denial", target: orders, verdict: result.Undetermined,
		objects: beside(time.Hour, warned("shop", "database-orders", "Denied", "auditor",
			strings.ReplaceAll(secrets, ":shop-operator", ":auditor"), time.Minute)),
		causes: []string{"ControllerUnknown Database/shop/orders"},
	}, {
		name: "attachment whose driver is denied to patch it", target: "volumeattachments.storage.k8s.io/att",
		verdict: result.Stuck, sure: finding.Proven,
		objects: []string{attached(detach), csiDriver(), attacher(mayRead)},
		causes:  []string{"ControllerForbidden VolumeAttachment/att"},
		says:    []string{"is not allowed to patch volumeattachments.storage.k8s.io"},
		remedy:  "auth can-i patch volumeattachments.storage.k8s.io --as system:serviceaccount:storage:attacher",
	}, {
		name:   "attachment whose driver was denied to patch it, and may by now",
		target: "volumeattachments.storage.k8s.io/att", verdict: result.Undetermined,
		objects: []string{attached(detach), csiDriver(), attacher(mayWrite)},
	}, {
		name: "volume whose driver is denied to delete it", target: "persistentvolumes/disk", verdict: result.Stuck,
		sure: finding.Likely,
		objects: []string{volume("phase: Released", provisionerHolds), csiDriver(), warned("default", "persistentvolume-disk",
			"VolumeFailedDelete", "disk.csi.example.com_pod", deletes, time.Minute)},
		causes: []string{"ControllerForbidden PersistentVolume/disk"},
		remedy: "auth can-i delete persistentvolumes --as system:serviceaccount:storage:provisioner",
	}}
}

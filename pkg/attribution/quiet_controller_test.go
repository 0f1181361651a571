package attribution

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// readyOperator is the shop's operator with one pod, shop-operator-5d9c7b6f64-x2x4z, three hours old.
func readyOperator(args, spec, status string) string {
	meta := "metadata: {namespace: shop-system, labels: {app: shop}, creationTimestamp: \"2026-07-01T09:00:00Z\", "
	return "\n---\napiVersion: apps/v1\nkind: Deployment\n" + meta + `name: shop-operator, uid: d}
spec: {replicas: 1, selector: {matchLabels: {app: shop}}, template: {metadata: {labels: {app: shop}}, spec: {` +
		`serviceAccountName: shop-operator, containers: [{name: manager, args: [` + args + `]}]}}}
---
apiVersion: v1
kind: Pod
` + meta + `name: shop-operator-5d9c7b6f64-x2x4z, uid: p}
spec: {nodeName: n1, serviceAccountName: shop-operator, containers: [{name: manager, args: [` + args + `]}` + spec + `}
status: {phase: Running, ` + status + `}
`
}

func leaseOf(name, holder string, renewed time.Duration, more string) string {
	return fmt.Sprintf("---\napiVersion: coordination.k8s.io/v1\nkind: Lease\n"+
		"metadata: {namespace: shop-system, name: %s%s}\n"+
		"spec: {holderIdentity: %s, leaseDurationSeconds: 15, renewTime: %q}\n", name, more, holder,
		now.Add(-renewed).Format("2006-01-02T15:04:05.000000Z07:00"))
}

// wroteTo is a custom resource to which a program wrote some time ago.
func wroteTo(name string, ago time.Duration) string {
	return fmt.Sprintf(`---
apiVersion: shop.example.com/v1
kind: Database
metadata: {namespace: plain, name: %s, uid: %s, managedFields: [{manager: shop-operator, operation: Update,
  apiVersion: v1, time: %q, fieldsType: FieldsV1, fieldsV1: {"f:status": {}}, subresource: status}]}
`, name, name, now.Add(-ago).Format(time.RFC3339))
}

// elder is another program's pod, elder-6c9d8f7b54-j4k7x.
func elder(account, status string) string {
	return "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: old, name: elder-6c9d8f7b54-j4k7x, uid: e}\n" +
		"spec: {nodeName: n1, serviceAccountName: " + account + ", containers: [{name: main}]}\n" + status + "\n"
}

// heldFor says since when a Lease has had its holder, as more of its metadata.
func heldFor(ago time.Duration) string {
	return fmt.Sprintf(", creationTimestamp: %q", now.Add(-ago).Format(time.RFC3339))
}

const (
	holder      = "elder-6c9d8f7b54-j4k7x_1"
	readyHolder = `status: {phase: Running, conditions: [{type: Ready, status: "True"}]}`
	isReady     = `conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-07-01T09:01:00Z"}]`
	own         = "shop-operator-5d9c7b6f64-x2x4z_1"
	former      = "shop-operator-7d9f8b6c5d-k8w2q_1"
	token       = "], volumes: [{name: t, projected: {sources: [{serviceAccountToken: {path: token}}]}}"
	sharing     = `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: classic}
roleRef: {kind: ClusterRole, name: shop}
subjects: [{kind: ServiceAccount, namespace: old, name: classic}]
`
	readsIt = `
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {namespace: shop-system, name: leads}
rules: [{apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, list, watch]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {namespace: shop-system, name: leads}
roleRef: {kind: Role, name: leads}
subjects: [{kind: ServiceAccount, namespace: shop-system, name: shop-operator}]
`
)

// containersOf are the statuses of a pod that isn't ready: one container waits to be started again, one runs.
func containersOf(crashed, runs string) string {
	return `conditions: [{type: Ready, status: "False"}], containerStatuses: [` +
		`{name: ` + crashed + `, restartCount: 9, state: {waiting: {reason: CrashLoopBackOff}}},` +
		`{name: ` + runs + `, ready: true, state: {running: {startedAt: "2026-07-01T09:00:00Z"}}}]`
}

// TestReadyAndQuiet: what a Lease, restarts and a ServiceAccount show about a program that has been ready for hours.
func TestReadyAndQuiet(t *testing.T) {
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	plain, off, on := readyOperator("", "]", isReady), readyOperator(`"--leader-elect=false"`, "]", isReady),
		readyOperator(`"--leader-elect"`, "]", isReady)
	stale := 30 * time.Minute
	const down, forbidden, silent = "ControllerDown", "ControllerForbidden", "ControllerUnknown"
	server := func(ago time.Duration) string { // when the API server noted the last renewal
		return fmt.Sprintf(`, managedFields: [{manager: shop-operator, operation: Update, apiVersion: v1, time: %q, `+
			`fieldsType: FieldsV1, fieldsV1: {"f:spec": {}}}]`, now.Add(-ago).Format(time.RFC3339))
	}
	restarts := func(count int, last string) string {
		return fmt.Sprintf(`%s, containerStatuses: [{name: manager, ready: true, restartCount: %d, state: {running: {}}, `+
			`lastState: {terminated: {exitCode: 137, reason: OOMKilled, finishedAt: %q}}}]`, isReady, count, last)
	}
	named := readyOperator(`"--leader-election-id=shared"`, "]", isReady)
	for name, c := range map[string]struct{ objects, want, says string }{
		"its pod has not renewed its Lease": {plain +
			leaseOf("lock", own, stale, ""), down, "none of them leads"},
		"the same, and it wrote to the kind since": {plain +
			leaseOf("lock", own, stale, "") + wroteTo("b", time.Minute), silent, ""},
		"the same, and it wrote to the kind before": {plain +
			leaseOf("lock", own, stale, "") + wroteTo("b", time.Hour), down, ""},
		"a former pod's Lease": {plain +
			leaseOf("lock", former, stale, ""), silent, ""},
		"a pod of the same name had the Lease": {plain +
			leaseOf("lock", own, 5*time.Hour, ""), silent, ""},
		"a sibling's Lease": {plain +
			leaseOf("shop-operator-hook", "shop-operator-hook-5c8d9f7b64-k8w2q_1", stale, ""), silent, ""},
		"its own, beside a sibling's that is renewed": {plain +
			leaseOf("lock", own, stale, "") +
			leaseOf("shop-operator-hook", "shop-operator-hook-5c8d9f7b64-k8w2q_1", 0, ""), down, ""},
		"another lock that names its host is renewed": {plain +
			leaseOf("lock", own, stale, "") + leaseOf("shop-operator", "n1_7", 0, ""), silent, ""},
		"a slow clock, and the server saw the renewal": {plain +
			leaseOf("lock", own, stale, server(2*time.Second)), silent, ""},
		"the right clock, by the server's": {plain +
			leaseOf("lock", own, stale, server(stale)), down, ""},
		"it may read Leases alone": {plain + readsIt +
			leaseOf("lock", former, stale, ""), forbidden, "not allowed to update Lease shop-system/lock"},
		"the same, and it elects no leader": {off + readsIt +
			leaseOf("lock", former, stale, ""), silent, ""},
		"the same, and it wrote since": {plain + readsIt +
			leaseOf("lock", former, stale, "") + wroteTo("b", time.Minute), silent, ""},
		"it elects, without a right on Leases": {on +
			leaseOf("lock", former, stale, ""), forbidden, "cannot become the leader"},
		"another program holds the lock that its arguments name": {named + elder("classic", readyHolder) +
			leaseOf("shared", holder, 0, ""), down, "another program, holds Lease shop-system/shared"},
		"a lock that another holds, and it wrote to the kind since": {named + elder("classic", readyHolder) +
			leaseOf("shared", holder, 0, heldFor(time.Hour)) + wroteTo("b", time.Minute), silent, ""},
		"a lock that another holds, and it wrote to the kind before": {named + elder("classic", readyHolder) +
			leaseOf("shared", holder, 0, heldFor(time.Hour)) + wroteTo("b", 2*time.Hour), down, ""},
		"the lock has run out": {named + elder("classic", readyHolder) +
			leaseOf("shared", holder, stale, ""), silent, ""},
		"who holds the lock may remove the finalizer, too": {named + sharing + elder("classic", readyHolder) +
			leaseOf("shared", holder, 0, ""), silent, ""},
		"who holds the lock is no pod": {named +
			leaseOf("shared", holder, 0, ""), silent, ""},
		"who holds the lock is not ready": {named + elder("classic", `status: {phase: Running}`) +
			leaseOf("shared", holder, 0, ""), silent, ""},
		"it elects no leader": {
			readyOperator(`"--leader-elect=false", "--leader-election-id=shared"`, "]", isReady) +
				elder("classic", readyHolder) + leaseOf("shared", holder, 0, ""), silent, ""},
		"it restarts over and over": {
			readyOperator("", "]", restarts(200, "2026-07-01T11:58:00Z")), down, "200 times"},
		"it restarted some time ago": {
			readyOperator("", "]", restarts(200, "2026-07-01T10:58:00Z")), silent, ""},
		"it restarted a few times": {
			readyOperator("", "]", restarts(2, "2026-07-01T11:58:00Z")), silent, ""},
		"its container crashes beside an elector": {
			readyOperator("", ", {name: elector}]", containersOf("manager", "elector")) +
				leaseOf("lock", own, 0, ""), down, "CrashLoopBackOff"},
		"a proxy crashes beside its container": {
			readyOperator("", ", {name: kube-rbac-proxy}]", containersOf("kube-rbac-proxy", "manager")) +
				leaseOf("lock", own, 0, ""), silent, ""},
		"its only container crashes, and had the Lease": {
			readyOperator("", "]", `conditions: [{type: Ready, status: "False"}], `+
				`containerStatuses: [{name: manager, restartCount: 9, state: {waiting: {reason: CrashLoopBackOff}}}]`) +
				leaseOf("lock", own, 3*time.Second, ""), down, "CrashLoopBackOff"},
	} {
		got := toldOfShop(t, known, shop+c.objects)
		if !strings.HasPrefix(got, c.want+" ") || !strings.Contains(got, c.says) {
			t.Errorf("%s: want %s (%s), got %s", name, c.want, c.says, got)
		}
	}
}

// TestAccountOfRunningPods: pods whose ServiceAccount is gone, or was created again after them, get no answer from the
// API server.
func TestAccountOfRunningPods(t *testing.T) {
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	account := "metadata: {namespace: shop-system, name: shop-operator}"
	created := func(at string) string {
		return strings.Replace(shop, account, strings.TrimSuffix(account, "}")+`, creationTimestamp: "`+at+`"}`, 1)
	}
	gone := strings.Replace(shop, account, "metadata: {namespace: shop-system, name: another}", 1)
	with, without := readyOperator("", token+"]", isReady), readyOperator("", "]", isReady)
	for name, c := range map[string]struct{ objects, want, says string }{
		"gone": {gone + with,
			"ControllerForbidden", "ServiceAccount shop-system/shop-operator, as which they run, does not exist"},
		"gone, of a pod without its token": {gone + without, "ControllerUnknown", ""},
		"there":                            {created("2026-07-01T08:00:00Z") + with, "ControllerUnknown", ""},
		"created again": {created("2026-07-01T11:50:00Z") + with,
			"ControllerForbidden", "created 10m ago"},
		"created again, and it wrote since": {created("2026-07-01T11:50:00Z") + with + wroteTo("b", time.Minute),
			"ControllerUnknown", ""},
		"created again, long enough ago": {created("2026-07-01T10:50:00Z") + with, "ControllerUnknown", ""},
	} {
		got := toldOfShop(t, known, c.objects)
		if !strings.HasPrefix(got, c.want+" ") || !strings.Contains(got, c.says) {
			t.Errorf("%s: want %s (%s), got %s", name, c.want, c.says, got)
		}
	}
}

// toldOfShop is the answer about a Database in a cluster.
func toldOfShop(t *testing.T, known *plugins.Set, objects string) string {
	t.Helper()
	one := stuck{kind: "Database", namespace: "plain", name: "a", finalizer: "shop.example.com/cleanup"}
	memory, err := clustertest.New(now, objects+"\n---\n"+one.document())
	if err != nil {
		t.Fatal(err)
	}
	finder := finderOf(memory, known)
	finder.Session.Pause = func(context.Context, time.Duration) error { return nil }
	return told(t, finder, one)
}

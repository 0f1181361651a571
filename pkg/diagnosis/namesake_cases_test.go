package diagnosis_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// namesakeCases are about names that two programs have: of a Lease's holder, of what set the finalizer, of a project.
func namesakeCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	unknown := []string{"ControllerUnknown Database/shop/orders"}
	writes := granted("keeper", mayWrite, "databases, databases/finalizers", "ops/keeper")
	elects := strings.Replace(granted("electors", "get, update", "leases", "ops/keeper"), "shop.example.com",
		"coordination.k8s.io", 1)
	bothElect := strings.Replace(elects, "{kind: ServiceAccount",
		"{kind: ServiceAccount, namespace: elsewhere, name: other}, {kind: ServiceAccount", 1)
	led := object("coordination.k8s.io/v1", "Lease", "ops", "keeper", "", fmt.Sprintf(
		"spec: {holderIdentity: keeper-1_x, leaseDurationSeconds: 15, renewTime: %q}", noonBefore(20*time.Minute)))
	namesake := object("v1", "Pod", "elsewhere", "keeper-1", "", "spec: {serviceAccountName: other}")
	stale := func(more ...string) []string {
		keeper := program("ops", "keeper", "keeper", 1, podIsReady)
		return append([]string{database(time.Hour, "", ""), writes, led, keeper}, more...)
	}
	set := database(time.Hour, "managedFields: ["+managed("lighter", 2*time.Hour, setsFinalizer)+"]", "")
	successor := func(replicas int, pod string) []string {
		return []string{
			set, program("ops", "lighter", "lighter", 0, ""), program("ops", "lighter-v2", "lighter-v2", replicas, pod),
			granted("lighter", mayWrite, "databases, databases/finalizers", "ops/lighter-v2"),
		}
	}
	ofDomain := func(project, account string) []string {
		return []string{
			configMap("notes", deleted(time.Hour, project+".corp.intra/keep")), program("ops", account, account, 0, ""),
			strings.Replace(granted("maps", mayWrite, "configmaps", "ops/"+account), "shop.example.com", "''", 1),
		}
	}
	return []whyCase{{
		name: "namesake of a domain that the catalogue knows as another project's", target: "configmaps/notes",
		verdict: result.Undetermined, objects: ofDomain("argocd", "argocd-application-controller"),
		causes: []string{"ControllerUnknown ConfigMap/shop/notes"},
	}, {
		name: "namesake of a domain that nobody knows", target: "configmaps/notes", verdict: result.Stuck,
		objects: ofDomain("whirligig", "whirligig-controller"),
		causes:  []string{"ControllerDown Deployment/ops/whirligig-controller"},
	}, {
		name: "namesake of a Lease's holder in another namespace", target: orders, verdict: result.Undetermined,
		objects: stale(namesake, bothElect), causes: unknown,
	}, {
		name: "namesake of a Lease's holder that may not write it", target: orders, verdict: result.Stuck,
		objects: stale(namesake, elects), causes: []string{"ControllerDown Deployment/ops/keeper"},
	}, {
		name: "namesake of the setter with its rights runs, and the setter has none", target: orders,
		verdict: result.Undetermined, objects: successor(1, podIsReady), causes: unknown,
	}, {
		name: "namesake of the setter with its rights is down, too", target: orders, verdict: result.Stuck,
		objects: successor(0, ""), causes: []string{"ControllerDown Deployment/ops/lighter"},
	}}
}

package diagnosis_test

import (
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// unseenSetterCases are about a program that set the finalizer by rights that RBAC doesn't show: what it does since the
// deletion shows whether it is there.
func unseenSetterCases() []whyCase {
	const orders, sets = "databases.shop.example.com/orders", setsFinalizer
	const reports, scales = `{"f:status": {"f:conditions": {}}}`, `{"f:spec": {"f:replicas": {}}}`
	writes := granted("auditor", mayWrite, "databases", "ops/auditor")
	stopped := func(ago time.Duration) string { // a program that was scaled to 0 then
		return strings.Replace(program("ops", "auditor", "auditor", 0, ""), "uid: deployment-auditor",
			"uid: deployment-auditor, managedFields: ["+managed("kubectl-scale", ago, scales)+"]", 1)
	}
	written := func(ago time.Duration, status string) string {
		return database(time.Hour, "managedFields: ["+managed("ledger", 2*time.Hour, sets)+", "+
			managed("ledger", ago, reports)+"]", status)
	}
	closing := func(since time.Duration) string {
		return strings.Replace(turning(since), "reason: Draining", "reason: Draining, message: empties it", 1)
	}
	unknown := []string{"ControllerUnknown Database/shop/orders"}
	down := []string{"ControllerDown Deployment/ops/auditor"}
	return []whyCase{{
		name: "setter out of sight that reports", target: orders, verdict: result.Undetermined,
		objects: []string{written(3*time.Minute, closing(5*time.Minute))}, causes: unknown, says: []string{`"ledger" wrote`},
	}, {
		name: "setter out of sight that only wrote", target: orders, verdict: result.Stuck, sure: finding.Likely,
		objects: []string{written(3*time.Minute, "")}, causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "setter out of sight that reported in the second of the deletion", target: orders, verdict: result.Stuck,
		objects: []string{database(3*time.Minute, "managedFields: ["+managed("ledger", 2*time.Hour, sets)+", "+
			managed("ledger", 3*time.Minute, reports)+"]", closing(3*time.Minute))},
		causes: []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "setter out of sight that reported too long ago", target: orders, verdict: result.Stuck,
		objects: []string{written(30*time.Minute, turning(31*time.Minute))},
		causes:  []string{"ControllerMissing Database/shop/orders"},
	}, {
		name: "setter out of sight that wrote while the only program with rights was at nothing", target: orders,
		verdict: result.Undetermined, objects: []string{written(3*time.Minute, ""), writes, stopped(time.Hour)},
		causes: unknown, says: []string{`"ledger" wrote`},
	}, {
		name: "setter out of sight that wrote before the only program with rights was at nothing", target: orders,
		verdict: result.Stuck, objects: []string{written(3*time.Minute, ""), writes, stopped(time.Minute)}, causes: down,
	}}
}

package diagnosis_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// lackedCases are about objects that name something which doesn't exist, and whose controller runs: whether that
// is what the controller lacks.
func lackedCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	lacks := "ControllerFailing Database/shop/orders"
	unknown := []string{"ControllerUnknown Database/shop/orders"}
	with := func(ago time.Duration, spec, words string, more ...string) []string {
		rest := "spec: {" + spec + "}"
		if words != "" {
			rest += "\nstatus: {observedGeneration: 2, conditions: [{type: Ready, status: 'False', reason: CleanUp, " +
				"message: " + words + ", lastTransitionTime: \"" + at(time.Minute) + "\"}]}"
		}
		return append([]string{
			database(ago, "generation: 2", rest), operator(1, ""), operatorPod(podIsReady), node("n1", "True", ""),
			granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator),
			object("v1", "ServiceAccount", "shop-system", "shop-operator", "", ""),
		}, more...)
	}
	secret := object("v1", "Secret", "shop", "cf", "", "")
	ending := namespace(time.Hour, "")
	return []whyCase{{
		name: "lacks: a Secret that its report names", target: orders, verdict: result.Stuck, sure: finding.Proven,
		objects: with(time.Hour, "secretRef: {name: cf}", `'secrets "cf" not found'`), causes: []string{lacks},
		says: []string{"Secret shop/cf", "does not exist", "spec.secretRef"},
	}, {
		name: "lacks: a Secret that its report names, with two finalizers of the controller", target: orders,
		verdict: result.Stuck,
		objects: append(with(time.Hour, "", `'secrets "cf" not found'`)[1:], object("shop.example.com/v1", "Database", "shop",
			"orders", deleted(time.Hour, "shop.example.com/cleanup", "shop.example.com/backup")+", generation: 2",
			"spec: {secretRef: {name: cf}}\nstatus: {observedGeneration: 2, conditions: [{type: Ready, status: 'False', "+
				"reason: CleanUp, message: 'secrets \"cf\" not found', lastTransitionTime: \""+at(time.Minute)+"\"}]}")),
		causes: []string{lacks},
	}, {
		name: "lacks: a Secret that only its report names", target: orders, verdict: result.Stuck, sure: finding.Proven,
		objects: with(time.Hour, "", `'cannot delete: could not find Secret shop/cf'`), causes: []string{lacks},
		says: []string{"Secret shop/cf, which"},
	}, {
		name: "lacks: a Secret that its report names, and that exists", target: orders, verdict: result.Stuck,
		objects: with(time.Hour, "secretRef: {name: cf}", `'secrets "cf" not found'`, secret), causes: []string{lacks},
		says: []string{"reports"},
	}, {
		name: "lacks: a Secret that its report names, in a namespace that ends", target: orders, verdict: result.Stuck,
		objects: with(time.Hour, "secretRef: {name: cf}", `'secrets "cf" not found'`, ending), causes: []string{lacks},
		says: []string{"can't be created again"},
	}, {
		name: "lacks: a Secret that a field names, with a silent controller", target: orders, verdict: result.Stuck,
		sure:    finding.Likely,
		objects: with(time.Hour, "credentials: {name: cf}", ""), causes: []string{lacks}, says: []string{"probably needs"},
	}, {
		name: "lacks: a Secret that a field names and that exists", target: orders, verdict: result.Undetermined,
		objects: with(time.Hour, "credentials: {name: cf}", "", secret), causes: unknown,
	}, {
		name: "lacks: a Secret that may be the controller's own work", target: orders, verdict: result.Undetermined,
		objects: with(time.Hour, "secretName: cf", ""), causes: unknown,
		says: []string{"names Secret shop/cf (spec.secretName), which does not exist"},
	}, {
		name: "lacks: a Secret that may not be read", target: orders, verdict: result.Stuck, deny: "secrets",
		objects: with(time.Hour, "secretRef: {name: cf}", `'secrets "cf" not found'`), causes: []string{lacks},
		says: []string{"reports"},
	}, {
		name: "lacks: a report of something outside that is named like a kind", target: orders, verdict: result.Stuck,
		objects: with(time.Hour, "", `'cannot delete database invoices: connection refused'`), causes: []string{lacks},
		says: []string{"reports"},
	}}
}

// TestNeedWithHostileName wants a name that would lead a request elsewhere never to be requested, and to be listed as
// unreadable.
func TestNeedWithHostileName(t *testing.T) {
	c := whyCase{target: "databases.shop.example.com/orders", objects: []string{
		database(time.Hour, "", "spec: {secretRef: {name: ../../nodes/x}}"), operator(1, ""), operatorPod(podIsReady),
		node("n1", "True", ""), granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator),
	}}
	answer := c.ask(t)
	if answer.Verdict != result.Undetermined || len(answer.Unreadable) != 1 ||
		!strings.Contains(answer.Unreadable[0].Error, "nothing was requested") {
		t.Errorf("%s: %s; unreadable: %v", answer.Verdict, answer.Summary, answer.Unreadable)
	}
}

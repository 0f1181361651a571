package diagnosis_test

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// progressCases are about what counts as progress, and about reports of what admission has refused.
func progressCases() []whyCase {
	const orders = "databases.shop.example.com/orders"
	writes := granted("shop-operator", mayWrite, "databases, databases/finalizers", theOperator)
	looked := func(ago time.Duration, status, version string) string {
		return database(ago, "resourceVersion: \""+version+"\", managedFields: ["+managed("shop-operator", time.Second,
			`{"f:status": {"f:message": {}}}`)+"]", "status: {"+status+"}")
	}
	with := func(status string, more ...string) []string {
		return append([]string{looked(time.Hour, status, "1"), writes, operator(1, ""), operatorPod(podIsReady)}, more...)
	}
	later := func(status string) func(*clustertest.Memory) {
		return func(memory *clustertest.Memory) {
			memory.Remove("Database", "orders")
			if err := memory.Add(looked(time.Hour, status, "2")); err != nil {
				panic(err)
			}
		}
	}
	const denial = `message: 'admission webhook "guard.example.com" denied the request: [keep-owner] you must ` +
		`provide labels', observedGeneration: 2`
	unknown := []string{"ControllerUnknown Database/shop/orders"}
	failing := []string{"ControllerFailing Database/shop/orders"}
	part := func(name string) string { return configMap(name, ownedBy("Database", "orders")) }
	without := func(names ...string) func(*clustertest.Memory) { // one after the other, a look each
		looks := map[*clustertest.Memory]int{}
		return func(memory *clustertest.Memory) {
			if looks[memory]++; looks[memory] <= len(names) {
				memory.Remove("ConfigMap", names[looks[memory]-1])
			}
		}
	}
	return []whyCase{{
		name: "progress: fewer of the objects that belong to it are left", target: orders, verdict: result.Progressing,
		objects: []string{database(time.Hour, "", ""), writes, operator(1, ""), operatorPod(podIsReady),
			part("a"), part("b"),
			part("c")},
		meanwhile: without("a", "b"), notes: []string{"is working on"},
	}, {
		name: "progress: something else is gone", target: orders, verdict: result.Undetermined, causes: unknown,
		objects: []string{
			database(time.Hour, "", ""), writes, operator(1, ""), operatorPod(podIsReady), part("a"),
			configMap("b", ""), configMap("c", ""),
		},
		meanwhile: without("b", "c"),
	}, {
		name: "progress: a count of what is left falls between two looks", target: orders, verdict: result.Progressing,
		objects: with("remaining: 40"), meanwhile: later("remaining: 37"), notes: []string{"went from 40 to 37"},
	}, {
		name: "progress: nothing but a heartbeat between two looks", target: orders, verdict: result.Undetermined,
		objects: with(`reconciledAt: a, message: "tending the moorings"`), causes: unknown,
		meanwhile: later(`reconciledAt: b, message: "tending the moorings"`),
		says:      []string{"tending the moorings", "--watch"},
	}, {
		name: "progress: words that sound ill count something that moves", target: orders, verdict: result.Progressing,
		objects:   with(`message: "broken 226 of 9000 shards up"`),
		meanwhile: later(`message: "broken 231 of 9000 shards up"`), notes: []string{"231 of 9000"},
	}, {
		name: "progress: the same words, and the number is the same", target: orders, verdict: result.Stuck,
		objects:   with(`message: "broken 226 of 9000 shards up"`),
		meanwhile: later(`message: "broken 226 of 9000 shards up", at: b`), causes: failing,
	}, {
		name: "progress: an error in the field for errors, while a count moves", target: orders, verdict: result.Stuck,
		objects:   with(`errors: ["3 of 9 not detached"], left: 9`),
		meanwhile: later(`errors: ["3 of 9 not detached"], left: 8`),
		causes:    failing,
	}, {
		name: "progress: a number of attempts moves", target: orders, verdict: result.Undetermined,
		objects: with(`message: "asked the lighthouse, attempt 7"`), causes: unknown,
		meanwhile: later(`message: "asked the lighthouse, attempt 8"`),
	}, {
		name: "progress: a condition that is stamped anew at each look", target: orders, verdict: result.Undetermined,
		objects: with(`conditions: [{type: Ready, status: "False", reason: Draining, lastTransitionTime: "` +
			at(9*time.Second) + `"}]`), causes: unknown,
		meanwhile: later(`conditions: [{type: Ready, status: "False", reason: Draining, lastTransitionTime: "` +
			at(time.Second) + `"}]`),
	}, {
		name: "progress: a condition that has just changed because a person must act", target: orders,
		verdict: result.Stuck, causes: []string{"DeletionProtected Database/shop/orders"}, says: []string{"AwaitingApproval"},
		objects: with(`conditions: [{type: Ready, status: "False", reason: AwaitingApproval, lastTransitionTime: "` +
			at(9*time.Second) + `"}]`),
	}, {
		name: "progress: a phase that says that it is on hold", target: orders, verdict: result.Undetermined,
		objects: []string{
			database(5*time.Second, "", "status: {observedGeneration: 2, phase: OnHold}"), writes, operator(1, ""),
			operatorPod(podIsReady),
		},
		causes: unknown, says: []string{"OnHold"},
	}, {
		name: "progress: a denial of a webhook that a controller reports", target: orders, verdict: result.Stuck,
		objects: with(denial, webhook("ValidatingWebhookConfiguration", ""), guardService()),
		causes:  []string{"AdmissionDenied ValidatingWebhookConfiguration/guard"}, says: []string{"you must provide labels"},
	}, {
		name: "progress: a denial of a webhook that is gone", target: orders, verdict: result.Stuck,
		objects: with(denial), causes: failing,
	}}
}

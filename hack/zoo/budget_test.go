package zoo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

// admissionAllowance is how many requests about admission are free: the lists of webhook configurations,
// policies and bindings, validating and mutating ones, the object's namespace, whose labels they
// select by, and the object as a whole, which a policy of another scenario may ask about (docs/zoo.md).
const admissionAllowance = 8

// lossAllowance is how many requests are free that find out what is lost below an object, where a removal by force is
// offered: lists of claims, Secrets, Services and snapshots, and a Service with its load balancer (docs/zoo.md).
const lossAllowance = 5

// startAllowance is how many requests are free that find out whether a stopped workload can be started: lists of
// ResourceQuotas, LimitRanges and autoscalers (docs/zoo.md).
const startAllowance = 3

// aboutStart reports whether a request may ask for what is held against a start.
func aboutStart(needed controlplane.Permission) bool {
	asked := []string{"resourcequotas", "limitranges", "horizontalpodautoscalers.autoscaling"}
	return needed.Verb == "list" && slices.Contains(asked, needed.QualifiedResource())
}

// aboutLosses reports whether a request may ask for what is lost.
func aboutLosses(needed controlplane.Permission) bool {
	switch needed.QualifiedResource() {
	case "persistentvolumeclaims", "secrets", "volumesnapshots.snapshot.storage.k8s.io":
		return needed.Verb == "list"
	}
	return needed.QualifiedResource() == "services"
}

// checkBudget compares what an answer has cost, by the audit log, with what it may.
func (k *keeper) checkBudget(t *testing.T, id string, question zoo.Question, requests []controlplane.Request) {
	t.Helper()
	cost, admission, losses, starts := 0, 0, 0, 0
	var lines []string
	reads := map[string]int{}
	for _, request := range requests {
		needed, about := request.Permission()
		reads[request.RequestURI]++
		switch {
		case !about:
			continue // discovery
		case k.foreign(id, needed.Group), k.foreign(id, definedGroup(request)):
			continue // a kind of another scenario's: a cluster of this one's own would not have it
		case (needed.Group == "admissionregistration.k8s.io" || aboutNamespace(request, question) ||
			reads[request.RequestURI] == 3) && admission < admissionAllowance:
			// The third time is the target itself: its metadata come first, and once more before the answer.
			admission++
		case aboutLosses(needed) && losses < lossAllowance:
			losses++
		case aboutStart(needed) && starts < startAllowance:
			starts++
		default:
			cost++
		}
		lines = append(lines, fmt.Sprintf("%s %s", request.Verb, request.RequestURI))
	}
	said := fmt.Sprintf("%s cost %d requests of %d, %d for admission and %d for losses:\n%s", question.Target, cost,
		question.Budget, admission, losses, strings.Join(lines, "\n"))
	switch {
	case cost > question.Budget:
		t.Error(said)
	case testing.Verbose():
		t.Log(said)
	}
}

// aboutNamespace reports whether a request reads the target's namespace.
func aboutNamespace(request controlplane.Request, question zoo.Question) bool {
	path, _, _ := strings.Cut(request.RequestURI, "?")
	return question.Namespace != "" && path == "/api/v1/namespaces/"+question.Namespace
}

// definedGroup returns the API group of the definition that a request reads, if it reads one: what discovery doesn't
// name yet is looked up by its definition.
func definedGroup(request controlplane.Request) string {
	path, _, _ := strings.Cut(request.RequestURI, "?")
	name, isDefinition := strings.CutPrefix(path, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/")
	_, group, _ := strings.Cut(name, ".")
	if !isDefinition {
		return ""
	}
	return group
}

// foreign reports whether an API group comes with another scenario, and not with this one.
func (k *keeper) foreign(id, group string) bool {
	bringers := k.bringers[group]
	if slices.Contains(bringers, id) || strings.HasPrefix(group, strings.ToLower(id)+".") {
		return false
	}
	return len(bringers) > 0 || strings.HasSuffix(group, ".example.com")
}

// bringers returns which scenarios bring an API group, by group.
func bringers(t *testing.T, scenarios []zoo.Scenario) map[string][]string {
	t.Helper()
	by := map[string][]string{}
	for _, scenario := range scenarios {
		for _, group := range groupsOf(t, []zoo.Scenario{scenario}) {
			by[group] = append(by[group], scenario.ID)
		}
	}
	return by
}

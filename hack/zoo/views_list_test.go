package zoo_test

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// checkList compares each scenario's target in one list of everything with its true answer. With a dead
// APIService, namespaces wait for that as well.
func (v *viewer) checkList(scenarios []zoo.Scenario, broken bool) {
	v.t.Helper()
	var list result.List
	v.decode(&list, v.admin, "list", "-A")
	v.show("list", "-A")
	for _, scenario := range scenarios {
		for _, question := range scenario.Questions() {
			at := slices.IndexFunc(list.Items, func(item result.ListItem) bool { return judge.IsOf(item, question) })
			if at < 0 {
				v.t.Errorf("%s: %s is not listed", scenario.ID, question.Target)
				continue
			}
			if broken && (list.Items[at].Target.Kind == "Namespace" || scenario.ID == "S50") {
				continue // what holds these, or since when, is another matter by now
			}
			judge.CompareItem(v.t, scenario.ID, question.Want, list.Items[at])
		}
	}
	if !broken {
		return
	}
	for ns, reason := range map[string]finding.Reason{
		"s16": finding.APIServiceUnavailable, "s22": finding.ConversionWebhookUnavailable,
	} {
		if !slices.ContainsFunc(list.Items, func(item result.ListItem) bool {
			return item.Target.Kind == "Namespace" && item.Target.Name == ns &&
				slices.ContainsFunc(item.RootCauses, func(cause result.ItemCause) bool { return cause.Reason == reason })
		}) {
			v.t.Errorf("namespace %s doesn't wait for %s", ns, reason)
		}
	}
	if !slices.ContainsFunc(list.Unreadable,
		func(unreadable finding.Unreadable) bool {
			return strings.Contains(unreadable.Resource, "s16.example.com")
		}) {
		v.t.Errorf("that s16.example.com can't be discovered is not said: %+v", list.Unreadable)
	}
}

package zoo_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// checkList compares each scenario's target in one list of everything with its true answer. With a dead
// APIService, namespaces wait for that as well.
func (v *viewer) checkList(scenarios []zoo.Scenario, broken bool) {
	v.t.Helper()
	var list report.List
	v.decode(&list, v.admin, "list", "-A")
	v.t.Log(v.run(v.admin, "list", "-A").out)
	for _, scenario := range scenarios {
		for _, question := range scenario.Questions() {
			kind, name, _ := strings.Cut(question.Target, "/")
			at := slices.IndexFunc(list.Items, func(item report.ListItem) bool {
				return item.Target.Name == name && (item.Target.Namespace == question.Namespace || item.Target.Namespace == "") && sameKind(kind, item)
			})
			if at < 0 {
				v.t.Errorf("%s: %s is not listed", scenario.ID, question.Target)
				continue
			}
			if broken && (list.Items[at].Target.Kind == "Namespace" || scenario.ID == "S50") {
				continue // what holds these, or since when, is another matter by now
			}
			v.compare(scenario.ID, question.Want, list.Items[at])
		}
	}
	if !broken {
		return
	}
	for ns, reason := range map[string]finding.Reason{"s16": finding.APIServiceUnavailable, "s22": finding.ConversionWebhookUnavailable} {
		if !slices.ContainsFunc(list.Items, func(item report.ListItem) bool {
			return item.Target.Kind == "Namespace" && item.Target.Name == ns && slices.ContainsFunc(item.RootCauses, func(cause report.ItemCause) bool { return cause.Reason == reason })
		}) {
			v.t.Errorf("namespace %s doesn't wait for %s", ns, reason)
		}
	}
	if !slices.ContainsFunc(list.Unreadable, func(one report.Unreadable) bool { return strings.Contains(one.Resource, "s16.example.com") }) {
		v.t.Errorf("that s16.example.com can't be discovered is not said: %+v", list.Unreadable)
	}
}

// sameKind tells whether a type as kubectl takes it may be that of a listed object.
func sameKind(kind string, item report.ListItem) bool {
	short := map[string]string{"ns": "namespace", "cm": "configmap", "pvc": "persistentvolumeclaim", "pv": "persistentvolume", "crd": "customresourcedefinition", "vac": "volumeattributesclass"}
	if long := short[kind]; long != "" {
		kind = long
	}
	kind, _, _ = strings.Cut(kind, ".")
	return strings.EqualFold(kind, item.Target.Kind) || strings.HasPrefix(item.Resource, kind)
}

func (v *viewer) compare(id string, want zoo.Answer, item report.ListItem) {
	v.t.Helper()
	var wanted, got []string
	for _, cause := range want.Causes {
		wanted = append(wanted, fmt.Sprintf("%s × %d", cause.Reason, max(1, cause.Count)))
	}
	for _, cause := range item.RootCauses {
		reason := string(cause.Reason)
		for _, one := range want.Causes {
			if zoo.OneOf(one.Reason, reason) {
				reason = one.Reason
			}
		}
		got = append(got, fmt.Sprintf("%s × %d", reason, cause.Count))
	}
	slices.Sort(wanted)
	slices.Sort(got)
	if diff := cmp.Diff(wanted, got); diff != "" || !zoo.OneOf(want.Verdict, string(item.Verdict)) {
		v.t.Errorf("%s: %s is %s, want %s: %s\n%s", id, item.Target, item.Verdict, want.Verdict, item.Summary, diff)
	}
}

package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// IsOf reports whether list says something about what a question asks about.
func IsOf(item result.ListItem, question zoo.Question) bool {
	kind, name, _ := strings.Cut(question.Target, "/")
	inNamespace := item.Target.Namespace == question.Namespace || item.Target.Namespace == ""
	return item.Target.Name == name && inNamespace && sameKind(kind, item)
}

// sameKind reports whether a type as kubectl takes it may be that of a listed object.
func sameKind(kind string, item result.ListItem) bool {
	short := map[string]string{
		"ns": "namespace", "cm": "configmap", "pvc": "persistentvolumeclaim", "pv": "persistentvolume",
		"crd": "customresourcedefinition", "vac": "volumeattributesclass",
	}
	if long := short[kind]; long != "" {
		kind = long
	}
	kind, _, _ = strings.Cut(kind, ".")
	return strings.EqualFold(kind, item.Target.Kind) || strings.HasPrefix(item.Resource, kind)
}

// CompareItem holds what list says of an object to what why must say of it.
func CompareItem(t *testing.T, id string, want zoo.Answer, item result.ListItem) {
	t.Helper()
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
		t.Errorf("%s: %s is %s, want %s: %s\n%s", id, item.Target, item.Verdict, want.Verdict, item.Summary, diff)
	}
}

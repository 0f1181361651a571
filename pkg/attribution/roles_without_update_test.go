package attribution

import (
	"strings"
	"testing"
)

// TestRolesWithoutUpdate does not deny the roles of programs that can't be the finalizer's controllers.
func TestRolesWithoutUpdate(t *testing.T) {
	const denies = "no ServiceAccount has a role for queue.acme.dev"
	held := stuck{kind: "ConfigMap", namespace: "a", name: "x", finalizer: "acme.dev/keep"}
	operates := rightsOn("queue.acme.dev", "q", "broker") + "---" + operatorOf("q", "broker", 0)
	reads := may("get, list, watch", "queue.acme.dev", "queues", "q/viewer")
	for name, c := range map[string]struct {
		cluster   string
		want, not []string
	}{
		"a program has a role for the group, and can't update ConfigMaps": {
			operates, []string{
				"no ServiceAccount with a role to write queue.acme.dev can update configmaps",
				"ServiceAccount q/broker has a role for it",
			}, []string{denies},
		},
		"a program only reads the group": {
			reads, []string{"no ServiceAccount with a role to write queue.acme.dev can update configmaps"}, []string{denies},
		},
		"the role is nobody's": {
			strings.ReplaceAll(rightsOn("queue.acme.dev", "q", "broker"), "kind: ServiceAccount", "kind: User"),
			[]string{denies}, []string{"with a role to write"},
		},
		"another program of the group can update ConfigMaps": {
			operates + "---" + rightsOn("\"\", queue.acme.dev", "q", "keeper") + "---" + operatorOf("q", "keeper", 0),
			[]string{"q/keeper"}, []string{denies, "with a role to write"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := toldIn(t, c.cluster, held)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is missing in\n%s", want, got)
				}
			}
			for _, not := range c.not {
				if strings.Contains(got, not) {
					t.Errorf("%q is in\n%s", not, got)
				}
			}
		})
	}
}

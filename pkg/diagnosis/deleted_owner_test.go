package diagnosis_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// TestDeletingAnOwner asks about steps that delete an object which was not deleted: what goes with its dependents is
// said beside the step, however deep it is, unless another owner keeps it or it may not be listed.
func TestDeletingAnOwner(t *testing.T) {
	const version = "store.example.com/v1"
	runs := strings.ReplaceAll(granted("shop-operator", mayWrite, "items", theOperator), "apiGroups: [shop.example.com]",
		"apiGroups: [store.example.com]") +
		"---\n" + account("shop-operator") + "---\n" + operatorPod(podIsReady)
	below := func(kind, name string) string {
		return "ownerReferences: [{apiVersion: " + version + ", kind: " + kind + ", name: " + name + ", uid: " +
			strings.ToLower(kind) + "-" + name + "}]"
	}
	claimBelow := func(owners string) string {
		return object("v1", "PersistentVolumeClaim", "shop", "data", owners,
			"spec: {volumeName: disk}\nstatus: {phase: Bound}")
	}
	another := object(version, "App", "shop", "other", "", "")
	both := strings.Replace(below("App", "site"), "}]", "}, "+
		strings.TrimPrefix(below("App", "other"), "ownerReferences: ["), 1)
	user := object(version, "App", "shop", "site", "", "spec: {itemRef: {kind: Item, name: disk}}")
	for name, c := range map[string]struct {
		objects    []string
		deny, lost string
	}{
		"a claim of its own": {objects: []string{claimBelow(below("App", "site"))}, lost: "VolumeDeleted"},
		"a claim that may not be read": {lost: "DependentsUnread", deny: "persistentvolumeclaims",
			objects: []string{claimBelow(below("App", "site"))}},
		"a claim two levels down": {lost: "VolumeDeleted", objects: []string{
			object("shop.example.com/v1", "Database", "shop", "one", below("App", "site"), ""),
			claimBelow(strings.Replace(below("Database", "one"), "store", "shop", 1))}},
		"a claim of somebody else":         {objects: []string{claimBelow(below("App", "other")), another}},
		"a claim that another owner keeps": {objects: []string{claimBelow(both), another}},
		"nothing":                          {},
	} {
		for how, objects := range map[string][]string{
			"a reference": {user},
			"a declaration": {strings.Replace(user, "itemRef", "note", 1), object(version, "Usage", "shop", "keep", "",
				"spec: {of: {kind: Item, resourceRef: {name: disk}}, by: {kind: App, resourceRef: {name: site}}}")},
		} {
			held := object(version, "Item", "shop", "disk", deleted(time.Hour, "usage.store.example.com/protected"), "")
			asked := whyCase{target: "items.store.example.com/disk", deny: c.deny,
				objects: slices.Concat(objects, c.objects, []string{held, boundDisk("Delete"), runs})}
			deletions := 0
			for _, cause := range asked.ask(t).RootCauses {
				for _, remedy := range cause.Remedies {
					if !strings.Contains(remedy.Command.String(), "delete apps.store.example.com/site") {
						continue
					}
					deletions++
					var said []string
					for _, taken := range remedy.Taken {
						said = append(said, taken.Situation)
					}
					if got := strings.Join(said, " "); c.lost == "" && got != "" || !strings.Contains(got, c.lost) {
						t.Errorf("%s, %s: the step loses %q, want %q", name, how, got, c.lost)
					}
					if c.lost != "" && remedy.Risk != finding.DataLoss {
						t.Errorf("%s, %s: its risk is %s", name, how, remedy.Risk)
					}
				}
			}
			if deletions == 0 {
				t.Errorf("%s, %s: no deletion is offered", name, how)
			}
		}
	}
}

package preview_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/preview"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// TestSeveral deletes a volume, its claim and the pod that uses it: alone, each hangs on the next one; together, in
// whatever order, they go, and what hangs for a reason of its own still does.
func TestSeveral(t *testing.T) {
	bound := object("v1", "PersistentVolumeClaim", "data", "finalizers: [kubernetes.io/pvc-protection]",
		"spec: {volumeName: disk}\nstatus: {phase: Bound}")
	disk := object("v1", "PersistentVolume", "/disk", "finalizers: [kubernetes.io/pv-protection]",
		"spec: {persistentVolumeReclaimPolicy: Retain, "+
			"claimRef: {namespace: shop, name: data, uid: persistentvolumeclaim-data}}\nstatus: {phase: Bound}")
	c := previewCase{objects: append(running(), pod("web", "data"), bound, disk, database(cleanup))}
	volume, claim, user, held := "persistentvolumes/disk", "persistentvolumeclaims/data", "pods/web",
		"databases.shop.example.com/orders"
	for _, test := range []struct {
		targets []string
		want    []result.Outcome
	}{
		{[]string{volume, claim}, []result.Outcome{result.WouldHang, result.WouldHang}},
		{[]string{volume, claim, user}, []result.Outcome{result.WouldGo, result.WouldGo, result.WouldGo}},
		{[]string{user, claim, volume}, []result.Outcome{result.WouldGo, result.WouldGo, result.WouldGo}},
		{[]string{held, claim, user}, []result.Outcome{result.WouldHang, result.WouldGo, result.WouldGo}},
		{[]string{"configmaps/none", claim}, []result.Outcome{"", result.WouldHang}},
	} {
		for i, told := range c.several(t, test.targets) {
			is := result.Outcome("")
			if told != nil {
				is = told.Outcome
			}
			if is != test.want[i] {
				t.Errorf("%q: %s is %q, want %q", test.targets, test.targets[i], is, test.want[i])
			}
		}
	}
}

// several are the previews of some deletions at once; nil for what can't be previewed.
func (c previewCase) several(t *testing.T, names []string) []*result.Preview {
	t.Helper()
	known, err := plugins.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	memory, targets := c.memory(t), []session.Target{}
	for _, name := range names {
		targets = append(targets, c.asked(t, memory, name))
	}
	ask := func(target session.Target, gone map[string]bool) (*result.Preview, error) {
		options := preview.Options{
			Options: mechanism.Options{Plugins: known}, Gone: gone, Together: targets, Cascade: c.cascade,
		}
		return preview.Preview(t.Context(), memory, target, options)
	}
	answers, failed := preview.Several(t.Context(), targets, ask)
	for i, answer := range answers {
		if (answer == nil) != (failed[i] != nil) {
			t.Errorf("%s: %v, %v", names[i], answer, failed[i])
		}
	}
	return answers
}

package paste_test

import (
	"strings"
	"testing"
)

// TestListings knows tables by their columns that show no more than which objects there are. Where that isn't enough,
// because a Job is Terminating or the columns are those of any kind, it says what to give instead.
func TestListings(t *testing.T) {
	for table, c := range map[string]struct{ mentioned, problem string }{
		"NAME    ATTACHER     PV      NODE   ATTACHED   AGE\ncsi-1   csi.acme.io  pv-1    w1     true       3h\n": {
			"volumeattachments/csi-1", "",
		},
		"NAME     STATUS     COMPLETIONS   DURATION   AGE\nimport   Running    0/1           3h         3h\n": {
			"jobs/import", "",
		},
		"NAME     COMPLETIONS   DURATION   AGE\nimport   0/1           3h         3h\n": {"jobs/import", ""},
		"NAMESPACE  NAME     STATUS        COMPLETIONS   DURATION   AGE\n" +
			"shop       import   Terminating   0/1           3h         3h\n": {
			"", "kubectl get jobs import -o yaml -n shop",
		},
		"NAME   READY   STATUS     AGE\nb1     False   Deleting   3h\n": {"", "kubectl get TYPE b1 -o yaml"},
	} {
		found := read(t, table)
		mentioned := ""
		for _, one := range found.mentions {
			mentioned += one.Resource + "/" + one.Name
		}
		if mentioned != c.mentioned || len(found.objects) > 0 {
			t.Errorf("%s mentions %q, want %q; objects: %q", table, mentioned, c.mentioned, found.names())
		}
		switch {
		case c.problem == "" && len(found.problems) > 0:
			t.Errorf("%s: %v", table, found.problems)
		case c.problem != "" && (len(found.problems) != 1 || !strings.Contains(found.problems[0].Reason, c.problem)):
			t.Errorf("%s: %v, want %q", table, found.problems, c.problem)
		}
	}
}

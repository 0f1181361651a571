package diagnosis_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print/table"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestTreeOfNamespaceCounts counts what is in a namespace that is not being deleted, and nothing of others, with each
// kind listed once; of one that is being deleted, the graph has what is left.
func TestTreeOfNamespaceCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		meta string
		want []result.TreeContent
	}{
		{"", []result.TreeContent{
			{Resource: "configmaps", Count: 2, Held: 1, Name: "one"}, {Resource: "secrets", Count: 1, Name: "key"},
		}},
		{deleted(time.Hour, "example.com/hold"), nil},
	} {
		memory, err := clustertest.New(now, strings.Join([]string{
			object("v1", "Namespace", "", "shop", c.meta, ""),
			object("v1", "ConfigMap", "shop", "one", "finalizers: [example.com/hold]", ""),
			object("v1", "ConfigMap", "shop", "two", "", ""), object("v1", "Secret", "shop", "key", "", ""),
			object("v1", "ConfigMap", "elsewhere", "three", "", ""),
		}, "\n---\n"))
		if err != nil {
			t.Fatal(err)
		}
		namespaces := session.Target{Resource: cluster.Namespaces(), Name: "shop"}
		tree, err := diagnosis.Tree(t.Context(), memory, namespaces, diagnosis.TreeOptions{Options: asking(t)})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, tree.Contents); diff != "" {
			t.Errorf("%q: %s", c.meta, diff)
		}
		var human bytes.Buffer
		if err := print.Result(t.Context(), &human, tree, print.FormatHuman, print.Style{Table: table.Draw}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(human.String(), "CONTAINS") != (c.want != nil) {
			t.Errorf("%q:\n%s", c.meta, human.String())
		}
	}
}

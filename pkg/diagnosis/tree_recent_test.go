package diagnosis_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// freshness counts the lists of Nodes that may come from the API server's memory, and the ones that may not.
type freshness struct {
	cluster.Reader
	mu                 sync.Mutex
	recent, consistent int
}

func (f *freshness) EachMetadata(ctx context.Context, resource cluster.Resource, namespace string,
	selector cluster.Selector, visit func(*metav1.PartialObjectMetadata)) error {
	f.mu.Lock()
	switch {
	case selector.Recent && resource.Kind == "Node":
		f.recent++
	case selector.Recent && resource.Namespaced:
		f.recent += 100
	case resource.Kind == "Node":
		f.consistent++
	}
	f.mu.Unlock()
	return f.Reader.EachMetadata(ctx, resource, namespace, selector, visit)
}

// TestTreeRestsOnNothingStale draws what refers by mistake from the API server's memory, and diagnoses from
// what was read consistently.
func TestTreeRestsOnNothingStale(t *testing.T) {
	for name, c := range map[string]struct {
		owner              string
		recent, consistent int
		everywhere         bool
	}{
		"live": {owner: configMap("owner", ""), recent: 1},
		"held by a dependent": {owner: configMap("owner", deleted(time.Hour, "foregroundDeletion")), recent: 1,
			consistent: 1},
		"live, and everywhere": {owner: configMap("owner", ""), consistent: 1, everywhere: true},
	} {
		t.Run(name, func(t *testing.T) {
			memory, err := clustertest.New(now,
				strings.Join([]string{c.owner, object("v1", "Node", "", "mistake", owned("owner", true), ""), managerAlive()},
					"---\n"))
			if err != nil {
				t.Fatal(err)
			}
			reader := &freshness{Reader: memory}
			servedKinds, _ := memory.ServedKinds(t.Context())
			configMaps, _ := servedKinds.Find(schema.GroupResource{Resource: "configmaps"})
			tree, err := diagnosis.Tree(t.Context(), reader, session.Target{Resource: configMaps, Namespace: "shop",
				Name: "owner"},
				diagnosis.TreeOptions{Options: asking(t), Everywhere: c.everywhere, Depth: 1})
			if err != nil {
				t.Fatal(err)
			}
			shown := false
			for _, edge := range tree.Edges {
				shown = shown || edge.Type == finding.Owns && edge.Reference == finding.DependentClusterScoped
			}
			if !shown || reader.recent != c.recent || reader.consistent != c.consistent {
				t.Errorf("the mistake is shown: %t; %d lists from memory, %d consistent, want %d and %d", shown, reader.recent,
					reader.consistent, c.recent, c.consistent)
			}
		})
	}
}

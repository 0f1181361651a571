package mechanism

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/contexts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// borderOf is a border with contexts as a table has them: how a kubeconfig is compared, pkg/contexts tests itself.
type borderOf struct {
	leading contexts.Leading
	named   bool
	there   *Tools // nil for a cluster that can't be reached
	crossed int
}

func (b *borderOf) Lead(contexts.Sought) contexts.Leading { return b.leading }
func (b *borderOf) May(contexts.Chosen) bool              { return b.named }
func (b *borderOf) Kubectl(name string) session.Kubectl {
	return session.Kubectl{Flags: []string{"--context", name}}
}
func (b *borderOf) Asked() []result.Cluster { return nil }
func (b *borderOf) Cross(ctx context.Context, _ string) (*Tools, context.Context, error) {
	b.crossed++
	if b.there == nil {
		return nil, ctx, errors.New("no route to host")
	}
	return b.there, ctx, nil
}

// TestAcrossBorder asks about an Application whose resources are in another cluster: with and without contexts for it,
// with a cluster that doesn't answer, and with one in which nothing may be read. A cluster that was not named is never
// asked.
func TestAcrossBorder(t *testing.T) {
	const finalizer = "resources-finalizer.argocd.argoproj.io"
	application := func(destination string) string {
		return manifest("argoproj.io/v1alpha1", "Application", "argocd", "shop", deleted(time.Hour, finalizer),
			"spec: {destination: {"+destination+"}}\nstatus: {resources: ["+
				"{group: shop.example.com, version: v1, kind: Database, namespace: shop, name: orders}]}")
	}
	held := manifest("shop.example.com/v1", "Database", "shop", "orders", deleted(time.Hour, "shop.example.com/drop"), "")
	alive := manifest("shop.example.com/v1", "Database", "shop", "orders", "", "")
	spoke := contexts.Leading{Clusters: []contexts.Chosen{{Name: "spoke"}}}
	several := contexts.Leading{Clusters: []contexts.Chosen{{Name: "spoke"}, {Name: "twin"}}}
	for name, test := range map[string]struct {
		destination string
		border      *borderOf
		there       string // the objects of the other cluster
		deny        bool   // nothing may be read there
		says        []string
		abroad      []string
	}{
		"no kubeconfig at hand":  {says: []string{"ElsewhereNoted"}},
		"no context leads there": {border: &borderOf{}, says: []string{"ElsewhereWithoutContext"}},
		"a context that was not named": {
			border: &borderOf{leading: spoke}, there: held, says: []string{"ElsewhereOffered"},
		},
		"contexts of different clusters": {
			border: &borderOf{named: true, leading: several},
			there:  held, says: []string{"ElsewhereAmbiguous"},
		},
		"its own cluster": {border: &borderOf{named: true, leading: contexts.Leading{Here: true}}, there: held},
		"its own cluster by name": {
			destination: "name: in-cluster", border: &borderOf{named: true, leading: spoke}, there: held,
		},
		"a cluster that can't be reached": {
			border: &borderOf{named: true, leading: spoke}, says: []string{"ElsewhereFailed"},
		},
		"an object that is held there": {
			border: &borderOf{named: true, leading: spoke}, there: held,
			abroad: []string{"wait Database shop/orders"},
		},
		"an object that is not being deleted there": {
			border: &borderOf{named: true, leading: spoke}, there: alive,
			says: []string{"ElsewhereNothing"},
		},
		"nothing may be read there": {
			border: &borderOf{named: true, leading: spoke}, there: held, deny: true,
			abroad: []string{"open"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			objects := application(cmp.Or(test.destination, `server: "https://spoke.example.com:6443"`))
			tools := toolsFor(t, objects)
			if test.border != nil {
				tools.Border = test.border
			}
			if test.there != "" {
				test.border.there = toolsWith(t, test.there, func(memory *clustertest.Memory) {
					if test.deny {
						memory.Deny("databases")
					}
				})
			}
			target := firstOf(t, tools, objects)
			answer, elsewhere := acrossBorder(t.Context(), tools, Held{Object: target, Hold: target.Holds()[0]}, Answer{})
			var says, abroad []string
			for _, found := range append(answer.Remarks, answer.Open...) {
				says = append(says, found.Situation)
			}
			for _, there := range answer.Abroad {
				abroad = append(abroad, told(there.Answer)...)
			}
			if diff := gocmp.Diff(test.says, says); diff != "" {
				t.Errorf("says (-want +got):\n%s", diff)
			}
			if len(abroad) != len(test.abroad) || len(abroad) > 0 && !strings.HasPrefix(abroad[0], test.abroad[0]) {
				t.Errorf("there is %q, want %q", abroad, test.abroad)
			}
			if elsewhere != (len(says)+len(abroad) > 0) {
				t.Errorf("elsewhere is %v", elsewhere)
			}
			if border := test.border; border != nil {
				mayAsk := border.named && len(border.leading.Clusters) == 1 && elsewhere
				if border.crossed > 0 != mayAsk {
					t.Errorf("the other cluster was asked %d times", border.crossed)
				}
			}
			if len(answer.Progress)+len(answer.Causes) > 0 {
				t.Errorf("more is said: %q", told(answer))
			}
		})
	}
}

// TestNamedThere takes from an Application only what an object may be called: the rest of its text is anyone's, and
// would reach requests and the arguments of commands.
func TestNamedThere(t *testing.T) {
	items := []string{
		"{group: shop.example.com, kind: Database, namespace: shop, name: orders}",
		"{kind: Secret, namespace: shop, name: key}", "{kind: Database, group: shop.example.com, name: ''}",
		"{kind: --kubeconfig=x, name: a}", "{kind: Database, group: a/b, name: a}", "{kind: Database, group: -x, name: a}",
		"{kind: ConfigMap, namespace: ../x, name: a}", "{kind: ConfigMap, namespace: x, name: ../../nodes/n}",
		"{kind: 'Config Map', name: a}", "{kind: ConfigMap, namespace: x, name: 7}", "text",
	}
	objects := manifest("argoproj.io/v1alpha1", "Application", "argocd", "shop", deleted(time.Hour, "x"),
		"status: {resources: ["+strings.Join(items, ", ")+"]}")
	tools := toolsFor(t, objects)
	target := firstOf(t, tools, objects)
	if _, err := tools.Session.Whole(t.Context(), target); err != nil {
		t.Fatal(err)
	}
	known := plugins.Elsewhere{Objects: []plugins.There{{Each: "{.status.resources[*]}"}}}
	named, more := namedThere(Held{Object: target}, known)
	var places []string
	for _, ref := range named {
		places = append(places, ref.String())
	}
	if diff := gocmp.Diff([]string{"Database shop/orders", "Secret shop/key"}, places); diff != "" || more > 0 {
		t.Errorf("%d more (-want +got):\n%s", more, diff)
	}
}

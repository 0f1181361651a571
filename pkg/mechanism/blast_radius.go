package mechanism

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// nothingSelected is a label selector that selects no object. With a selector, a list is answered
// from the watch cache, limit or not, just as the namespace controller's lists are (k8s v1.37
// apiserver/pkg/storage/cacher/delegator.go:shouldDelegateListOnNotReadyCache), and this one carries
// no object over the wire.
const nothingSelected = "kubectl-finalizers,!kubectl-finalizers"

// silence is how long the namespace controller may leave a namespace without conditions: it takes it
// up after 5 s (k8s v1.37 pkg/controller/namespace/namespace_controller.go:namespaceDeletionGracePeriod)
// and writes them at the end of each round.
const silence = 15 * time.Second

// addUnlistable looks for a kind that can't be listed although nothing of it may be in the namespace: one object that
// can't be read, in any namespace, keeps the watch cache of its kind from getting ready. The namespace controller then
// meets 429 and says nothing for minutes (deletion-mechanics M20-4, B.3-14). Kinds that don't come with Kubernetes are
// asked about first. It reports whether there is one.
func (c *content) addUnlistable(ctx context.Context) bool {
	if _, down := c.tools.Health.ControllerManagerDown(ctx); down {
		return false // which explains the silence
	}
	if _, unread := c.tools.Health.ControllerManagerUnread(ctx); unread {
		return false // and may be what explains it
	}
	catalog, err := c.tools.Session.Reader.Catalog(ctx)
	if err != nil {
		return false // said elsewhere: without the catalog nothing is known at all
	}
	rounds := map[bool][]cluster.Resource{}
	for _, resource := range catalog.Owned() {
		if resource.Namespaced {
			own := cluster.ServedByKubernetes(resource.Group)
			rounds[own] = append(rounds[own], resource)
		}
	}
	for _, comesWithKubernetes := range []bool{false, true} {
		kinds, selector := rounds[comesWithKubernetes], cluster.Selector{Labels: nothingSelected}
		unlisted := cluster.Probe(ctx, c.tools.Session.Reader, kinds, c.namespace.Ref.Name, selector)
		damaged := false
		for _, one := range unlisted {
			said := append(slices.Clone(c.said), finding.Observed(fmt.Sprintf("a list of %s in %s", one.QualifiedName(), c.namespace.Ref.Name), "%s", one.Err.Error()))
			answer, found := c.tools.storageAnswer(ctx, c.namespace, one.Err.Error(), true, said...)
			c.answer.Add(answer)
			damaged = damaged || found
		}
		if damaged {
			return true
		}
	}
	return false
}

// addUnserved answers for a kind that the conditions name and that can't be found: its group can't be discovered at the
// moment, which is a finding of its own, or it is gone and with it, as far as the server knows, all of its objects.
func (c *content) addUnserved(catalog *cluster.Catalog, name schema.GroupResource, said finding.Evidence) {
	for _, version := range catalog.FailedVersions() {
		if version.Group == name.Group {
			c.undiscovered = append(c.undiscovered, said)
			return
		}
	}
	c.gone = append(c.gone, name.String())
}

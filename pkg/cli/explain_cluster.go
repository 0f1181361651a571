package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// How long explain waits for a cluster, unless --request-timeout says: what it knows needs none.
const (
	explainRequest = "4s"
	explainAll     = 10 * time.Second
)

// inCluster asks the cluster at hand whether a finalizer's controller is there. Having none is no error.
func (o *explainOptions) inCluster(ctx context.Context, set *plugins.Set, finalizer string) *result.InCluster {
	if o.offline {
		return notAsked("--offline was given")
	}
	answer, err := ask(ctx, o, func(ctx context.Context, c *connection) (*result.InCluster, error) {
		c.options.Plugins, c.options.Program = set, o.program
		answer, err := c.over(c.reader).Explain(ctx, finalizer, finalizers.ExplainOptions{Kind: o.kind})
		if err != nil {
			return nil, err
		}
		if c.live != nil {
			answer.Cluster.Server = c.config.Host
		}
		return answer.Cluster, nil
	})
	if err != nil {
		return notAsked(unreached(err))
	}
	return answer
}

// ask connects to the cluster at hand and asks it something, within a time that is short unless the user says how long.
func ask[T any](
	ctx context.Context, o *explainOptions, question func(context.Context, *connection) (T, error),
) (T, error) {
	if !o.patient && len(o.snapshots) == 0 {
		*o.config.Timeout = explainRequest
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, explainAll)
		defer cancel()
	}
	return untilDone(ctx, func() (answer T, err error) {
		connection, err := o.connect(ctx, nil)
		if err != nil {
			return answer, err
		}
		return question(ctx, connection)
	})
}

func notAsked(why string) *result.InCluster {
	return &result.InCluster{WhyNot: why, Controllers: []result.Presence{}, Unreadable: []finding.Unreadable{}}
}

func unreached(err error) string {
	var none noClusterError
	switch {
	case errors.As(err, &none):
		return "no kubeconfig names one"
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("it did not answer within %s", explainAll)
	case errors.Is(err, context.Canceled):
		return "that was interrupted"
	}
	return strings.TrimSuffix(err.Error(), ".")
}

// unknown says that the cluster does not know an unknown finalizer either: nil if it does.
func (o *explainOptions) unknown(notKnown error, inCluster *result.InCluster) error {
	switch {
	case len(inCluster.Controllers) > 0:
		return nil
	case !inCluster.Asked:
		return fmt.Errorf("%w\nThe cluster was not asked: %s", notKnown, inCluster.WhyNot)
	case o.kind != "":
		return fmt.Errorf("%w\nThis cluster does not serve the kind %s", notKnown, o.kind)
	}
	return fmt.Errorf("%w\nTo look for its controller, name the kind of the object with --kind", notKnown)
}

// resolveKind writes out what --kind means, as KIND or KIND.GROUP: a kind, or, as kubectl takes them, the plural, the
// singular or a short name of one. What Kubernetes itself and the plugins name needs no cluster; for the rest the one
// at hand is asked. An unknown kind is an error that suggests what may have been meant.
func (o *explainOptions) resolveKind(ctx context.Context, set *plugins.Set) error {
	known := knownKinds(set)
	isKind := func(resource cluster.Resource) bool {
		return strings.EqualFold(resource.Kind, o.kind) || strings.EqualFold(resource.GroupKind().String(), o.kind)
	}
	// A name alone may stand for the kinds of several groups.
	if o.kind == "" || slices.ContainsFunc(known, isKind) || o.writeOutKind(known) || isPattern(set, o.kind) {
		return nil
	}
	why := "--offline was given, so no cluster was asked"
	if !o.offline {
		served, err := ask(ctx, o,
			func(_ context.Context, c *connection) (*cluster.ServedKinds, error) { return c.servedKinds, nil })
		if err != nil {
			why = "no cluster was asked: " + unreached(err)
		} else {
			_, group, _ := strings.Cut(o.kind, ".")
			if o.writeOutKind(served.Resources) || group != "" && served.MayServe(group) {
				return nil // perhaps of a group that can't be discovered
			}
			known, why = append(known, served.Resources...), "this cluster does not serve it"
		}
	}
	near := nearest(known, cluster.TypedName(o.kind))
	switch {
	case len(near) > 0:
		return fmt.Errorf("unknown kind %q: %s. Did you mean %s?", o.kind, why, strings.Join(near, " or "))
	case strings.Contains(o.kind, "."):
		return nil // another cluster may serve it, and some finalizers may be on any kind
	}
	return fmt.Errorf("unknown kind %q: %s. Name it as KIND or KIND.GROUP, "+
		"for example PersistentVolumeClaim, or as kubectl takes it", o.kind, why)
}

// isPattern reports whether the catalogue writes some of its kinds so, as in *.services.k8s.aws.
func isPattern(set *plugins.Set, kind string) bool {
	return slices.ContainsFunc(set.All(), func(entry plugins.Finalizer) bool {
		return slices.ContainsFunc(entry.Kinds, func(pattern string) bool { return strings.EqualFold(pattern, kind) })
	})
}

func (o *explainOptions) writeOutKind(resources []cluster.Resource) bool {
	found := cluster.Meant(resources, o.kind)
	if len(found) == 0 {
		return false
	}
	kind := cluster.Preferred(found).GroupKind()
	if !strings.Contains(o.kind, ".") {
		kind.Group = ""
	}
	o.kind = kind.String()
	return true
}

// knownKinds are those of Kubernetes itself, and those on which the catalogue knows finalizers, with plurals that are
// guessed.
func knownKinds(set *plugins.Set) []cluster.Resource {
	known := files.BuiltIn()
	for _, finalizer := range set.All() {
		for _, pattern := range finalizer.Kinds {
			kind := schema.ParseGroupKind(pattern)
			isKind := func(resource cluster.Resource) bool { return resource.GroupKind() == kind }
			if strings.ContainsAny(pattern, "*?[") || slices.ContainsFunc(known, isKind) {
				continue
			}
			plural, singular := cluster.GuessPlural(kind.WithVersion(""))
			known = append(known,
				cluster.Resource{GroupVersionResource: plural, Kind: kind.Kind, Singular: singular.Resource})
		}
	}
	return known
}

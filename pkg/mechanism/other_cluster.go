package mechanism

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/contexts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// otherCluster is a cluster that an object names.
type otherCluster struct {
	finding.OtherCluster
	authority []byte
	here      bool             // the catalogue says that it is the cluster of the object itself
	unread    []finding.Unread // why nothing more is known of it
}

// sought is the cluster as contexts are compared with it.
func (o otherCluster) sought() contexts.Sought {
	return contexts.Sought{Server: o.Server, Authority: o.authority, Name: o.Name}
}

// namedClusters returns the clusters in which a held object waits, by the catalogue: none if that is its own cluster.
// Secrets are only named.
func namedClusters(
	ctx context.Context, reads *session.Session, held Held, known plugins.Elsewhere,
) (all []otherCluster) {
	for _, way := range known.Clusters {
		if way.Of == "" {
			if cluster, names := readNames(way, held.Whole.Object, nil); names {
				return []otherCluster{cluster}
			}
			continue
		}
		for _, value := range (plugins.Field{Path: way.Named, Says: "cluster"}).Values(held.Whole.Object) {
			if name, of := way.InForm(value); of {
				if cluster, names := namedBy(ctx, reads, held, way, name); names {
					all = append(all, cluster)
				}
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

// namedBy reads the object that names a cluster. One that isn't there, or whose kind isn't served, names none.
func namedBy(
	ctx context.Context, reads *session.Session, held Held, way plugins.NamedCluster, name string,
) (cluster otherCluster, names bool) {
	kind := schema.ParseGroupKind(way.Of)
	resource, served := reads.ServedKinds(ctx).OfKind(kind)
	if !served {
		return cluster, false
	}
	namespace := ""
	if resource.Namespaced {
		namespace = held.Ref.Namespace
		switch {
		case strings.HasPrefix(way.In, "{"):
			namespace = plugins.Filled(way.In, held.Whole.Object)
		case way.In != "":
			namespace = way.In
		}
		if namespace == "" {
			return cluster, false
		}
	}
	by := session.Named(resource, namespace, name)
	whole, err := reads.Whole(ctx, by)
	switch {
	case apierrors.IsNotFound(err):
		return cluster, false
	case err != nil:
		return otherCluster{
			OtherCluster: finding.OtherCluster{By: &by.Ref, Name: name},
			unread:       []finding.Unread{finding.UnreadObject(by.Ref).Because(err)},
		}, true
	}
	by.Ref.UID = string(whole.GetUID())
	return readNames(way, whole.Object, &by.Ref)
}

// readNames reads the fields that name a cluster.
func readNames(way plugins.NamedCluster, object map[string]any, by *finding.Ref) (one otherCluster, names bool) {
	one.By = by
	if way.Server != "" {
		if server := plugins.Filled(way.Server, object); contexts.IsAddress(server) {
			one.Server = server
		}
	}
	if one.Server != "" && way.Authority != "" {
		if data, err := base64.StdEncoding.DecodeString(plugins.Filled(way.Authority, object)); err == nil {
			one.authority = data
		}
	}
	if way.Name != "" {
		one.Name = plugins.Filled(way.Name, object)
	}
	if way.Secret != "" {
		one.Credentials = plugins.Filled(way.Secret, object)
	}
	one.here = slices.Contains(way.Here, one.Name) || slices.Contains(way.Here, one.Server)
	return one, one.Server != "" || one.Name != "" && way.Server == "" || one.Credentials != "" || one.here
}

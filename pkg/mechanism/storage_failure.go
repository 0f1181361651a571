package mechanism

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// oddPrefixes are the resources that are stored under another name than they are served under (k8s
// v1.37 pkg/kubeapiserver/default_storage_factory_builder.go:SpecialDefaultResourcePrefixes).
func oddPrefixes() map[string]string {
	return map[string]string{"minions": "nodes", "controllers": "replicationcontrollers", "ingress": "ingresses", "services/specs": "services", "services/endpoints": "endpoints"}
}

// objectAt resolves a storage key: /registry/GROUP/RESOURCE/NAMESPACE/NAME, without the group for most
// kinds that come with Kubernetes, and without the prefix where the server leaves it out.
func (w *World) objectAt(ctx context.Context, key string) (*facts.Object, bool) {
	catalog, err := w.Reader.Catalog(ctx)
	if err != nil {
		return nil, false
	}
	for odd, plain := range oddPrefixes() {
		key = strings.Replace(key, "/"+odd+"/", "/"+plain+"/", 1)
	}
	segments := strings.Split(strings.Trim(key, "/"), "/")
	catalog.AskAll()
	for at := range segments {
		for _, resource := range catalog.Resources {
			rest, matches := restOf(segments[at:], resource)
			switch {
			case matches && resource.Namespaced && len(rest) == 2:
				return facts.Named(resource, rest[0], rest[1]), true
			case matches && !resource.Namespaced && len(rest) == 1:
				return facts.Named(resource, "", rest[0]), true
			}
		}
	}
	return nil, false
}

func restOf(segments []string, resource cluster.Resource) ([]string, bool) {
	switch {
	case len(segments) > 2 && segments[0] == resource.Group && segments[1] == resource.Resource:
		return segments[2:], true
	case len(segments) > 1 && segments[0] == resource.Resource && cluster.ServedByKubernetes(resource.Group):
		return segments[1:], true
	}
	return nil, false
}

// storageAnswer answers for what in storage keeps an object from going. It answers false if the text
// speaks of no such thing. Texts of conditions may be old: unless the text is that of a read of now,
// each is confirmed by a read of its own.
func (w *World) storageAnswer(ctx context.Context, held *facts.Object, text string, now bool, said ...graph.Evidence) (facts.Answer, bool) {
	answer := facts.Answer{}
	found := facts.Damages(text)
	for _, one := range found {
		if !now {
			confirmed, over := w.confirm(ctx, held, one, said)
			if over != nil {
				answer.Add(*over)
				continue
			}
			one = confirmed
		}
		if one.Conversion() {
			answer.Add(w.conversionFails(ctx, held, one, said))
		} else {
			answer.Add(w.undecodable(ctx, held, one, said))
		}
	}
	answer.Waits = joinUndecodable(answer.Waits)
	return answer, len(found) > 0
}

// confirm reads what could not be read when a condition was written. The second answer is given
// when nothing follows from the damage any more, or nothing can be told.
func (w *World) confirm(ctx context.Context, held *facts.Object, one facts.Damage, said []graph.Evidence) (facts.Damage, *facts.Answer) {
	object, err := w.readDamaged(ctx, held, one)
	if object == nil {
		return one, nil // the key says too little
	}
	if err == nil {
		answer := w.retried(ctx, held, object.Ref.String()+" can be read again, or is gone")
		return one, &answer
	}
	current := facts.Damages(err.Error())
	if len(current) == 0 {
		what := object.Ref.String()
		if object.Ref.Name == "" {
			what = object.Resource.QualifiedName() + " in " + object.Ref.Namespace
		}
		answer := facts.Unread(what, err, said...)
		return one, &answer
	}
	current[0].Key = longer(one.Key, current[0].Key)
	return current[0], nil
}

// retried answers for a failure that is over: who met it tries again by itself. A namespace's
// controller waits for a minute at most (deletion-mechanics B.1-7); kube-apiserver, which answers us,
// cleans up after definitions itself.
func (w *World) retried(ctx context.Context, held *facts.Object, over string) facts.Answer {
	who := "kube-apiserver"
	if held.Is("", "Namespace") {
		who = facts.ControllerManager
		if answer, alive := w.ControllerManagerAlive(ctx); !alive {
			return answer
		}
	}
	return facts.Progress(facts.Note{
		Message: fmt.Sprintf("What held %s up is over: %s. %s tries again by itself, within a minute or so.", held.Ref, over, who),
		Awaited: fmt.Sprintf("%s to try again, which it does within a minute or so (%s)", who, over),
	})
}

// longer returns the fuller of two forms of a storage key.
func longer(a, b string) string {
	if len(b) > len(a) {
		return b
	}
	return a
}

// readDamaged reads the object that a key names, or lists the kind of a conversion in the held
// object's namespace. Not found is read, too.
func (w *World) readDamaged(ctx context.Context, held *facts.Object, one facts.Damage) (*facts.Object, error) {
	if object, known := w.objectAt(ctx, one.Key); known {
		_, err := w.Reader.Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
		return object, ignoreNotFound(err)
	}
	catalog, err := w.Reader.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	resource, served := catalog.OfKind(one.Kind)
	if !served {
		return nil, nil
	}
	namespace := held.Ref.Namespace
	if held.Is("", "Namespace") {
		namespace = held.Ref.Name
	}
	return facts.Named(resource, namespace, ""), ignoreNotFound(w.Reader.EachMetadata(ctx, resource, namespace, cluster.Selector{}, func(*metav1.PartialObjectMetadata) {}))
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

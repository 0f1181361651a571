package mechanism

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// damage is one thing in storage that kube-apiserver can't hand out: because a conversion webhook
// doesn't answer (deletion-mechanics M19), or because it doesn't decode (M20). Since 1.37 both look
// like corrupt objects, and the text behind tells them apart.
type damage struct {
	// key is the storage key as the server says it, or empty: some texts have none.
	key string
	// kind is that of a conversion webhook that failed; empty if the object doesn't decode.
	kind schema.GroupKind
	// said is the innermost text: why it failed.
	said string
}

func (d damage) conversion() bool { return d.kind.Kind != "" }

// damages reads what the server says of its storage, in an error or in a namespace's condition:
// "… StorageError: corrupt object, Code: 7, Key: K, ResourceVersion: 0, AdditionalErrorMsg: object not
// decodable revision=N: WHY" (k8s v1.37 apiserver/pkg/storage/errors.go:StorageError.Error), or from
// older servers only "conversion webhook for G/V, Kind=K failed: WHY".
func damages(text string) []damage {
	var found []damage
	parts := strings.Split(text, "StorageError: corrupt object")
	for i, part := range parts {
		one := damage{said: part}
		if i > 0 {
			if match := regexp.MustCompile(`Key: ([^\s,]+)`).FindStringSubmatch(part); match != nil {
				one.key = match[1]
			}
			if match := regexp.MustCompile(`(?s)AdditionalErrorMsg: (?:object not decodable revision=\d+: )?(.*)`).FindStringSubmatch(part); match != nil {
				one.said = match[1]
			}
		}
		one.said = withoutTail(one.said)
		failed := regexp.MustCompile(`(?s)conversion webhook for ([^\s,]+), Kind=([^\s:]+) failed: (.*)`).FindStringSubmatch(part)
		if failed != nil {
			version, err := schema.ParseGroupVersion(failed[1])
			if err == nil {
				one.kind, one.said = version.WithKind(failed[2]).GroupKind(), withoutTail(failed[3])
			}
		}
		if i == 0 && failed == nil {
			continue // what stands before the first
		}
		same := func(other damage) bool {
			return one.conversion() && other.kind == one.kind || !one.conversion() && !other.conversion() && other.key == one.key
		}
		if !slices.ContainsFunc(found, same) {
			found = append(found, one)
		}
	}
	return found
}

// withoutTail cuts off what a list of errors says next.
func withoutTail(text string) string {
	text, _, _ = strings.Cut(text, ", failed to read one or more")
	text, _, _ = strings.Cut(text, ", unexpected items still remain")
	return strings.TrimRight(strings.TrimSpace(text), ",]")
}

// StorageDamaged tells whether a read failed because of what is in storage: a finding, and no
// accident of the reading.
func StorageDamaged(err error) bool { return err != nil && len(damages(err.Error())) > 0 }

// oddPrefixes are the resources that are stored under another name than they are served under (k8s
// v1.37 pkg/kubeapiserver/default_storage_factory_builder.go:SpecialDefaultResourcePrefixes).
func oddPrefixes() map[string]string {
	return map[string]string{"minions": "nodes", "controllers": "replicationcontrollers", "ingress": "ingresses", "services/specs": "services", "services/endpoints": "endpoints"}
}

// objectAt resolves a storage key: /registry/GROUP/RESOURCE/NAMESPACE/NAME, without the group for most
// kinds that come with Kubernetes, and without the prefix where the server leaves it out.
func (w *World) objectAt(ctx context.Context, key string) (*Object, bool) {
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
				return Named(resource, rest[0], rest[1]), true
			case matches && !resource.Namespaced && len(rest) == 1:
				return Named(resource, "", rest[0]), true
			}
		}
	}
	return nil, false
}

func restOf(segments []string, resource cluster.Resource) ([]string, bool) {
	switch {
	case len(segments) > 2 && segments[0] == resource.Group && segments[1] == resource.Resource:
		return segments[2:], true
	case len(segments) > 1 && segments[0] == resource.Resource && builtIn(resource.Group):
		return segments[1:], true
	}
	return nil, false
}

// builtIn tells whether a group comes with Kubernetes, as far as its name shows.
func builtIn(group string) bool {
	return !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io")
}

// storageAnswer answers for what in storage keeps an object from going. It answers false if the text
// speaks of no such thing. Texts of conditions may be old: unless the text is that of a read of now,
// each is confirmed by a read of its own.
func (w *World) storageAnswer(ctx context.Context, held *Object, text string, now bool, said ...graph.Evidence) (Answer, bool) {
	answer := Answer{}
	found := damages(text)
	for _, one := range found {
		if !now {
			confirmed, over := w.confirm(ctx, held, one, said)
			if over != nil {
				answer.add(*over)
				continue
			}
			one = confirmed
		}
		if one.conversion() {
			answer.add(w.conversionFails(ctx, held, one, said))
		} else {
			answer.add(w.undecodable(ctx, held, one, said))
		}
	}
	answer.Waits = joinUndecodable(answer.Waits)
	return answer, len(found) > 0
}

// confirm reads what could not be read when a condition was written. The second answer is given
// when nothing follows from the damage any more, or nothing can be told.
func (w *World) confirm(ctx context.Context, held *Object, one damage, said []graph.Evidence) (damage, *Answer) {
	object, err := w.readDamaged(ctx, held, one)
	if object == nil {
		return one, nil // the key says too little
	}
	if err == nil {
		answer := w.retried(ctx, held, object.Ref.String()+" can be read again, or is gone")
		return one, &answer
	}
	current := damages(err.Error())
	if len(current) == 0 {
		what := object.Ref.String()
		if object.Ref.Name == "" {
			what = object.Resource.QualifiedName() + " in " + object.Ref.Namespace
		}
		answer := unread(what, err, said...)
		return one, &answer
	}
	current[0].key = longer(one.key, current[0].key)
	return current[0], nil
}

// retried answers for a failure that is over: who met it tries again by itself. A namespace's
// controller waits for a minute at most (deletion-mechanics B.1-7); kube-apiserver, which answers us,
// cleans up after definitions itself.
func (w *World) retried(ctx context.Context, held *Object, over string) Answer {
	who := "kube-apiserver"
	if held.is("", "Namespace") {
		who = controllerManager
		if answer, alive := w.controllerManagerAlive(ctx); !alive {
			return answer
		}
	}
	return progress(Note{
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
func (w *World) readDamaged(ctx context.Context, held *Object, one damage) (*Object, error) {
	if object, known := w.objectAt(ctx, one.key); known {
		_, err := w.Reader.Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
		return object, ignoreNotFound(err)
	}
	catalog, err := w.Reader.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	resource, served := catalog.OfKind(one.kind)
	if !served {
		return nil, nil
	}
	namespace := held.Ref.Namespace
	if held.is("", "Namespace") {
		namespace = held.Ref.Name
	}
	return Named(resource, namespace, ""), ignoreNotFound(w.Reader.EachMetadata(ctx, resource, namespace, cluster.Selector{}, func(*metav1.PartialObjectMetadata) {}))
}

func ignoreNotFound(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

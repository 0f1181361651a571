package mechanism

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
)

// undecodable answers for an object that kube-apiserver can't make sense of in storage
// (deletion-mechanics M20). One such object can hold every namespace in the cluster: no list of its
// kind can be served from the watch cache any more.
func (w *World) undecodable(ctx context.Context, held *facts.Object, one facts.Damage, said []graph.Evidence) facts.Answer {
	object, known := w.objectAt(ctx, one.Key)
	if !known {
		return facts.Open(facts.Note{
			Message:  fmt.Sprintf("Something in storage can't be decoded, and what is served doesn't tell what it is: key %s (%s).", one.Key, one.Said),
			Awaited:  fmt.Sprintf("an object that can't be decoded, under storage key %s", one.Key),
			Evidence: said,
		})
	}
	blamed, trusted := object, true // without a definition there is no conversion that could be the reason
	if !cluster.ServedByKubernetes(object.Resource.Group) {
		crd := facts.Named(cluster.CustomResourceDefinitions(), "", object.Resource.QualifiedName())
		whole, err := w.Reader.Get(ctx, crd.Resource, "", crd.Ref.Name)
		switch {
		case err == nil:
			crd.Ref.UID = string(whole.GetUID())
			blamed, trusted = crd, w.convertsWell(ctx, whole)
		case !apierrors.IsNotFound(err):
			return facts.Unread(crd.Ref.String(), err, said...)
		}
	}
	trusted = trusted && !keyOutOfReach(one.Said)
	return pointAt(held, blamed, w.undecodableCause(blamed, object, one, said, trusted))
}

// keyOutOfReach tells whether what failed is the way to an encryption key: the object is then as
// healthy as those beside it, and is read again when the key service is back.
func keyOutOfReach(said string) bool {
	return regexp.MustCompile(`(?i)\bkms|\bDEK\b|rpc error|connection refused|deadline exceeded|no such host`).MatchString(said)
}

// joinUndecodable makes one cause of several objects of one kind: they share the definition that is
// named, and a cause is told once.
func joinUndecodable(waits []facts.Wait) []facts.Wait {
	var joined []facts.Wait
	for _, wait := range waits {
		same := slices.IndexFunc(joined, func(other facts.Wait) bool {
			return undecodableAlone(wait) && undecodableAlone(other) && other.Blocker.Ref == wait.Blocker.Ref
		})
		if same < 0 {
			joined = append(joined, wait)
			continue
		}
		first, other := &joined[same].Otherwise.Causes[0], wait.Otherwise.Causes[0]
		first.Message += " Likewise " + other.Awaited + "."
		first.Awaited += "; and for " + other.Awaited
		first.Evidence = append(first.Evidence, other.Evidence[len(other.Evidence)-1])
		first.Remedies = append(first.Remedies, other.Remedies[1:]...)
		slices.SortStableFunc(first.Remedies, func(a, b graph.Remedy) int {
			return facts.BoolToInt(a.Risk == graph.DataLoss) - facts.BoolToInt(b.Risk == graph.DataLoss)
		})
	}
	return joined
}

func undecodableAlone(wait facts.Wait) bool {
	causes := wait.Otherwise.Causes
	return len(causes) == 1 && causes[0].Reason == graph.UndecodableObject
}

// convertsWell tells whether a definition converts without a webhook, or through one that is up.
// While one is down, an object that can't be read may be healthy.
func (w *World) convertsWell(ctx context.Context, whole *unstructured.Unstructured) bool {
	definition, err := facts.As[facts.Definition](whole)
	if err != nil {
		return false
	}
	if definition.Spec.Conversion.Strategy != "Webhook" {
		return true
	}
	found, _ := w.converter(ctx, definition)
	return found.State == refusal.BackendUp
}

func (w *World) undecodableCause(blamed, object *facts.Object, one facts.Damage, said []graph.Evidence, trusted bool) graph.Cause {
	where := ""
	if object.Resource.Namespaced {
		where = " in its namespace"
	}
	evidence := append(slices.Clone(said), graph.Evidence{Source: "a read of " + object.Ref.String(), Observed: fmt.Sprintf("storage key %s is not decodable: %s", one.Key, one.Said), Object: &object.Ref})
	return graph.Cause{
		Reason: graph.UndecodableObject, Object: blamed.Ref, Certainty: graph.Proven,
		Message: fmt.Sprintf("%s can't be decoded (storage key %s): %s. While it is there, %s%s can't be listed; once kube-apiserver has to read all of them anew, they can't be listed anywhere, and no namespace can be emptied.",
			object.Ref, one.Key, one.Said, object.Resource.QualifiedName(), where),
		Awaited:  fmt.Sprintf("%s, which can't be decoded (storage key %s)", object.Ref, one.Key),
		Evidence: evidence,
		Remedies: w.restoreOrForget(object, trusted),
	}
}

func (w *World) restoreOrForget(object *facts.Object, trusted bool) []graph.Remedy {
	remedies := []graph.Remedy{{
		Action:  "Give kube-apiserver back what it needs to read it: the encryption key it was written with (EncryptionConfiguration), the version it was stored in, or this one key from a backup of etcd. Then it is read again.",
		Command: w.Kubectl.Command(object, "get"),
		Risk:    graph.NoRisk,
	}}
	if !trusted {
		return remedies
	}
	// k8s v1.37 apiserver/pkg/registry/generic/registry/corrupt_obj_deleter.go:Delete refuses a
	// propagation policy, which kubectl's delete always sends; a raw one sends nothing but this.
	path := storagePath(object) + "?ignoreStoreReadErrorWithClusterBreakingPotential=true"
	raw := func(path string) string {
		return facts.Quote(append(append([]string{"kubectl"}, w.Kubectl.Flags...), "delete", "--raw", path))
	}
	needs := fmt.Sprintf("It needs the right to delete and to unsafe-delete-ignore-read-errors on %s, and Kubernetes 1.37, or 1.32 with AllowUnsafeMalformedObjectDeletion.", object.Resource.QualifiedName())
	return append(remedies, graph.Remedy{
		Action:  "Before the last resort, ask the server whether it would do it. " + needs,
		Command: raw(path + "&dryRun=All"),
		Risk:    graph.NoRisk,
	}, graph.Remedy{
		Action:  "Last resort, when the key is gone for good and is not merely out of reach: delete the object unread. Nothing looks at its finalizers, and no admission at the request.",
		Command: raw(path),
		Risk:    graph.DataLoss,
		Loses:   "the object, with no cleanup of what it stands for",
	})
}

// storagePath is the path of an object in the API.
func storagePath(object *facts.Object) string {
	path := "/apis/" + object.Resource.APIVersion()
	if object.Resource.Group == "" {
		path = "/api/" + object.Resource.Version
	}
	if object.Ref.Namespace != "" {
		path += "/namespaces/" + url.PathEscape(object.Ref.Namespace)
	}
	return path + "/" + object.Resource.Resource + "/" + url.PathEscape(object.Ref.Name)
}

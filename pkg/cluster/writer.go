package cluster

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// fieldManager is the name under which managedFields show what this program did.
const fieldManager = "kubectl-finalizers"

// Guard is the state of one object that a write is meant for. The server refuses it in any other.
type Guard struct {
	UID, ResourceVersion string
}

// Written is what a write left behind, or as a dry run would leave: others may have changed it on its way.
type Written struct {
	ResourceVersion string // empty if none was told
	Finalizers      []string
	Told            bool // that the object is as described
}

// Writer is the only way in which this program changes anything: it takes finalizers off one object, in
// exactly the state that was looked at, or as a dry run changes nothing. Every write returns what it left
// behind. The error is the server's. No write is sent twice: of one that was carried out although its answer
// was an error, the second would tell that somebody else has been there.
type Writer interface {
	// KeepFinalizers leaves only some of an object's metadata.finalizers.
	KeepFinalizers(
		ctx context.Context, resource Resource, namespace, name string, guard Guard, kept []string, dryRun bool,
	) (Written, error)
	// FinalizeNamespace stores a Namespace, read as a whole, with only some of its spec.finalizers.
	FinalizeNamespace(ctx context.Context, read *unstructured.Unstructured, kept []string, dryRun bool) (Written, error)
	// DeleteAgain deletes an object that is Terminating once more, in the background, which takes
	// foregroundDeletion and orphan off it (deletion-mechanics 0.1).
	DeleteAgain(ctx context.Context, resource Resource, namespace, name string, guard Guard, dryRun bool) (Written, error)
}

var _ Writer = (*Live)(nil)

// smallAnswer asks for no more of the object than its metadata.
const smallAnswer = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"

// KeepFinalizers implements Writer, with a merge patch: another resourceVersion is a clean 409 there, and
// custom resources take it too (deletion-mechanics C.1).
func (l *Live) KeepFinalizers(
	ctx context.Context, resource Resource, namespace, name string, guard Guard, kept []string, dryRun bool,
) (Written, error) {
	patch := map[string]any{"metadata": map[string]any{
		"uid": guard.UID, "resourceVersion": guard.ResourceVersion, "finalizers": append([]string{}, kept...),
	}}
	request := l.discovery.RESTClient().Patch(types.MergePatchType).AbsPath(append(resource.path(namespace), name)...).
		Param("fieldManager", fieldManager)
	return written(ctx, request, patch, guard.UID, dryRun)
}

// FinalizeNamespace implements Writer. The subresource takes nothing but a PUT of the whole object, of
// which it stores the metadata as well; the resourceVersion in it is the guard.
func (l *Live) FinalizeNamespace(
	ctx context.Context, read *unstructured.Unstructured, kept []string, dryRun bool,
) (Written, error) {
	namespace := read.DeepCopy()
	err := unstructured.SetNestedStringSlice(namespace.Object, append([]string{}, kept...), "spec", "finalizers")
	if err != nil {
		return Written{}, err
	}
	request := l.discovery.RESTClient().Put().AbsPath(append(Namespaces().path(""), read.GetName(), "finalize")...).
		SetHeader("Content-Type", "application/json").Param("fieldManager", fieldManager)
	return written(ctx, request, namespace, string(read.GetUID()), dryRun)
}

// DeleteAgain implements Writer. Preconditions stand in the body, and with a body the server reads
// nothing from the address; dryRun stands there all the same, for whoever reads audit logs.
func (l *Live) DeleteAgain(
	ctx context.Context, resource Resource, namespace, name string, guard Guard, dryRun bool,
) (Written, error) {
	uid, policy := types.UID(guard.UID), metav1.DeletePropagationBackground
	options := &metav1.DeleteOptions{
		TypeMeta:      metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"},
		Preconditions: &metav1.Preconditions{UID: &uid, ResourceVersion: &guard.ResourceVersion}, PropagationPolicy: &policy,
	}
	if dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	request := l.discovery.RESTClient().Delete().AbsPath(append(resource.path(namespace), name)...).
		SetHeader("Content-Type", "application/json")
	return written(ctx, request, options, guard.UID, dryRun)
}

// written sends a write and returns what the answer tells, which may also be a Status.
func written(ctx context.Context, request *rest.Request, content any, uid string, dryRun bool) (Written, error) {
	body, err := json.Marshal(content)
	if err != nil {
		return Written{}, err
	}
	if dryRun {
		request = request.Param("dryRun", metav1.DryRunAll)
	} else {
		request = request.MaxRetries(0)
	}
	result := request.SetHeader("Accept", smallAnswer).Body(body).Do(ctx)
	answer, _ := result.Raw()
	if err := result.Error(); err != nil { // with the server's words, which Raw leaves out
		return Written{}, err
	}
	var meta metav1.PartialObjectMetadata
	if err := json.Unmarshal(answer, &meta); err != nil {
		return Written{}, nil // the write is done; what came back is no part of it
	}
	same := string(meta.UID) == uid
	return Written{ResourceVersion: meta.ResourceVersion, Finalizers: meta.Finalizers, Told: same}, nil
}

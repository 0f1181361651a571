package cluster

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// fieldManager is the name under which managedFields show what this program did.
const fieldManager = "kubectl-finalizers"

// Guard is the state of one object that a write is meant for. The server refuses it in any other.
type Guard struct{ UID, ResourceVersion string }

// Written is what a write left behind, or as a dry run would leave: others may have changed it on its way.
type Written struct {
	ResourceVersion string // empty if none was told
	Finalizers      []string
	Described       bool // that the object is as described; else it went with the write
}

// Writer is the only way in which this program changes anything: it removes finalizers from one object, in exactly the
// state that was looked at, or as a dry run changes nothing. Every write returns what it left behind, or the server's
// error; or a WrongAnswer, where something else than that object came back: then nothing is known of the write. None is
// sent twice: if the first was carried out in spite of its error, the second would blame another program.
type Writer interface {
	// KeepFinalizers leaves only some of an object's metadata.finalizers.
	KeepFinalizers(
		ctx context.Context, resource Resource, namespace, name string, guard Guard, kept []string, dryRun bool,
	) (Written, error)
	// FinalizeNamespace stores a Namespace, read as a whole, with only some of its spec.finalizers.
	FinalizeNamespace(ctx context.Context, read *unstructured.Unstructured, kept []string, dryRun bool) (Written, error)
	// DeleteAgain deletes an object that is Terminating once more, in the background, which removes foregroundDeletion and
	// orphan from it (docs/deletion.md#a-second-delete).
	DeleteAgain(ctx context.Context, resource Resource, namespace, name string, guard Guard, dryRun bool) (Written, error)
}

// smallAnswer asks for no more of the object than its metadata.
const smallAnswer = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"

// KeepFinalizers implements Writer, with a merge patch: another resourceVersion is a clean 409 there, and custom
// resources take it too (docs/deletion.md#ways-to-remove-a-finalizer).
func (l *Live) KeepFinalizers(
	ctx context.Context, resource Resource, namespace, name string, guard Guard, kept []string, dryRun bool,
) (Written, error) {
	patch := map[string]any{"metadata": map[string]any{
		"uid": guard.UID, "resourceVersion": guard.ResourceVersion, "finalizers": append([]string{}, kept...),
	}}
	request, err := l.request(http.MethodPatch, resource.object(namespace, name))
	if err != nil {
		return Written{}, err
	}
	request.SetHeader("Content-Type", string(types.MergePatchType)).Param("fieldManager", fieldManager)
	return written(ctx, request, patch, sent{resource, namespace, name, guard.UID}, dryRun)
}

// FinalizeNamespace implements Writer. The subresource takes nothing but a PUT of the whole object, and it stores the
// metadata as well; the resourceVersion in it is the guard.
func (l *Live) FinalizeNamespace(
	ctx context.Context, read *unstructured.Unstructured, kept []string, dryRun bool,
) (Written, error) {
	namespace := read.DeepCopy()
	err := unstructured.SetNestedStringSlice(namespace.Object, append([]string{}, kept...), "spec", "finalizers")
	if err != nil {
		return Written{}, err
	}
	request, err := l.request(http.MethodPut, Namespaces().object("", read.GetName(), "finalize"))
	if err != nil {
		return Written{}, err
	}
	request.SetHeader("Content-Type", "application/json").Param("fieldManager", fieldManager)
	to := sent{Namespaces(), "", read.GetName(), string(read.GetUID())}
	return written(ctx, request, namespace, to, dryRun)
}

// DeleteAgain implements Writer. Preconditions are in the body, and with a body the server reads nothing from the
// address; dryRun is there all the same, for whoever reads audit logs.
func (l *Live) DeleteAgain(
	ctx context.Context, resource Resource, namespace, name string, guard Guard, dryRun bool,
) (Written, error) {
	uid, policy := types.UID(guard.UID), metav1.DeletePropagationBackground
	options := &metav1.DeleteOptions{
		TypeMeta:          metav1.TypeMeta{APIVersion: "v1", Kind: "DeleteOptions"},
		Preconditions:     &metav1.Preconditions{UID: &uid, ResourceVersion: &guard.ResourceVersion},
		PropagationPolicy: &policy,
	}
	if dryRun {
		options.DryRun = []string{metav1.DryRunAll}
	}
	request, err := l.request(http.MethodDelete, resource.object(namespace, name))
	if err != nil {
		return Written{}, err
	}
	request.SetHeader("Content-Type", "application/json")
	done, err := written(ctx, request, options, sent{resource, namespace, name, guard.UID}, dryRun)
	if errors.Is(err, errDeleted) {
		return Written{}, nil
	}
	return done, err
}

// sent is the object that a write is for.
type sent struct {
	resource             Resource
	namespace, name, uid string
}

// errDeleted is an answer that says that the object is deleted, in place of the object: only a DELETE is answered so.
var errDeleted = errors.New("the server says that the object is deleted")

// written sends a write and returns what the answer says about the object. An answer that isn't that object says
// nothing: something before the API server may have given it.
func written(ctx context.Context, request *rest.Request, content any, to sent, dryRun bool) (Written, error) {
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
	if err := expectObject(bufio.NewReader(bytes.NewReader(answer))); err != nil {
		return Written{}, err
	}
	var meta metav1.PartialObjectMetadata
	if err := json.Unmarshal(answer, &meta); err != nil {
		return Written{}, &WrongAnswer{Got: "something that is not an object"}
	}
	if meta.Kind == "Status" {
		return Written{}, to.statusOf(answer)
	}
	if err := expectNamed(to.resource, to.namespace, to.name, meta.TypeMeta, &meta); err != nil {
		return Written{}, err
	}
	if string(meta.UID) != to.uid {
		return Written{}, &WrongAnswer{Got: "an object of another uid"}
	}
	return Written{meta.ResourceVersion, meta.Finalizers, true}, nil
}

// statusOf returns errDeleted for a Status that says so of exactly this object (k8s v1.37
// apiserver/pkg/endpoints/handlers/delete.go:DeleteResource).
func (s sent) statusOf(answer []byte) error {
	var status metav1.Status
	if err := json.Unmarshal(answer, &status); err != nil || status.Details == nil ||
		status.Status != metav1.StatusSuccess || status.Details.Name != s.name || string(status.Details.UID) != s.uid {
		return anObject("Status")
	}
	return errDeleted
}

package zoo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/wait"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// stepTimeout bounds every wait. It is never what a step waits for.
const stepTimeout = 5 * time.Minute

// Breaker carries out steps on a control plane.
type Breaker struct {
	plane  *controlplane.ControlPlane
	client dynamic.Interface
	mapper meta.RESTMapper
}

// NewBreaker returns a Breaker that acts as cluster administrator.
func NewBreaker(plane *controlplane.ControlPlane) (*Breaker, error) {
	config, err := plane.AdminConfig()
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	found, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	cached := memory.NewMemCacheClient(found)
	mapper := restmapper.NewShortcutExpander(restmapper.NewDeferredDiscoveryRESTMapper(cached), cached, nil)
	return &Breaker{plane: plane, client: client, mapper: mapper}, nil
}

// Break carries out all steps of a scenario.
func (b *Breaker) Break(ctx context.Context, scenario Scenario) error {
	for number, step := range scenario.Steps {
		if err := b.do(ctx, step); err != nil {
			return fmt.Errorf("%s, step %d: %w", scenario.ID, number+1, err)
		}
	}
	return nil
}

// Clean carries out the cleanup of a scenario, all of it, whatever fails on the way.
func (b *Breaker) Clean(ctx context.Context, scenario Scenario) error {
	var failed error
	for number, step := range scenario.Cleanup {
		if err := b.do(ctx, step); err != nil && !apierrors.IsNotFound(err) && !meta.IsNoMatchError(err) {
			failed = errors.Join(failed, fmt.Errorf("%s, cleanup %d: %w", scenario.ID, number+1, err))
		}
	}
	return failed
}

func (b *Breaker) do(ctx context.Context, step Step) error {
	switch {
	case step.Apply != "":
		return b.apply(ctx, step.Apply)
	case step.Patch != nil:
		return b.patch(ctx, *step.Patch)
	case step.Delete != nil:
		return b.delete(ctx, *step.Delete)
	case step.DeadNode != "":
		return b.plane.DeadNode(ctx, step.DeadNode)
	case step.AliveNode != "":
		return b.plane.AliveNode(ctx, step.AliveNode)
	case step.Until != nil:
		return b.Await(ctx, *step.Until)
	case step.Own != nil:
		return b.own(ctx, *step.Own)
	case step.Refused != nil:
		return b.refused(ctx, *step.Refused)
	case step.ControllerManager == "pause":
		return b.plane.PauseControllerManager(ctx)
	case step.ControllerManager == "resume":
		return b.plane.ResumeControllerManager(ctx)
	case step.Finalize != nil:
		return b.finalize(ctx, *step.Finalize)
	case step.Restart == "apiserver":
		return b.plane.RestartAPIServer(ctx)
	case step.Etcd != nil:
		return b.etcd(ctx, *step.Etcd)
	}
	return errors.New("the step says nothing to do")
}

func (b *Breaker) apply(ctx context.Context, manifests string) error {
	documents := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(manifests)))
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(document)) == 0 {
			continue
		}
		if err := b.create(ctx, document); err != nil {
			return err
		}
	}
}

// create creates one object. Until the namespace has its ServiceAccount, pods are refused; until a
// new kind is served, its objects are: both are waited for.
func (b *Breaker) create(ctx context.Context, document []byte) error {
	document, err := b.fillUIDs(ctx, document)
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(document, &object.Object); err != nil {
		return err
	}
	var last error
	err = poll(ctx, func(ctx context.Context) (bool, error) {
		kind := object.GroupVersionKind()
		mapping, err := b.mapper.RESTMapping(kind.GroupKind(), kind.Version)
		if meta.IsNoMatchError(err) {
			last = err
			meta.MaybeResetRESTMapper(b.mapper)
			return false, nil
		}
		if err != nil {
			return false, err
		}
		_, last = b.client.Resource(mapping.Resource).Namespace(object.GetNamespace()).Create(ctx, object, metav1.CreateOptions{FieldManager: "kubectl-create"})
		waiting := apierrors.IsForbidden(last) && strings.Contains(last.Error(), "serviceaccount")
		return !waiting, nil
	})
	return errors.Join(err, describe(last, "create", object.GetKind()+"/"+object.GetName()))
}

// fillUIDs replaces ${uid:TYPE/NAME} by the uid of that object, and ${now} by the time.
func (b *Breaker) fillUIDs(ctx context.Context, document []byte) ([]byte, error) {
	var namespaced struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	reference := regexp.MustCompile(`\$\{uid:([^}]+)\}`)
	// The uids are filled in before the document is read: an object may own itself only later.
	if err := yaml.Unmarshal(reference.ReplaceAll(document, []byte("unknown")), &namespaced); err != nil {
		return nil, err
	}
	document = bytes.ReplaceAll(document, []byte("${now}"), []byte(time.Now().UTC().Format(metav1.RFC3339Micro)))
	var failed error
	filled := reference.ReplaceAllFunc(document, func(match []byte) []byte {
		name := string(reference.FindSubmatch(match)[1])
		owner, err := b.get(ctx, Object{Object: name, Namespace: namespaced.Metadata.Namespace})
		if err != nil {
			failed = errors.Join(failed, err)
			return match
		}
		return []byte(owner.GetUID())
	})
	return filled, failed
}

func (b *Breaker) patch(ctx context.Context, patch Patch) error {
	client, name, err := b.resource(patch.Object)
	if err != nil {
		return err
	}
	data, err := json.Marshal(patch.Merge)
	if err != nil {
		return err
	}
	var subresources []string
	if patch.Subresource != "" {
		subresources = []string{patch.Subresource}
	}
	_, err = client.Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{FieldManager: "kubectl-patch"}, subresources...)
	return describe(err, "patch", patch.Object.Object)
}

func (b *Breaker) own(ctx context.Context, own Own) error {
	owner, err := b.get(ctx, Object{Object: own.By, Namespace: own.Namespace})
	if err != nil {
		return err
	}
	reference := map[string]any{
		"apiVersion": owner.GetAPIVersion(), "kind": owner.GetKind(), "name": owner.GetName(), "uid": string(owner.GetUID()), "blockOwnerDeletion": true,
	}
	return b.patch(ctx, Patch{Object: own.Object, Merge: map[string]any{"metadata": map[string]any{"ownerReferences": []any{reference}}}})
}

func (b *Breaker) delete(ctx context.Context, deletion Delete) error {
	client, name, err := b.resource(deletion.Object)
	if err != nil {
		return err
	}
	policies := map[string]metav1.DeletionPropagation{
		"": metav1.DeletePropagationBackground, "background": metav1.DeletePropagationBackground,
		"foreground": metav1.DeletePropagationForeground, "orphan": metav1.DeletePropagationOrphan,
	}
	policy, known := policies[deletion.Cascade]
	if !known {
		return fmt.Errorf("cascade %q is none", deletion.Cascade)
	}
	err = client.Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &policy, GracePeriodSeconds: deletion.GraceSeconds})
	return describe(err, "delete", deletion.Object.Object)
}

func (b *Breaker) get(ctx context.Context, object Object) (*unstructured.Unstructured, error) {
	client, name, err := b.resource(object)
	if err != nil {
		return nil, err
	}
	return client.Get(ctx, name, metav1.GetOptions{})
}

func (b *Breaker) resource(object Object) (dynamic.ResourceInterface, string, error) {
	kind, name, found := strings.Cut(object.Object, "/")
	if !found {
		return nil, "", fmt.Errorf("%q is not TYPE/NAME", object.Object)
	}
	resource := schema.ParseGroupResource(kind).WithVersion("")
	served, err := b.mapper.KindFor(resource)
	if err != nil {
		return nil, "", err
	}
	mapping, err := b.mapper.RESTMapping(served.GroupKind(), served.Version)
	if err != nil {
		return nil, "", err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return b.client.Resource(mapping.Resource).Namespace(object.Namespace), name, nil
	}
	return b.client.Resource(mapping.Resource), name, nil
}

func describe(err error, verb, object string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", verb, object, err)
}

func poll(ctx context.Context, condition wait.ConditionWithContextFunc) error {
	return wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, stepTimeout, true, condition)
}

package rescue_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

const (
	driver      = "csi.lab.example.com"
	provisioner = "external-provisioner.volume.kubernetes.io/finalizer"
	// slow is an annotation of how long the deletion of what is outside takes to begin: what people have to act.
	slow = "lab.example.com/takes"
)

// outside is what is not in the cluster: disks and buckets by their handles, with what is on them; and the programs in
// the cluster that delete them, as external-provisioner and the controllers of known projects do.
type outside struct {
	mu      sync.Mutex
	content map[string]string
	due     map[string]time.Time // when what is to be deleted is, by uid
	letGo   map[string]time.Time // when what has the lab's own finalizer loses it, by NAMESPACE and its name
}

func newOutside() *outside {
	return &outside{content: map[string]string{}, due: map[string]time.Time{}, letGo: map[string]time.Time{}}
}

func (o *outside) put(handle string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.content[handle] = "data of " + handle
}

func (o *outside) has(handle string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.content[handle] == "data of "+handle
}

func (o *outside) remove(handle string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.content, handle)
}

// isDue reports whether something that is to be deleted since it was first seen is deleted now.
func (o *outside) isDue(object metav1.Object) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	at, known := o.due[string(object.GetUID())]
	if !known {
		takes, _ := time.ParseDuration(object.GetAnnotations()[slow])
		at = time.Now().Add(takes)
		o.due[string(object.GetUID())] = at
	}
	return !time.Now().Before(at)
}

// start runs the programs until the test ends.
func (o *outside) start(t *testing.T, plane *controlplane.ControlPlane) {
	t.Helper()
	config, err := plane.AdminConfig()
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.Burst = 200, 200
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	untyped, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() {
		for ctx.Err() == nil {
			o.reclaim(ctx, typed)
			o.release(ctx, untyped)
			for _, one := range operators() {
				one.act(ctx, o, untyped, typed)
			}
			o.deleteSnapshots(ctx, untyped)
			time.Sleep(100 * time.Millisecond)
		}
	})
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
}

// reclaim does what external-provisioner does: it deletes the storage of released volumes with the policy Delete.
func (o *outside) reclaim(ctx context.Context, client kubernetes.Interface) {
	volumes := client.CoreV1().PersistentVolumes()
	listed, err := volumes.List(ctx, metav1.ListOptions{})
	if err != nil {
		return
	}
	for _, volume := range listed.Items {
		if volume.Spec.CSI == nil || volume.Spec.CSI.Driver != driver {
			continue
		}
		deletes := volume.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimDelete
		held := slices.Contains(volume.Finalizers, provisioner)
		switch {
		case !deletes && held:
			patch(func(data []byte) error {
				_, err := volumes.Patch(ctx, volume.Name, types.MergePatchType, data, metav1.PatchOptions{})
				return err
			}, without(volume.Finalizers, provisioner), volume.ResourceVersion)
		case deletes && volume.Status.Phase == corev1.VolumeReleased && o.isDue(&volume):
			o.remove(volume.Spec.CSI.VolumeHandle)
			_ = volumes.Delete(ctx, volume.Name, metav1.DeleteOptions{})
			patch(func(data []byte) error {
				_, err := volumes.Patch(ctx, volume.Name, types.MergePatchType, data, metav1.PatchOptions{})
				return err
			}, without(volume.Finalizers, provisioner), "")
		}
	}
}

func without(finalizers []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(finalizers), func(text string) bool { return text == name })
}

func patch(send func(data []byte) error, finalizers []string, version string) {
	metadata := map[string]any{"finalizers": finalizers}
	if version != "" {
		metadata["resourceVersion"] = version
	}
	data, err := json.Marshal(map[string]any{"metadata": metadata})
	if err == nil {
		_ = send(data) // else the next round tries again
	}
}

// operator deletes what objects of a kind stand for.
type operator struct {
	resource   schema.GroupVersionResource
	finalizer  string
	handle     []string // where the object names what it stands for
	keeps      func(object *unstructured.Unstructured) bool
	paused     string // an annotation
	deployment string // NAMESPACE/NAME: it acts only if that has a pod
}

func annotated(name, value string) func(*unstructured.Unstructured) bool {
	return func(object *unstructured.Unstructured) bool { return object.GetAnnotations()[name] == value }
}

// operators are four as the catalogue knows them, and one that it does not know.
func operators() []operator {
	kind := func(group, resource string) schema.GroupVersionResource {
		return schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource}
	}
	return []operator{
		{
			resource: kind("lab.crossplane.io", "buckets"), finalizer: "finalizer.managedresource.crossplane.io",
			handle: []string{"metadata", "annotations", "crossplane.io/external-name"},
			keeps: func(object *unstructured.Unstructured) bool {
				policy, _, _ := unstructured.NestedString(object.Object, "spec", "deletionPolicy")
				return policy == "Orphan"
			},
		},
		{
			resource: kind("s3.services.k8s.aws", "buckets"), finalizer: "finalizers.s3.services.k8s.aws/Bucket",
			handle: []string{"spec", "name"}, keeps: annotated("services.k8s.aws/deletion-policy", "retain"),
		},
		{
			resource: kind("storage.cnrm.cloud.google.com", "storagebuckets"), finalizer: "cnrm.cloud.google.com/finalizer",
			handle: []string{"spec", "resourceID"}, keeps: annotated("cnrm.cloud.google.com/deletion-policy", "abandon"),
		},
		{
			resource: kind("cluster.x-k8s.io", "clusters"), finalizer: "cluster.cluster.x-k8s.io",
			handle: []string{"spec", "name"}, paused: "cluster.x-k8s.io/paused",
			deployment: "capi-system/capi-controller-manager",
		},
		{
			resource: kind("rescued.example.com", "databases"), finalizer: "rescued.example.com/cleanup",
			handle: []string{"spec", "name"}, deployment: "rescued-system/rescued-operator",
		},
	}
}

func (p operator) act(ctx context.Context, o *outside, client dynamic.Interface, typed kubernetes.Interface) {
	objects, err := client.Resource(p.resource).List(ctx, metav1.ListOptions{})
	if err != nil {
		return // the kind isn't there yet
	}
	for _, object := range objects.Items {
		_, paused := object.GetAnnotations()[p.paused]
		if paused || !p.runs(ctx, typed) {
			continue
		}
		p.reconcile(ctx, o, client, &object)
	}
}

func (p operator) reconcile(ctx context.Context, o *outside, client dynamic.Interface,
	object *unstructured.Unstructured) {
	resourceInterface := client.Resource(p.resource).Namespace(object.GetNamespace())
	send := func(data []byte) error {
		_, err := resourceInterface.Patch(ctx, object.GetName(), types.MergePatchType, data, metav1.PatchOptions{})
		return err
	}
	held := slices.Contains(object.GetFinalizers(), p.finalizer)
	handle, _, _ := unstructured.NestedString(object.Object, p.handle...)
	switch {
	case object.GetDeletionTimestamp() == nil && !held:
		patch(send, append(object.GetFinalizers(), p.finalizer), object.GetResourceVersion())
	case object.GetDeletionTimestamp() != nil && held && p.keeps != nil && p.keeps(object):
		patch(send, without(object.GetFinalizers(), p.finalizer), object.GetResourceVersion())
	case object.GetDeletionTimestamp() != nil && held && o.isDue(object):
		o.remove(handle)
		patch(send, without(object.GetFinalizers(), p.finalizer), "")
	}
}

// runs reports whether the operator's Deployment, if it has one, has a pod.
func (p operator) runs(ctx context.Context, client kubernetes.Interface) bool {
	if p.deployment == "" {
		return true
	}
	namespace, name, _ := strings.Cut(p.deployment, "/")
	found, err := client.AppsV1().Deployments(namespace).Get(ctx, name, metav1.GetOptions{})
	return err == nil && found.Status.ReadyReplicas > 0 && (found.Spec.Replicas == nil || *found.Spec.Replicas > 0)
}

// later has the lab's own finalizer removed from an object, in some seconds.
func (o *outside) later(name, namespace string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.letGo[namespace+" "+strings.ReplaceAll(name, "NS", namespace)] = time.Now().Add(8 * time.Second)
}

// release removes the lab's own finalizer from what is due.
func (o *outside) release(ctx context.Context, client dynamic.Interface) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for key, at := range o.letGo {
		if time.Now().Before(at) {
			continue
		}
		namespace, name, _ := strings.Cut(key, " ")
		for _, resource := range []string{"configmaps", "secrets", "pods", "nodes"} {
			resourceInterface := dynamic.ResourceInterface(client.Resource(corev1.SchemeGroupVersion.WithResource(resource)))
			if resource != "nodes" {
				resourceInterface = client.Resource(corev1.SchemeGroupVersion.WithResource(resource)).Namespace(namespace)
			}
			found, err := resourceInterface.Get(ctx, name, metav1.GetOptions{})
			if err != nil || found.GetDeletionTimestamp() == nil {
				continue
			}
			patch(func(data []byte) error {
				_, err := resourceInterface.Patch(ctx, name, types.MergePatchType, data, metav1.PatchOptions{})
				return err
			}, without(found.GetFinalizers(), "lab.example.com/hold"), "")
		}
	}
}

// Package clustertest holds a cluster in memory, for tests of what a real control plane can't be made to show on
// demand: denied reads, failures half way, ages. Everything else is tested on a real one (hack/zoo).
//
// This package may change at any time.
package clustertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
)

type Memory struct {
	Time   time.Time
	Failed map[schema.GroupVersion]error // discovery
	// Before is called before each read with what is about to be read: RESOURCE NAMESPACE/NAME.
	Before func(what string)
	// Lost are namespaces that don't exist although objects are in them, and ServiceAccounts, as NAMESPACE/NAME, that
	// don't exist although workloads name them. All others exist, even if they were not added; but of a namespace to which
	// ServiceAccounts were added, these are all.
	Lost  []string
	Reads []string // all reads so far

	reading    sync.Mutex       // one read at a time, so that Before may change the cluster
	deny       map[string]error // by RESOURCE, VERSION/RESOURCE, or "*"
	stock      sync.Mutex       // of what follows, which Before may change while others read
	objects    []*unstructured.Unstructured
	recordings map[schema.GroupVersionResource]*snapshot.Recording // of the objects as they are
}

// New returns a cluster with the objects of YAML documents, at a time.
func New(now time.Time, documents string) (*Memory, error) {
	recordings := map[schema.GroupVersionResource]*snapshot.Recording{}
	m := &Memory{Time: now, deny: map[string]error{}, recordings: recordings}
	return m, m.Add(documents)
}

// Add puts the objects of YAML documents into the cluster. One of the same name is replaced.
func (m *Memory) Add(documents string) error {
	for document := range strings.SplitSeq(documents, "\n---") {
		if strings.TrimSpace(document) == "" {
			continue
		}
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			return fmt.Errorf("%w in:\n%s", err, document)
		}
		m.change(func() { m.objects = append(m.objects, object) })
	}
	return nil
}

// Deny refuses every read of a resource, or of all with "*", as RBAC does.
func (m *Memory) Deny(resource string) {
	m.Break(resource,
		apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "", fmt.Errorf("denied by the test")))
}

// Break makes every read of a resource fail.
func (m *Memory) Break(resource string, err error) { m.deny[resource] = err }

// Remove takes an object away.
func (m *Memory) Remove(kind, name string) {
	m.change(func() {
		m.objects = slices.DeleteFunc(m.objects, func(object *unstructured.Unstructured) bool {
			return object.GetKind() == kind && object.GetName() == name
		})
	})
}

func (m *Memory) change(change func()) {
	m.stock.Lock()
	defer m.stock.Unlock()
	change()
	clear(m.recordings)
}

// Now implements cluster.Reader.
func (m *Memory) Now() time.Time { return m.Time }

// Source implements cluster.Reader.
func (*Memory) Source() cluster.Source { return cluster.FromServer }

// ServedKinds implements cluster.Reader: kinds of Kubernetes itself, and a few custom ones.
func (m *Memory) ServedKinds(context.Context) (*cluster.ServedKinds, error) {
	resources := append(files.BuiltIn(), files.Kinds(kinds)...)
	servedKinds := &cluster.ServedKinds{Resources: resources, Kinds: map[schema.GroupVersionKind]bool{}, Failed: m.Failed}
	for i, resource := range servedKinds.Resources {
		servedKinds.Resources[i].Scales = resource.Kind == "Rollout"
		servedKinds.Kinds[resource.GroupVersion().WithKind(resource.Kind)] = true
	}
	return servedKinds, nil
}

// Get implements cluster.Reader.
func (m *Memory) Get(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*unstructured.Unstructured, error) {
	recording, err := m.read(ctx, resource, namespace, name)
	if err != nil {
		return nil, err
	}
	return recording.Get(ctx, resource, namespace, name)
}

// Metadata implements cluster.Reader.
func (m *Memory) Metadata(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*metav1.PartialObjectMetadata, error) {
	recording, err := m.read(ctx, resource, namespace, name)
	if err != nil {
		return nil, err
	}
	return recording.Metadata(ctx, resource, namespace, name)
}

// List implements cluster.Reader.
func (m *Memory) List(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
) ([]unstructured.Unstructured, error) {
	recording, err := m.read(ctx, resource, namespace, "")
	if err != nil {
		return nil, err
	}
	return recording.List(ctx, resource, namespace, selector)
}

// EachMetadata implements cluster.Reader.
func (m *Memory) EachMetadata(
	ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector,
	visit func(*metav1.PartialObjectMetadata),
) error {
	recording, err := m.read(ctx, resource, namespace, "")
	if err != nil {
		return err
	}
	return recording.EachMetadata(ctx, resource, namespace, selector, visit)
}

// ListUpTo implements cluster.Reader.
func (m *Memory) ListUpTo(
	ctx context.Context, resource cluster.Resource, namespace string, most int, visit func(*unstructured.Unstructured),
) (bool, error) {
	objects, err := m.List(ctx, resource, namespace, cluster.Selector{})
	if err != nil {
		return false, err
	}
	for i := range objects[:min(len(objects), most)] {
		visit(&objects[i])
	}
	return len(objects) <= most, nil
}

// read notes a read, and returns what answers it, unless it is denied.
func (m *Memory) read(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) (*snapshot.Recording, error) {
	m.reading.Lock()
	defer m.reading.Unlock()
	what := resource.QualifiedName() + " " + namespace + "/" + name
	if m.Before != nil {
		m.Before(what)
	}
	m.Reads = append(m.Reads, what)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, denied := range []string{"*", resource.Resource, resource.Version + "/" + resource.Resource} {
		if err := m.deny[denied]; err != nil {
			return nil, err
		}
	}
	return m.recording(resource)
}

// recording returns a recording of the objects of a resource, whatever version they are written in.
func (m *Memory) recording(resource cluster.Resource) (*snapshot.Recording, error) {
	m.stock.Lock()
	defer m.stock.Unlock()
	if known := m.recordings[resource.GroupVersionResource]; known != nil {
		return known, nil
	}
	objects := m.objects
	switch resource.GroupKind() {
	case cluster.Namespaces().GroupKind():
		objects = append(m.inhabited(), objects...)
	case cluster.ServiceAccounts().GroupKind():
		objects = append(m.accounts(), objects...)
	}
	builder := snapshot.NewBuilder("a test")
	err := builder.Listed(resource, "")
	for _, object := range objects {
		if object.GroupVersionKind().GroupKind() != resource.GroupKind() {
			continue
		}
		body, failed := object.MarshalJSON()
		err = errors.Join(err, failed, builder.Whole(resource, object.GetNamespace(), object.GetName(), snapshot.Alone(body)))
	}
	if err != nil {
		return nil, err
	}
	recording, err := builder.Finish(m.Time, &cluster.ServedKinds{}, nil)
	m.recordings[resource.GroupVersionResource] = recording
	return recording, err
}

// kinds are those beside Kubernetes' own, as a table of files.Kinds.
const kinds = `scheduling.k8s.io/v1beta1 PodGroup
shop.example.com/v1 Database *DatabaseClass
store.example.com/v1 Item App Usage
ceph.rook.io/v1 CephObjectStore CephObjectStoreUser
sql.crossplane.example/v1 *ProviderConfig *ProviderConfigUsage *Grant
velero.io/v1 Restore Backup BackupStorageLocation
postgresql.cnpg.io/v1 Cluster Publication
snapshot.storage.k8s.io/v1 VolumeSnapshot *VolumeSnapshotContent
cluster.x-k8s.io/v1beta2 Cluster MachineSet Machine
karpenter.sh/v1 *NodeClaim
ray.io/v1 RayCluster
argoproj.io/v1alpha1 AppProject Application
capsule.clastix.io/v1beta2 *Tenant
kustomize.toolkit.fluxcd.io/v1 Kustomization
helm.toolkit.fluxcd.io/v2 HelmRelease
infra.example.net/v1 Bucket Topic *Zone
storage.cnrm.cloud.google.com/v1 StorageBucket
virt.example.net/v1 VirtualMachine VirtualMachineInstance
deploy.example.net/v1 Rollout`

// Package clustertest holds a cluster in memory, for tests of what a real control plane can't be
// made to show on demand: reads that are denied or fail half way, and states whose age matters.
// Everything else is tested on a real control plane (hack/zoo).
package clustertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// Memory is a cluster.Reader over a few objects.
type Memory struct {
	Time    time.Time
	Failed  map[schema.GroupVersion]error // discovery
	stock   sync.RWMutex                  // of objects, which Before may change while others read
	objects []*unstructured.Unstructured
	deny    map[string]error // by RESOURCE, VERSION/RESOURCE, or "*"
	reading sync.Mutex       // one read at a time, so that Before may change the cluster
	// Before is called before each read with what is about to be read: RESOURCE NAMESPACE/NAME.
	Before func(what string)
	// Lost are namespaces that don't exist although objects stand in them.
	Lost []string
	// Reads are all reads so far.
	Reads []string
}

// New returns a cluster with the objects of YAML documents, at a time.
func New(now time.Time, documents string) (*Memory, error) {
	m := &Memory{Time: now, deny: map[string]error{}}
	return m, m.Add(documents)
}

// Add puts the objects of YAML documents into the cluster.
func (m *Memory) Add(documents string) error {
	for document := range strings.SplitSeq(documents, "\n---") {
		if strings.TrimSpace(document) == "" {
			continue
		}
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			return fmt.Errorf("%w in:\n%s", err, document)
		}
		m.stock.Lock()
		m.objects = append(m.objects, object)
		m.stock.Unlock()
	}
	return nil
}

// Deny refuses every read of a resource, or of all with "*", as RBAC does.
func (m *Memory) Deny(resource string) {
	m.Break(resource, apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "", fmt.Errorf("denied by the test")))
}

// Break makes every read of a resource fail.
func (m *Memory) Break(resource string, err error) { m.deny[resource] = err }

// Remove takes an object away.
func (m *Memory) Remove(kind, name string) {
	m.stock.Lock()
	defer m.stock.Unlock()
	kept := m.objects[:0]
	for _, object := range m.objects {
		if object.GetKind() != kind || object.GetName() != name {
			kept = append(kept, object)
		}
	}
	m.objects = kept
}

// Now implements cluster.Reader.
func (m *Memory) Now() time.Time { return m.Time }

// Source implements cluster.Reader.
func (*Memory) Source() cluster.Source { return cluster.FromServer }

// Catalog implements cluster.Reader: the kinds that mechanisms know, and a custom one.
func (m *Memory) Catalog(context.Context) (*cluster.Catalog, error) {
	verbs := []string{"get", "list", "watch", "delete"}
	served := []cluster.Resource{
		cluster.Pods(), cluster.Nodes(), cluster.Namespaces(), cluster.PersistentVolumeClaims(), cluster.PersistentVolumes(), cluster.Leases(),
		{GroupVersionResource: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, Kind: "ConfigMap", Namespaced: true},
		{GroupVersionResource: schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}, Kind: "CustomResourceDefinition"},
		{GroupVersionResource: schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}, Kind: "Job", Namespaced: true},
		{GroupVersionResource: schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "cronjobs"}, Kind: "CronJob", Namespaced: true},
		{GroupVersionResource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"}, Kind: "StatefulSet", Namespaced: true},
		{GroupVersionResource: schema.GroupVersionResource{Group: "shop.example.com", Version: "v1", Resource: "databases"}, Kind: "Database", Namespaced: true},
		{GroupVersionResource: schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations"}, Kind: "ValidatingWebhookConfiguration"},
		{GroupVersionResource: schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations"}, Kind: "MutatingWebhookConfiguration"},
		{GroupVersionResource: schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicies"}, Kind: "ValidatingAdmissionPolicy"},
		{GroupVersionResource: schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicybindings"}, Kind: "ValidatingAdmissionPolicyBinding"},
		{GroupVersionResource: schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingadmissionpolicies"}, Kind: "MutatingAdmissionPolicy"},
		{GroupVersionResource: schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingadmissionpolicybindings"}, Kind: "MutatingAdmissionPolicyBinding"},
		{GroupVersionResource: schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}, Kind: "ReplicaSet", Namespaced: true},
		cluster.Services(), cluster.EndpointSlices(), cluster.Deployments(), cluster.DaemonSets(), cluster.APIServices(),
	}
	served = append(served, usedKinds()...)
	kinds := map[schema.GroupVersionKind]bool{}
	for i := range served {
		served[i].Verbs = verbs
		kinds[served[i].GroupVersion().WithKind(served[i].Kind)] = true
	}
	return &cluster.Catalog{Resources: served, Kinds: kinds, Failed: m.Failed}, nil
}

// Get implements cluster.Reader.
func (m *Memory) Get(ctx context.Context, resource cluster.Resource, namespace, name string) (*unstructured.Unstructured, error) {
	if err := m.read(ctx, resource, namespace, name); err != nil {
		return nil, err
	}
	for _, object := range m.of(resource, namespace) {
		if object.GetName() == name {
			return object.DeepCopy(), nil
		}
	}
	if resource.Resource == "namespaces" && m.inhabited(name) {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name, "uid": "namespace-" + name},
		}}, nil
	}
	return nil, apierrors.NewNotFound(resource.GroupResource(), name)
}

// inhabited tells whether a namespace exists that was not added itself: something stands in it.
func (m *Memory) inhabited(name string) bool {
	m.stock.RLock()
	defer m.stock.RUnlock()
	return !slices.Contains(m.Lost, name) && slices.ContainsFunc(m.objects, func(object *unstructured.Unstructured) bool { return object.GetNamespace() == name })
}

// Inhabited returns the namespaces that exist and were not added themselves.
func (m *Memory) Inhabited() map[string]bool {
	namespaces := map[string]bool{}
	for _, object := range m.objects {
		name := object.GetNamespace()
		added := slices.ContainsFunc(m.objects, func(other *unstructured.Unstructured) bool {
			return other.GetKind() == "Namespace" && other.GetName() == name
		})
		if name != "" && !added && m.inhabited(name) {
			namespaces[name] = true
		}
	}
	return namespaces
}

// Metadata implements cluster.Reader.
func (m *Memory) Metadata(ctx context.Context, resource cluster.Resource, namespace, name string) (*metav1.PartialObjectMetadata, error) {
	object, err := m.Get(ctx, resource, namespace, name)
	if err != nil {
		return nil, err
	}
	return metadata(object)
}

// List implements cluster.Reader, with the selectors that mechanisms use.
func (m *Memory) List(ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector) ([]unstructured.Unstructured, error) {
	if err := m.read(ctx, resource, namespace, ""); err != nil {
		return nil, err
	}
	selected, err := selects(selector)
	if err != nil {
		return nil, err
	}
	var found []unstructured.Unstructured
	for _, object := range m.of(resource, namespace) {
		if selected(object) {
			found = append(found, *object.DeepCopy())
		}
	}
	return found, nil
}

// EachMetadata implements cluster.Reader.
func (m *Memory) EachMetadata(ctx context.Context, resource cluster.Resource, namespace string, selector cluster.Selector, visit func(*metav1.PartialObjectMetadata)) error {
	if err := m.read(ctx, resource, namespace, ""); err != nil {
		return err
	}
	selected, err := selects(selector)
	if err != nil {
		return err
	}
	for _, object := range m.of(resource, namespace) {
		meta, err := metadata(object)
		if err != nil {
			return err
		}
		if selected(object) && selector.Keep.Keeps(meta) {
			visit(meta)
		}
	}
	return nil
}

func (m *Memory) read(ctx context.Context, resource cluster.Resource, namespace, name string) error {
	m.reading.Lock()
	defer m.reading.Unlock()
	what := resource.QualifiedName() + " " + namespace + "/" + name
	if m.Before != nil {
		m.Before(what)
	}
	m.Reads = append(m.Reads, what)
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, denied := range []string{"*", resource.Resource, resource.Version + "/" + resource.Resource} {
		if err := m.deny[denied]; err != nil {
			return err
		}
	}
	return nil
}

func (m *Memory) of(resource cluster.Resource, namespace string) []*unstructured.Unstructured {
	m.stock.RLock()
	defer m.stock.RUnlock()
	var found []*unstructured.Unstructured
	for _, object := range m.objects {
		if object.GroupVersionKind().GroupKind() == resource.GroupKind() && (namespace == "" || object.GetNamespace() == namespace) {
			found = append(found, object)
		}
	}
	slices.SortStableFunc(found, func(a, b *unstructured.Unstructured) int { // as storage has them
		return strings.Compare(a.GetNamespace()+"/"+a.GetName(), b.GetNamespace()+"/"+b.GetName())
	})
	return found
}

func metadata(object *unstructured.Unstructured) (*metav1.PartialObjectMetadata, error) {
	meta := &metav1.PartialObjectMetadata{}
	return meta, runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, meta)
}

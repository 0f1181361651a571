// Package states prints the states of recorded objects as an API server prints them for kubectl get: the
// columns READY and STATUS, of Kubernetes' own kinds by the rules of their printers (k8s v1.37
// pkg/printers/internalversion/printers.go), of custom resources by the columns of their definitions. What
// was not recorded so that it can be told is Unknown.
//
// This package may change at any time.
package states

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

const (
	ready, status = "READY", "STATUS" // the columns that are printed
	// Unknown is printed where there is a state that the recording doesn't tell.
	Unknown = "<unknown>"
)

// Printer is a cluster.Tabler of a Reader that has no API server behind it.
type Printer struct{ cluster.Reader }

// Rows implements cluster.Tabler. Kinds without a state have no rows. An error is returned where nothing
// was recorded of what is asked for.
func (p Printer) Rows(ctx context.Context, resource cluster.Resource, namespace, name string) ([]cluster.Row, error) {
	of := p.columns(ctx, resource)
	if of == nil {
		return nil, nil
	}
	objects, err := p.recorded(ctx, resource, namespace, name)
	var rows []cluster.Row
	for i := range objects {
		if row := of(&objects[i]); row != nil {
			rows = append(rows,
				cluster.Row{Namespace: objects[i].GetNamespace(), Name: objects[i].GetName(), Cells: row})
		}
	}
	if len(rows) > 0 {
		return rows, nil
	}
	return nil, err
}

// recorded returns what is known of objects, those of a list that is incomplete, too: of some only their metadata.
func (p Printer) recorded(
	ctx context.Context, resource cluster.Resource, namespace, name string,
) ([]unstructured.Unstructured, error) {
	if name != "" {
		object, err := p.Get(ctx, resource, namespace, name)
		if err == nil {
			return []unstructured.Unstructured{*object}, nil
		}
		meta, err := p.Metadata(ctx, resource, namespace, name)
		if err != nil {
			return nil, err
		}
		return []unstructured.Unstructured{partial(resource, meta)}, nil
	}
	objects, err := p.List(ctx, resource, namespace, cluster.Selector{})
	if err == nil {
		return objects, nil
	}
	type key struct{ namespace, name string }
	whole := map[key]bool{}
	for i := range objects {
		whole[key{objects[i].GetNamespace(), objects[i].GetName()}] = true
	}
	also := p.EachMetadata(ctx, resource, namespace, cluster.Selector{}, func(meta *metav1.PartialObjectMetadata) {
		if !whole[key{meta.Namespace, meta.Name}] {
			objects = append(objects, partial(resource, meta))
		}
	})
	return objects, errors.Join(err, also)
}

// partial makes an object of its metadata. metadataOnly tells it from others.
func partial(resource cluster.Resource, meta *metav1.PartialObjectMetadata) unstructured.Unstructured {
	object := unstructured.Unstructured{Object: map[string]any{metadataOnly: true}}
	if fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&meta.ObjectMeta); err == nil {
		object.Object["metadata"] = fields
	}
	object.SetGroupVersionKind(resource.GroupVersion().WithKind(resource.Kind))
	return object
}

// metadataOnly is no field of any object: those have one word.
const metadataOnly = "metadata only"

// columns returns what prints objects of a resource, or nil for those without a state.
func (p Printer) columns(ctx context.Context, resource cluster.Resource) printer {
	own := ownPrinter(resource.GroupVersion().WithKind(resource.Kind))
	if own != nil || cluster.ServedByKubernetes(resource.Group) {
		return own
	}
	return p.custom(ctx, resource)
}

// cells are what is printed of an object, by the names of the columns.
type cells = map[string]string

// printer prints the objects of one kind.
type printer func(*unstructured.Unstructured) cells

// ownPrinter returns what prints the objects of one of Kubernetes' own kinds; nil for those without a state, and for
// kinds of others.
func ownPrinter(kind schema.GroupVersionKind) printer {
	if empty, err := scheme.Scheme.New(kind); err != nil || stateOf(empty) == nil {
		return nil
	}
	return func(object *unstructured.Unstructured) cells {
		candidate, err := scheme.Scheme.New(kind)
		if err != nil || runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, candidate) != nil {
			return nil // it is something else than it says
		}
		row := stateOf(candidate)
		if object.Object[metadataOnly] != nil {
			for column := range row {
				row[column] = Unknown
			}
		}
		return row
	}
}

// stateOf returns the state of an object, if its kind has one.
func stateOf(object runtime.Object) cells {
	switch one := object.(type) {
	case *corev1.Pod:
		return pods(one)
	case *corev1.Node:
		return nodes(one)
	case *corev1.Namespace:
		return cells{status: string(one.Status.Phase)}
	case *corev1.PersistentVolumeClaim:
		return phase(one, string(one.Status.Phase))
	case *corev1.PersistentVolume:
		return phase(one, string(one.Status.Phase))
	case *corev1.ReplicationController:
		return cells{ready: fmt.Sprint(one.Status.ReadyReplicas)}
	case *appsv1.Deployment:
		return replicas(one.Status.ReadyReplicas, one.Spec.Replicas)
	case *appsv1.StatefulSet:
		return replicas(one.Status.ReadyReplicas, one.Spec.Replicas)
	case *appsv1.ReplicaSet:
		return cells{ready: fmt.Sprint(one.Status.ReadyReplicas)}
	case *appsv1.DaemonSet:
		return cells{ready: fmt.Sprint(one.Status.NumberReady)}
	case *batchv1.Job:
		return jobs(one)
	}
	return nil
}

func phase(object metav1.Object, phase string) cells {
	if object.GetDeletionTimestamp() != nil {
		phase = "Terminating"
	}
	return cells{status: phase}
}

func replicas(are int32, shallBe *int32) cells {
	wanted := int32(1) // what an API server fills in
	if shallBe != nil {
		wanted = *shallBe
	}
	return cells{ready: fmt.Sprintf("%d/%d", are, wanted)}
}

func nodes(node *corev1.Node) cells {
	state := "Unknown"
	for _, condition := range node.Status.Conditions {
		switch {
		case condition.Type != corev1.NodeReady:
		case condition.Status == corev1.ConditionTrue:
			state = "Ready"
		default:
			state = "NotReady"
		}
	}
	if node.Spec.Unschedulable {
		state += ",SchedulingDisabled"
	}
	return cells{status: state}
}

func jobs(job *batchv1.Job) cells {
	const terminating batchv1.JobConditionType = "Terminating" // no condition, and printed among them
	is := map[batchv1.JobConditionType]bool{terminating: job.DeletionTimestamp != nil}
	for _, condition := range job.Status.Conditions {
		is[condition.Type] = is[condition.Type] || condition.Status == corev1.ConditionTrue
	}
	for _, state := range []batchv1.JobConditionType{
		batchv1.JobComplete, batchv1.JobFailed, terminating, batchv1.JobSuspended,
		batchv1.JobFailureTarget, batchv1.JobSuccessCriteriaMet,
	} {
		if is[state] {
			return cells{status: string(state)}
		}
	}
	return cells{status: "Running"}
}

// Package states prints the states of recorded objects as an API server prints them for kubectl get: the
// columns READY and STATUS (k8s v1.37 pkg/printers/internalversion/printers.go). Of kinds that it doesn't
// know, custom ones among them, it says nothing.
package states

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// The columns that are printed.
const (
	ready  = "READY"
	status = "STATUS"
)

// Printer is a cluster.Tabler of a Reader that has no API server behind it.
type Printer struct{ cluster.Reader }

// Rows implements cluster.Tabler. What was not recorded with its status has no row.
func (p Printer) Rows(ctx context.Context, resource cluster.Resource, namespace, name string) ([]cluster.Row, error) {
	var objects []unstructured.Unstructured
	var err error
	if name == "" {
		objects, err = p.List(ctx, resource, namespace, cluster.Selector{})
	} else {
		var object *unstructured.Unstructured
		if object, err = p.Get(ctx, resource, namespace, name); err == nil {
			objects = append(objects, *object)
		}
	}
	var rows []cluster.Row
	for i := range objects { // those of a list that is incomplete, too
		if cells := Of(&objects[i]); cells != nil {
			rows = append(rows, cluster.Row{Namespace: objects[i].GetNamespace(), Name: objects[i].GetName(), Cells: cells})
		}
	}
	if len(rows) > 0 {
		return rows, nil
	}
	return nil, err
}

// Of returns the state of one object by the names of the columns, or nil.
func Of(object *unstructured.Unstructured) map[string]string {
	kind := object.GroupVersionKind()
	switch kind.Group + "/" + kind.Version + " " + kind.Kind {
	case "/v1 Pod":
		return as(object, func(pod *corev1.Pod) map[string]string { return pods(pod) })
	case "/v1 Node":
		return as(object, nodes)
	case "/v1 Namespace":
		return as(object, func(one *corev1.Namespace) map[string]string {
			return map[string]string{status: string(one.Status.Phase)}
		})
	case "/v1 PersistentVolumeClaim":
		return as(object, func(one *corev1.PersistentVolumeClaim) map[string]string {
			return phase(object, string(one.Status.Phase))
		})
	case "/v1 PersistentVolume":
		return as(object, func(one *corev1.PersistentVolume) map[string]string {
			return phase(object, string(one.Status.Phase))
		})
	case "apps/v1 Deployment":
		return as(object, func(one *appsv1.Deployment) map[string]string {
			return replicas(one.Status.ReadyReplicas, one.Spec.Replicas)
		})
	case "apps/v1 StatefulSet":
		return as(object, func(one *appsv1.StatefulSet) map[string]string {
			return replicas(one.Status.ReadyReplicas, one.Spec.Replicas)
		})
	case "apps/v1 ReplicaSet":
		return as(object, func(one *appsv1.ReplicaSet) map[string]string {
			return map[string]string{ready: fmt.Sprint(one.Status.ReadyReplicas)}
		})
	case "apps/v1 DaemonSet":
		return as(object, func(one *appsv1.DaemonSet) map[string]string {
			return map[string]string{ready: fmt.Sprint(one.Status.NumberReady)}
		})
	case "batch/v1 Job":
		return as(object, jobs)
	}
	return nil
}

// as decodes an object for what prints it. One that is something else than it says has no state.
func as[T any](object *unstructured.Unstructured, printed func(*T) map[string]string) map[string]string {
	var typed T
	if runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, &typed) != nil {
		return nil
	}
	return printed(&typed)
}

// phase is the state of claims and volumes.
func phase(object *unstructured.Unstructured, phase string) map[string]string {
	if object.GetDeletionTimestamp() != nil {
		phase = "Terminating"
	}
	return map[string]string{status: phase}
}

func replicas(are int32, shallBe *int32) map[string]string {
	wanted := int32(1) // what an API server fills in
	if shallBe != nil {
		wanted = *shallBe
	}
	return map[string]string{ready: fmt.Sprintf("%d/%d", are, wanted)}
}

func nodes(node *corev1.Node) map[string]string {
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
	return map[string]string{status: state}
}

func jobs(job *batchv1.Job) map[string]string {
	is := map[batchv1.JobConditionType]bool{}
	for _, condition := range job.Status.Conditions {
		is[condition.Type] = is[condition.Type] || condition.Status == corev1.ConditionTrue
	}
	state := "Running"
	switch {
	case is[batchv1.JobComplete]:
		state = "Complete"
	case is[batchv1.JobFailed]:
		state = "Failed"
	case job.DeletionTimestamp != nil:
		state = "Terminating"
	case is[batchv1.JobSuspended]:
		state = "Suspended"
	case is[batchv1.JobFailureTarget]:
		state = "FailureTarget"
	case is[batchv1.JobSuccessCriteriaMet]:
		state = "SuccessCriteriaMet"
	}
	return map[string]string{status: state}
}

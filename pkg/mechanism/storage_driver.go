package mechanism

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// storageDriver is what this cluster shows of a storage driver. A driver's controller need not name
// its driver anywhere, so nothing to be seen is likely absence, and no more.
type storageDriver struct {
	name      string
	workloads []workloadState
	seen      []finding.Evidence // empty if nothing was found
	notSeen   []finding.Evidence
}

// workloadState is a workload and how much of it is ready.
type workloadState struct {
	object       *Object
	ready, wants int32
	trouble      string // what its conditions say, if anything is wrong
}

func (s workloadState) String() string {
	if s.wants == 0 && !s.object.Is("apps", "DaemonSet") {
		return "scaled to nothing"
	}
	return fmt.Sprintf("%d of %d pods ready", s.ready, s.wants)
}

func (s workloadState) namesDriver() finding.Evidence {
	return s.object.Ref.Observed("names the driver, %s", s.String())
}

// driver looks for a storage driver: its CSIDriver, and the workloads that name it in their pods' command lines,
// environment or volumes. Without one of these reads, what is the name of what could not be read.
func (t *Tools) driver(ctx context.Context, name string) (found storageDriver, what finding.Unread, err error) {
	found.name = name
	registration, served, err := t.Session.Served(ctx, "storage.k8s.io", "csidrivers")
	if err == nil && served {
		_, err = t.Session.Reader.Metadata(ctx, registration, "", name)
	}
	source := "CSIDriver " + name
	switch {
	case apierrors.IsNotFound(err), err == nil && !served:
		found.notSeen = append(found.notSeen, finding.Observed(source, "not found"))
	case err != nil:
		return found, finding.Unread{Name: source}, err
	default:
		ref := session.Named(registration, "", name).Ref
		found.seen = append(found.seen, finding.Observed(source, "exists, which an uninstalled driver can leave behind").Of(ref))
	}
	found.workloads, what, err = t.workloadsNaming(ctx, name)
	if err != nil {
		return found, what, err
	}
	for _, workload := range found.workloads {
		found.seen = append(found.seen, workload.namesDriver())
	}
	if len(found.workloads) == 0 {
		found.notSeen = append(found.notSeen, finding.Observed("Deployments, StatefulSets and DaemonSets", "none names %s", name))
	}
	return found, what, nil
}

// workloadsNaming returns the Deployments, StatefulSets and DaemonSets whose pods name something.
func (t *Tools) workloadsNaming(ctx context.Context, name string) (
	found []workloadState, what finding.Unread, err error,
) {
	every := cluster.Selector{}
	deployments, err := session.ListServed[appsv1.Deployment](ctx, t.Session, "apps", "deployments", "", every)
	if err != nil {
		return nil, unreadKind("Deployments", finding.AllNamespaces), err
	}
	for _, d := range deployments {
		if session.Names(d.Typed.Spec.Template, name) {
			wants := replicas(d.Typed.Spec.Replicas)
			found = append(found, workloadState{d.Object, d.Typed.Status.ReadyReplicas, wants, deploymentTrouble(d.Typed)})
		}
	}
	sets, err := session.ListServed[appsv1.StatefulSet](ctx, t.Session, "apps", "statefulsets", "", every)
	if err != nil {
		return nil, unreadKind("StatefulSets", finding.AllNamespaces), err
	}
	for _, s := range sets {
		if session.Names(s.Typed.Spec.Template, name) {
			found = append(found, workloadState{s.Object, s.Typed.Status.ReadyReplicas, replicas(s.Typed.Spec.Replicas), ""})
		}
	}
	daemons, err := session.ListServed[appsv1.DaemonSet](ctx, t.Session, "apps", "daemonsets", "", every)
	if err != nil {
		return nil, unreadKind("DaemonSets", finding.AllNamespaces), err
	}
	for _, d := range daemons {
		if session.Names(d.Typed.Spec.Template, name) {
			status := d.Typed.Status
			found = append(found, workloadState{d.Object, status.NumberReady, status.DesiredNumberScheduled, ""})
		}
	}
	return found, what, nil
}

func replicas(wanted *int32) int32 {
	if wanted == nil {
		return 1
	}
	return *wanted
}

// deploymentTrouble quotes the condition that says why a Deployment isn't available.
func deploymentTrouble(deployment *appsv1.Deployment) string {
	for _, condition := range deployment.Status.Conditions {
		failing := condition.Type == appsv1.DeploymentReplicaFailure && condition.Status == corev1.ConditionTrue ||
			condition.Type == appsv1.DeploymentProgressing && condition.Status == corev1.ConditionFalse
		if failing {
			return string(condition.Type) + ": " + finding.Quoted(condition.Message)
		}
	}
	return ""
}

// down returns the workload that runs a driver's controller, if no such workload has a pod that is
// ready. A DaemonSet serves the driver's volumes on the nodes and tells nothing of its controller.
func (d storageDriver) down() (workloadState, bool) {
	var first *workloadState
	for i, workload := range d.workloads {
		if workload.object.Is("apps", "DaemonSet") {
			continue
		}
		if workload.ready > 0 {
			return workloadState{}, false
		}
		if first == nil {
			first = &d.workloads[i]
		}
	}
	if first == nil {
		return workloadState{}, false
	}
	return *first, true
}

// driverDown answers for a hold that waits for a driver whose workload has no pod that is ready.
func (t *Tools) driverDown(driver string, workload workloadState) Answer {
	evidence := []finding.Evidence{workload.namesDriver()}
	if workload.trouble != "" {
		evidence = append(evidence, workload.object.Ref.Observed("%s", workload.trouble))
	}
	repair := finding.Remedy{Step: "GetDriverRunning", Command: t.kubectl(workload.object, "describe")}
	if workload.wants == 0 {
		repair.Step = "ScaleDriverUp"
		repair.Command = t.kubectl(workload.object, "scale", "--replicas=1")
	}
	down := session.Cause(finding.Finding{
		Reason: finding.ControllerDown, Situation: "StorageDriverDown", Object: workload.object.Ref,
		Details:   finding.StorageDriverDetails{Driver: driver, Ready: workload.ready, Wanted: workload.wants},
		Certainty: finding.Likely, Evidence: evidence, Remedies: []finding.Remedy{repair},
	})
	return Answer{Waits: []Wait{{Blocker: workload.object, ForAnswer: true, Otherwise: down}}}
}

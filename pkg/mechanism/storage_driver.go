package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

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
	seen      []Evidence // empty if nothing was found
	notSeen   []Evidence
}

type workloadState struct {
	object       *Object
	ready, wants int32
}

func (s workloadState) String() string {
	if s.wants == 0 && !s.object.Is("apps", "DaemonSet") {
		return "scaled to nothing"
	}
	return fmt.Sprintf("%d of %d pods ready", s.ready, s.wants)
}

func (s workloadState) namesDriver() Evidence {
	return s.object.Ref.Observed("names the driver, %s", s.String())
}

// driver looks for a CSIDriver, and for workloads that name it. Where a read fails, what names what was not read.
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
		exists := finding.Observed(source, "exists, which an uninstalled driver can leave behind")
		found.seen = append(found.seen, exists.Of(session.Named(registration, "", name).Ref))
	}
	found.workloads, what, err = t.workloadsNaming(ctx, name)
	if err != nil {
		return found, what, err
	}
	for _, workload := range found.workloads {
		found.seen = append(found.seen, workload.namesDriver())
	}
	if len(found.workloads) == 0 {
		none := finding.Observed("Deployments, StatefulSets and DaemonSets", "none names %s", name)
		found.notSeen = append(found.notSeen, none)
	}
	return found, what, nil
}

func (t *Tools) workloadsNaming(ctx context.Context, name string) ([]workloadState, finding.Unread, error) {
	var found []workloadState
	for _, kind := range []string{"Deployments", "StatefulSets", "DaemonSets"} {
		resource := strings.ToLower(kind)
		items, err := session.ListServed[workload](ctx, t.Session, "apps", resource, "", cluster.Selector{})
		if err != nil {
			return nil, unreadKind(kind, finding.AllNamespaces), err
		}
		for _, item := range items {
			if spec, status := item.Typed.Spec, item.Typed.Status; session.Names(spec.Template, name) {
				one := workloadState{item.Object, status.ReadyReplicas, 1}
				if kind == "DaemonSets" {
					one.ready, one.wants = status.NumberReady, status.DesiredNumberScheduled
				} else if spec.Replicas != nil {
					one.wants = *spec.Replicas
				}
				found = append(found, one)
			}
		}
	}
	return found, finding.Unread{}, nil
}

type workload struct {
	Spec struct {
		Replicas *int32                 `json:"replicas"`
		Template corev1.PodTemplateSpec `json:"template"`
	} `json:"spec"`
	Status struct {
		ReadyReplicas          int32 `json:"readyReplicas"`
		NumberReady            int32 `json:"numberReady"`
		DesiredNumberScheduled int32 `json:"desiredNumberScheduled"`
	} `json:"status"`
}

// down returns the workload of a driver's controller, which no DaemonSet is, if no such workload has a ready pod.
func (d storageDriver) down() (state workloadState, down bool) {
	for _, workload := range d.workloads {
		switch {
		case workload.object.Is("apps", "DaemonSet"):
		case workload.ready > 0:
			return workloadState{}, false
		case !down:
			state, down = workload, true
		}
	}
	return state, down
}

// driverDown answers for a driver of whose controller no pod is ready, by why that is so.
func (t *Tools) driverDown(ctx context.Context, driver string, workload workloadState) Answer {
	object := workload.object
	found := t.Health.OutageOf(ctx, object)
	details := finding.StorageDriverDetails{
		Driver: driver, Ready: workload.ready, Wanted: workload.wants, State: &found.Words,
	}
	remedies := slices.Clone(found.Remedies)
	if len(remedies) > 0 {
		first := remedies[0]
		remedies[0] = Remedy{Step: "LetDriverFinish", Details: first, Command: first.Command, Risk: first.Risk}
	}
	return session.AwaitAnswer(object, Finding{
		Reason: finding.ControllerDown, Situation: "StorageDriverDown", Object: object.Ref, Details: details,
		Certainty: finding.Likely, Evidence: append([]Evidence{workload.namesDriver()}, found.Evidence...),
		Remedies: remedies,
	})
}

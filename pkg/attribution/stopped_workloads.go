package attribution

import (
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// scaledRunner is a workload of any kind, and how many pods it is to have.
type scaledRunner struct {
	Spec struct {
		Replicas *int32                 `json:"replicas"`
		Template corev1.PodTemplateSpec `json:"template"`
	} `json:"spec"`
	Status struct {
		Desired *int32 `json:"desiredNumberScheduled"` // of a DaemonSet, by its node selector
	} `json:"status"`
}

func (r scaledRunner) stopped() bool {
	none := func(count *int32) bool { return count != nil && *count == 0 }
	return none(r.Spec.Replicas) || none(r.Status.Desired)
}

// Stopped returns the workloads of any kind that are to have no pods and may be the controller of a finalizer, by their
// names, labels and templates. That is less than what makes a program the controller, and enough to ask before it is
// said that there is none. unread are the kinds that could not be listed.
func (f *Finder) Stopped(
	ctx context.Context, object *session.Object, hold finding.Hold,
) (found []finding.Ref, unread []string) {
	names := f.namesOf(object, hold)
	kinds := []schema.GroupResource{
		{Group: "apps", Resource: "deployments"}, {Group: "apps", Resource: "statefulsets"},
		{Group: "apps", Resource: "daemonsets"}, {Group: "apps", Resource: "replicasets"}, // of Rollouts
		{Resource: "replicationcontrollers"},
	}
	for _, kind := range customWorkloads(ctx, f.Session) { // with a template of pods, else they run no program
		kinds = append(kinds, kind.GroupResource())
	}
	for _, kind := range kinds {
		list, err := session.ListServed[scaledRunner](ctx, f.Session, kind.Group, kind.Resource, "", cluster.Selector{})
		if err != nil {
			unread = append(unread, kind.String())
			continue
		}
		running := map[string]bool{} // by the owner: a revision of what runs is not stopped
		for _, item := range list {
			if owner := metav1.GetControllerOf(item.Object.Meta); owner != nil && !item.Typed.stopped() {
				running[string(owner.UID)] = true
			}
		}
		for _, item := range list {
			owner := metav1.GetControllerOf(item.Object.Meta)
			old := owner != nil && (owner.Kind == "Deployment" || running[string(owner.UID)])
			programs := item.Typed.Spec.Template.Spec.Containers
			if item.Typed.stopped() && len(programs) > 0 && !old && mayRun(item.Object, item.Typed.Spec.Template, names) {
				found = append(found, item.Object.Ref)
			}
		}
	}
	slices.SortFunc(found, finding.Compare)
	return found, unread
}

// namesOf are the words by which a finalizer, its project and the programs that set it go.
func (f *Finder) namesOf(object *session.Object, hold finding.Hold) []string {
	h := f.heldBy(object, hold, nil)
	names := slices.Clone(h.search.criteria.managers)
	groups := []string{naming.Domain(hold.Name)}
	if !h.search.criteria.kindOfKubernetes() {
		groups = append(groups, object.Resource.Group)
	}
	for _, group := range groups {
		if group == "" || naming.Shared(group) {
			continue
		}
		names = append(append(names, group), slices.DeleteFunc(naming.Project(group), naming.Vague)...)
	}
	return names
}

// mayRun reports whether a workload is named after one of some names: itself, by a label, by its namespace, or by what
// its pods are told.
func mayRun(workload *session.Object, template corev1.PodTemplateSpec, names []string) bool {
	name, namespace := workload.Ref.Name, workload.Ref.Namespace
	if naming.NamedForOtherDuty(name) {
		return false
	}
	places := append(slices.Collect(maps.Values(workload.Meta.Labels)), name)
	if naming.LooksLikeOperator(name) || naming.LooksLikeOperator(namespace) {
		places = append(places, namespace)
	}
	return slices.ContainsFunc(places, func(place string) bool { return naming.Mentions(place, names...) }) ||
		slices.ContainsFunc(names, func(text string) bool { return session.Names(template, text) })
}

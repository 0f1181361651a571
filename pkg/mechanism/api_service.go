package mechanism

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// apiServiceDown is the cause of every namespace that can't be finished because one API group can't
// be discovered.
func (t *Tools) apiServiceDown(namespace *session.Object, one undiscoverable, registered *health.APIService, found health.Backend, said []finding.Evidence) finding.Finding {
	object, version := one.object, one.version
	available := registered.Available()
	why, certainty := t.whyUnavailable(available, found)
	evidence := append(slices.Clone(said), finding.Evidence{Source: "discovery", Observed: fmt.Sprintf("%s: %s", version, one.failure)})
	if available.Type != "" {
		at := available.LastTransitionTime.Time
		evidence = append(evidence, finding.Evidence{
			Source: object.Ref.String(), Observed: fmt.Sprintf("condition Available is %s: %s: %s", available.Status, available.Reason, available.Message), Object: &object.Ref, At: &at,
		})
	}
	own := ""
	if registered.Spec.Service.Namespace == namespace.Ref.Name {
		own = " The backend is part of the very namespace that is being deleted, so it can't come back there."
	}
	return finding.Finding{
		Reason: finding.APIServiceUnavailable, Object: object.Ref, Certainty: certainty,
		Message: fmt.Sprintf("%s: %s. While %s can't be discovered, nobody can tell what of it is in a namespace, and kube-controller-manager finishes no namespace.%s",
			object.Ref, why, version, own),
		Awaited:  fmt.Sprintf("%s to be served: %s", object.Ref, why),
		Evidence: append(evidence, found.Evidence...),
		Remedies: t.restoreAPIService(object, version, found, one.together),
		// One backend often serves several versions: mending it mends them all.
		Alike: fmt.Sprintf("APIServices whose backend is %s: %s", registered.Backend().Path(), why),
		Several: func(count int) string {
			return fmt.Sprintf("%d APIServices to be served, of all of which it holds: %s", count, why)
		},
	}
}

// whyUnavailable goes as deep as the evidence reaches: to the backend, or to what kube-apiserver says
// of it (k8s v1.37 kube-aggregator/pkg/controllers/status/remote/remote_available_controller.go:sync).
func (t *Tools) whyUnavailable(available metav1.Condition, found health.Backend) (string, finding.Certainty) {
	switch {
	case found.State == health.BackendBroken && available.Status == "True":
		return "its backend " + t.Health.Told(found.Words), finding.Likely
	case found.State == health.BackendBroken:
		return "its backend " + t.Health.Told(found.Words), finding.Proven
	case available.Status == "True":
		return "it counts as available, but its answers to discovery are missing, stale or slower than five seconds", finding.Likely
	case available.Reason == "FailedDiscoveryCheck":
		return "its backend has ready endpoints, but doesn't answer kube-apiserver as it should (" + available.Message + ")", finding.Proven
	case available.Reason == "":
		return "kube-apiserver has not reached its backend yet", finding.Likely
	}
	return fmt.Sprintf("kube-apiserver reports %s (%s)", available.Reason, available.Message), finding.Proven
}

func (t *Tools) restoreAPIService(object *session.Object, version schema.GroupVersion, found health.Backend, together []string) []finding.Remedy {
	remedies := slices.Clone(found.Remedies)
	if len(remedies) == 0 {
		remedies = []finding.Remedy{{
			Action:  "Find out why its backend doesn't answer kube-apiserver: its program, its certificate, a network policy, the way from the control plane to the pods.",
			Command: t.Session.Kubectl.Command(object, "describe"),
			Risk:    finding.NoRisk,
		}}
	}
	which, lost := "its APIService", version.String()
	if len(together) > 1 {
		which = fmt.Sprintf("all %d APIServices that it serves and that fail", len(together))
		lost = "all of them"
	}
	return append(remedies, finding.Remedy{
		Action:  fmt.Sprintf("Only if what served %s is gone for good: delete %s. Namespaces are then finished within a minute.", version, which),
		Command: append(append(t.Session.Kubectl.Prefix(object.Ref), "delete", object.Resource.QualifiedName()), together...),
		Risk:    finding.Orphans,
		Loses:   fmt.Sprintf("the way to every object of %s: they are not deleted, and stay in that extension's own store", lost),
	})
}

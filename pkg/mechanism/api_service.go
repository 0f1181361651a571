package mechanism

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
)

// apiServiceDown is the cause of every namespace that can't be finished because one API group can't be discovered.
func (t *Tools) apiServiceDown(
	namespace *Object, one undiscoverable, registered *health.APIService, found health.Backend, said []finding.Evidence,
) finding.Finding {
	object, available := one.object, registered.Available()
	about, certainty := whyUnavailable(available, found)
	about.Version, about.Words = one.version.String(), one.failure.Error()
	about.Inside = registered.Spec.Service.Namespace == namespace.Ref.Name
	evidence := append(slices.Clone(said), finding.Observed("discovery", "%s: %s", one.version, one.failure))
	if available.Type != "" {
		at := available.LastTransitionTime.Time
		evidence = append(evidence, object.Ref.Observed("condition Available is %s: %s: %s", available.Status, available.Reason, available.Message).When(at))
	}
	return finding.Finding{
		Reason: finding.APIServiceUnavailable, Situation: "APIServiceDown", Object: object.Ref, Certainty: certainty,
		Details: about, Key: backendKey(registered, about), Evidence: append(evidence, found.Evidence...),
		Remedies: t.restoreAPIService(object, about, found, one.together),
	}
}

// backendKey is the same for APIServices of one backend that fail alike: it often serves several versions.
func backendKey(registered *health.APIService, about finding.GroupVersionDetails) string {
	path := registered.Backend().Path()
	if about.Backend != nil || about.Available == string(metav1.ConditionTrue) {
		return finding.KeyOf("APIServiceDown", path, about.Backend != nil)
	}
	return finding.KeyOf("APIServiceDown", path, about.Reason, about.Said)
}

// whyUnavailable goes as deep as the evidence reaches: to the backend, or to what kube-apiserver says
// of it (k8s v1.37 kube-aggregator/pkg/controllers/status/remote/remote_available_controller.go:sync).
func whyUnavailable(available metav1.Condition, found health.Backend) (finding.GroupVersionDetails, finding.Certainty) {
	about := finding.GroupVersionDetails{
		Available: string(available.Status), Reason: available.Reason, Said: available.Message,
	}
	certainty := finding.Proven
	if found.State == health.BackendBroken {
		about.Backend = backendPhrase(found)
	} else if available.Reason == "" {
		certainty = finding.Likely
	}
	if available.Status == metav1.ConditionTrue {
		certainty = finding.Likely
	}
	return about, certainty
}

// backendPhrase says how a backend fares.
func backendPhrase(found health.Backend) *finding.Phrase { return &found.Words }

func (t *Tools) restoreAPIService(
	object *Object, about finding.GroupVersionDetails, found health.Backend, together []string,
) []finding.Remedy {
	remedies := slices.Clone(found.Remedies)
	if len(remedies) == 0 {
		remedies = []finding.Remedy{{Step: "SeeAPIService", Command: t.kubectl(object, "describe")}}
	}
	about.Together = len(together)
	command := t.Session.Kubectl.Prefix(object.Ref, "delete", object.Resource.QualifiedName())
	return append(remedies, finding.Remedy{
		Step: "DeleteAPIServices", Details: about, Command: append(command, together...), Risk: finding.Orphans,
	})
}

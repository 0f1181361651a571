package diagnosis_test

import (
	"errors"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// probeCases are what a server can answer to a dry run.
func probeCases(held string) []whyCase {
	return []whyCase{{
		name: "probe: a webhook denies", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{held, webhook("ValidatingWebhookConfiguration", ""), guardService()},
		probe:   denied(`admission webhook "guard.example.com" denied the request: not on Fridays`),
		causes:  []string{"AdmissionDenied ValidatingWebhookConfiguration/guard"}, says: []string{"not on Fridays"},
	}, {
		name: "probe: a webhook can't be reached although its backend is up", target: "configmaps/held",
		verdict: result.Stuck,
		objects: []string{held, webhook("ValidatingWebhookConfiguration", ""), guardService()},
		probe: says(apierrors.NewInternalError(errors.New(`failed calling webhook "guard.example.com": failed to ` +
			`call webhook: Post "https://guard.shop.svc:443/": x509: certificate signed by unknown authority`))),
		causes: []string{"WebhookUnavailable ValidatingWebhookConfiguration/guard"}, says: []string{"x509"},
	}, {
		name: "probe: a webhook doesn't take dry runs", target: "configmaps/held", verdict: result.Undetermined,
		objects: []string{held, webhook("ValidatingWebhookConfiguration", ""), guardService()},
		probe:   says(apierrors.NewBadRequest(`admission webhook "guard.example.com" does not support dry run`)),
		causes:  []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "probe: the user may not patch", target: "configmaps/held", verdict: result.Undetermined,
		objects: []string{held},
		probe:   denied(`User "jane" cannot patch resource "configmaps" in API group "" in the namespace "shop"`),
		causes:  []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "probe: a policy that can't be read, and may refuse the user alone", target: "configmaps/held",
		verdict: result.Undetermined, deny: "validatingadmissionpolicies",
		objects: []string{held}, probe: denied(`ValidatingAdmissionPolicy 'hidden' with binding 'b' denied request: no`),
		causes: []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "probe: a policy that the API server has from a file", target: "configmaps/held", verdict: result.Stuck,
		objects: []string{held}, probe: denied(`ValidatingAdmissionPolicy 'hidden' with binding 'b' denied request: no`),
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/hidden"},
	}, {
		name: "probe: the update passes, against what a policy seems to say", target: "configmaps/held",
		verdict: result.Undetermined,
		objects: []string{held, policy("false")}, probe: says(nil),
		causes: []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "probe: the object isn't valid any more", stated: true, target: "configmaps/held", verdict: result.Stuck,
		objects: []string{held}, probe: invalid("spec.owner", "Required value"),
		causes: []string{"UpdateInvalid ConfigMap/shop/held"}, says: []string{"spec.owner"},
	}, {
		name: "probe: the patch no longer applies", target: "configmaps/held", verdict: result.Undetermined,
		objects: []string{held},
		probe: says(&apierrors.StatusError{ErrStatus: metav1.Status{
			Code: 422, Reason: metav1.StatusReasonInvalid,
			Message: "the server rejected our request due to an error in our request", Details: &metav1.StatusDetails{},
		}}),
		causes: []string{"ControllerUnknown ConfigMap/shop/held"},
	}, {
		name: "probe: the collector is stuck, for its request would pass", target: "persistentvolumeclaims/data",
		verdict: result.Undetermined,
		objects: []string{claim(deleted(time.Hour, "kubernetes.io/pvc-protection")), managerAlive()}, probe: says(nil),
	}}
}

// refusedContentCases are namespaces whose conditions report refusals inside them.

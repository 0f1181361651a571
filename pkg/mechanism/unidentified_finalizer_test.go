package mechanism

import (
	"testing"
	"time"
)

func TestUnidentifiedFinalizer(t *testing.T) {
	held := configMap("held", deleted(time.Hour, "example.com/hold"))
	const unidentified = "cause ControllerUnknown FinalizerUnidentified "
	guarded := manifest("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "guards", "",
		"webhooks: [{name: guard.example.com, failurePolicy: Fail, sideEffects: None, admissionReviewVersions: [v1], "+
			"clientConfig: {service: {namespace: ext, name: guard}}, "+
			"rules: [{operations: [UPDATE], apiGroups: [''], apiVersions: [v1], resources: [configmaps]}]}]")
	runCases(t, []mechanismCase{
		{
			name: "nothing of its project is there", objects: held,
			told: []string{"cause ControllerUnknown NothingOfProject ConfigMap shop/held key " +
				"unidentified,example.com/hold,configmaps"},
		},
		{
			name: "its removal is refused", objects: held + guarded,
			told: []string{unidentified + "ConfigMap shop/held key FinalizerUnidentified,Finalizer,example.com/hold,configmaps"},
		},
		{
			name: "an entry of a namespace's spec",
			objects: manifest("v1", "Namespace", "", "shop", "deletionTimestamp: "+ago(time.Hour),
				"spec: {finalizers: [example.com/hold]}"),
			told: []string{unidentified +
				"Namespace shop key FinalizerUnidentified,SpecFinalizer,example.com/hold,namespaces"},
		},
	})
}

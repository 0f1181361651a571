package diagnosis_test

import (
	"fmt"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"strings"
	"time"
)

// blockingToo is a reference to a ConfigMap that the dependent blocks.
func blockingToo(name string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, name: %s, uid: configmap-%s, blockOwnerDeletion: true}", name,
		name)
}

func keptDependentCases() []whyCase {
	foreground := func(ago time.Duration) string { return configMap("owner", deleted(ago, "foregroundDeletion")) }
	shared := child(toConfigMap("keeper"), blockingToo("owner"))
	keeper, unwritable := configMap("keeper", ""),
		policy("request.operation != 'UPDATE' || object.metadata.name != 'child'")
	late := fmt.Sprintf("creationTimestamp: %q, %s", at(time.Hour), owned("owner", true))
	goingBinding := func(meta string) string {
		return strings.Replace(policy("request.operation != 'DELETE'"), "name: kept,", "name: kept, "+meta+",", 1)
	}
	return []whyCase{{
		name: "dependent that a policy keeps, whose binding is being deleted and held", target: "configmaps/owner",
		verdict: result.Stuck,
		objects: []string{foreground(time.Hour), child(blockingToo("owner")), managerAlive(),
			goingBinding(deleted(time.Hour, "guards.example.com/hold"))},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep",
			"ControllerUnknown ValidatingAdmissionPolicyBinding/kept"},
		remedy: `--type merge -p '{"spec":{"validationActions":["Audit"]}}'`,
	}, {
		name: "dependent that a policy keeps, whose binding goes by itself", target: "configmaps/owner",
		verdict: result.Progressing,
		objects: []string{foreground(time.Hour), child(blockingToo("owner")), managerAlive(),
			goingBinding(deleted(2*time.Second, "foregroundDeletion"))},
	}, {
		name: "dependent that another owner keeps, and may not be written to", target: "configmaps/owner",
		verdict: result.Stuck,
		objects: []string{foreground(time.Hour), shared, keeper, unwritable, managerAlive()},
		causes:  []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"},
		says:    []string{"removal of the owner reference to it from ConfigMap shop/child"},
	}, {
		name:   "dependent that another owner keeps and whose deletion is denied, which nobody asks for",
		target: "configmaps/owner", verdict: result.Stuck,
		objects: []string{foreground(time.Hour), shared, keeper, policy("request.operation != 'DELETE'"), managerAlive()},
		causes:  []string{"DependentNotDeleted ConfigMap/shop/child"},
		says:    []string{"it has another owner, ConfigMap shop/keeper"},
		remedy:  `auth can-i patch configmaps/child --as=system:serviceaccount:kube-system:generic-garbage-collector`,
	}, {
		name: "dependent that another owner keeps, and the controller manager is dead", target: "configmaps/owner",
		verdict: result.Stuck,
		objects: []string{foreground(time.Hour), shared, keeper, managerDead()},
		causes:  []string{"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name: "dependent that a policy keeps, and the controller manager is dead", target: "configmaps/owner",
		verdict: result.Stuck,
		objects: []string{foreground(time.Hour), child(blockingToo("owner")), policy("request.operation != 'DELETE'"),
			managerDead()},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep",
			"ControlPlaneDown Lease/kube-system/kube-controller-manager"},
	}, {
		name:   "definition that nobody has deleted",
		target: "customresourcedefinitions.apiextensions.k8s.io/databases.shop.example.com", verdict: result.NotTerminating,
		objects: []string{object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "databases.shop.example.com", "",
			"")},
		says: []string{"until its instances in all namespaces"},
	}, {
		name: "dependent that another owner keeps, just now", target: "configmaps/owner", verdict: result.Progressing,
		objects: []string{foreground(time.Second), shared, keeper, managerAlive()},
		says:    []string{"remove the owner reference to it from ConfigMap shop/child"},
	}, {
		name: "dependent of another owner that may not be read", target: "configmaps/owner", verdict: result.Undetermined,
		deny: "databases",
		objects: []string{
			foreground(time.Hour), managerAlive(), child(reference("shop.example.com/v1", "Database", "orders",
				"database-orders"), blockingToo("owner")),
		},
		says: []string{"Database orders (the other owner of its dependent)"},
	}, {
		name: "dependent of two that both wait for it, and its deletion is denied", target: "configmaps/owner",
		verdict: result.Stuck,
		objects: []string{foreground(time.Hour), configMap("second", deleted(time.Hour, "foregroundDeletion")),
			child(blockingToo("second"), blockingToo("owner")), policy("request.operation != 'DELETE'"), managerAlive()},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep"},
	}, {
		name: "dependent that was created after the deletion, beside a held one", target: "configmaps/owner",
		verdict: result.Undetermined,
		objects: []string{foreground(time.Hour), configMap("late", late),
			configMap("held", owned("owner", true)+", "+deleted(time.Hour, "example.com/hold")), managerAlive()},
		causes: []string{"ControllerUnknown ConfigMap/shop/held"},
		notes:  []string{"ConfigMap shop/late was created after the deletion of ConfigMap shop/owner had begun"},
	}, {
		name: "dependent that was created after the deletion, and nothing else is left", target: "configmaps/owner",
		verdict: result.Stuck,
		objects: []string{foreground(time.Hour), configMap("late", late), managerAlive()},
		causes:  []string{"DependentNotDeleted ConfigMap/shop/late"},
	}, {
		name: "dependent that was created after the deletion and that a policy keeps", target: "configmaps/owner",
		verdict: result.Stuck,
		objects: []string{foreground(time.Hour), configMap("late", late),
			configMap("held", owned("owner", true)+", "+deleted(time.Hour, "example.com/hold")),
			policy("request.operation != 'DELETE'"), managerAlive()},
		causes: []string{"AdmissionDenied ValidatingAdmissionPolicy/keep", "ControllerUnknown ConfigMap/shop/held"},
	}}
}

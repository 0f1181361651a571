package naming

import "testing"

func TestSettingOf(t *testing.T) {
	cases := map[Setting][]string{
		NamesNamespaces: {
			"WATCH_NAMESPACE", "WATCH_NAMESPACES", "ACME_WATCH_NAMESPACE", "watchNamespace", "--watch-namespace",
			"--watched-namespaces", "--namespaces", "-watch-namespaces", "TARGET_NAMESPACES", "--allowed-namespaces",
			"--spoke-cluster-name",
		},
		PerhapsNamespaces:    {"--namespace", "-namespace"},
		SelectsLabels:        {"--watch-label-selector", "WATCH_LABEL_SELECTOR", "--watch-selector"},
		PerhapsSelectsLabels: {"--selector", "--label-selector", "LABEL_SELECTOR"},
		SelectsNamespaces: {
			"--namespace-label-selector", "WATCH_NAMESPACE_SELECTOR", "--watch-namespaces-label-selector",
		},
		NamesClass: {
			"--ingress-class", "INGRESS_CLASS", "--ingressclass", "--gateway-class-name", "--controller-class", "--class",
			"gatewayClassName", "spec.classRef",
		},
		FiltersClusters: {"--watch-filter"},
		NamesController: {"--controller-name", "CONTROLLER_NAME", "--gateway-controller-name", "PROVISIONER_NAME"},
		LeavesOutNamespaces: {
			"--ignored-namespaces", "--exclude-namespaces", "IGNORE_NAMESPACES", "--skip-namespaces", "namespacesToSkip",
			"--watch-namespaces-exclude", "--ignore-namespace",
		},
		NoLimit: {
			"--default-ingress-class", "--storage-class", "STORAGE_CLASS_NAME", "--priority-class-name", "--classpath",
			"--controller-namespace", "--controllers", "--name", "--ignored-classes", "--volumesnapshotclass",
			"", "NAMESPACE", "POD_NAMESPACE", "OPERATOR_NAMESPACE", "--leader-election-namespace", "TARGET_NAMESPACE",
			"--watch-all-namespaces", "--namespace-selector", "--webhook-ignored-namespaces", "--ignored-classes",
			"--node-label-selector", "WATCH", "--webhook-namespace", "--secret-namespace", "--cluster-name",
		},
	}
	for want, names := range cases {
		for _, name := range names {
			if got := SettingOf(name); got != want {
				t.Errorf("%q is %d, want %d", name, got, want)
			}
		}
	}
}

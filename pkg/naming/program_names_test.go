package naming_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

func TestNamedAfter(t *testing.T) {
	cases := map[[2]string]bool{
		{"shop-system", "controller-manager"}: true, {"shop-system", "shop-operator"}: true, {"ops", "shop-controller"}: true,
		{"shop", "default"}:                 true,
		{"shop-system", "grafana-operator"}: false, {"workshop", "controller-manager"}: false, {"ops", "operator"}: false,
	}
	for of, want := range cases {
		if got := naming.NamedAfter(of[0], of[1], "shop"); got != want {
			t.Errorf("%s/%s goes by shop: %t, want %t", of[0], of[1], got, want)
		}
	}
}

func TestNames(t *testing.T) {
	if !naming.IsBareWord("plain") || naming.IsBareWord("shop.example.com/cleanup") ||
		naming.IsBareWord("machine.cluster.x-k8s.io") {
		t.Error("a bare word is one without a domain")
	}
	for name, want := range map[string]bool{"shop-operator": true, "workshop": false, "my/Shop": true, "shop": true} {
		if got := naming.Mentions(name, "shop"); got != want {
			t.Errorf("%s mentions shop: %t", name, got)
		}
	}
	if words := naming.Project("acme.cert-manager.io"); strings.Join(words, " ") != "acme cert-manager" {
		t.Errorf("the project of acme.cert-manager.io is %v", words)
	}
}

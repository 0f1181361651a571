package controller_test

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
)

func TestNamedAfter(t *testing.T) {
	cases := map[[2]string]bool{
		{"shop-system", "controller-manager"}: true, {"shop-system", "shop-operator"}: true, {"ops", "shop-controller"}: true, {"shop", "default"}: true,
		{"shop-system", "grafana-operator"}: false, {"workshop", "controller-manager"}: false, {"ops", "operator"}: false,
	}
	for of, want := range cases {
		if got := controller.NamedAfter(of[0], of[1], "shop"); got != want {
			t.Errorf("%s/%s goes by shop: %t, want %t", of[0], of[1], got, want)
		}
	}
}

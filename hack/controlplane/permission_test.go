package controlplane_test

import (
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

func TestPermissionFor(t *testing.T) {
	for request, want := range map[string]string{
		"GET /api":                                 "",
		"GET /apis":                                "",
		"GET /api/v1":                              "",
		"GET /apis/apps/v1":                        "",
		"GET /version":                             "",
		"GET /openapi/v3/apis/apps/v1":             "",
		"GET /api/v1/pods?limit=500":               "list pods",
		"GET /api/v1/nodes/one":                    "get nodes",
		"GET /api/v1/namespaces":                   "list namespaces",
		"GET /api/v1/namespaces/x":                 "get namespaces",
		"PUT /api/v1/namespaces/x/finalize":        "update namespaces/finalize",
		"GET /api/v1/namespaces/x/pods":            "list pods",
		"GET /api/v1/namespaces/x/pods/status":     "get pods",
		"GET /api/v1/namespaces/x/pods/web/status": "get pods/status",
		"GET /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/scheduler": "get leases.coordination.k8s.io",
		"GET /apis/apps/v1/deployments?watch=true":                                 "watch deployments.apps",
		"PATCH /apis/shop.example.com/v1/namespaces/x/databases/one?dryRun=All":    "patch databases.shop.example.com",
		"DELETE /api/v1/namespaces/x/configmaps":                                   "deletecollection configmaps",
		"POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews": "create " +
			"selfsubjectaccessreviews.authorization.k8s.io",
	} {
		method, uri, _ := strings.Cut(request, " ")
		got := ""
		if permission, about := controlplane.PermissionFor(method, uri); about {
			got = permission.String()
		}
		if got != want {
			t.Errorf("%s needs %q, want %q", request, got, want)
		}
	}
}

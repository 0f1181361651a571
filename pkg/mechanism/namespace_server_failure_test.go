package mechanism

import (
	"errors"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

// TestNamespaceServerFailure asks about namespaces whose deletion fails at the server of an aggregated API, which the
// condition need not name.
func TestNamespaceServerFailure(t *testing.T) {
	const failure, kind = "NamespaceDeletionContentFailure", "databases.shop.example.com"
	const words = "Internal error occurred: pq: connection refused"
	const path = "APIService v1.shop.example.com"
	service := func(spec string) string {
		return manifest("apiregistration.k8s.io/v1", "APIService", "", "v1.shop.example.com",
			"", "spec: {group: shop.example.com, version: v1"+spec+"}\n"+
				`status: {conditions: [{type: Available, status: "True", reason: Passed, lastTransitionTime: `+ago(time.Hour)+"}]}")
	}
	remote := service(", service: {namespace: ext, name: extension}")
	fails := "  cause APIServiceUnavailable APIServiceFails " + path + " key APIServiceFails," + path
	for _, c := range []struct {
		name, objects, says string
		answers             error
		told                []string
	}{
		{
			name: "it answers as the condition says", objects: remote, says: words,
			answers: apierrors.NewInternalError(errors.New("pq: connection refused")),
			told:    []string{"wait " + path, fails},
		},
		{
			name: "it forbids as the condition says", objects: remote, says: kind + " is forbidden: not you",
			answers: apierrors.NewForbidden(schema.ParseGroupResource(kind), "", errors.New("not you")),
			told:    []string{"wait " + path, fails},
		},
		{
			name: "it answers with something else", objects: remote, says: words,
			answers: apierrors.NewForbidden(schema.ParseGroupResource(kind), "", errors.New("not you")),
			told:    []string{"open DeletionInsideFails"},
		},
		{
			name: "it answers well by now", objects: remote, says: words, told: []string{"open DeletionInsideFails"},
		},
		{
			name: "kube-apiserver serves the kind itself", objects: service(""), says: words,
			answers: apierrors.NewInternalError(errors.New("pq: connection refused")),
			told:    []string{"open DeletionInsideFails"},
		},
		{
			name: "it keeps what it accepted to delete", objects: remote,
			says: "unexpected items still remain in namespace: shop for gvr: shop.example.com/v1, Resource=databases",
			told: []string{"wait " + path,
				"  cause APIServiceUnavailable APIServiceKeeps " + path + " key APIServiceKeeps," + path},
		},
		{
			name: "another kind of a longer name is kept", objects: remote,
			says: "unexpected items still remain in namespace: shop for gvr: shop.example.com/v1, Resource=databasesets",
			told: []string{"open DeletionInsideFails"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := reports(failure, "Failed to delete all resource types, 1 remaining: "+c.says)
			objects := goingNamespace(time.Hour, said) + c.objects + managerRuns()
			tools := toolsWith(t, objects, func(memory *clustertest.Memory) {
				if c.answers != nil {
					memory.Break("databases", c.answers)
				}
			})
			checkTold(t, c.told, askTools(t, tools, objects))
		})
	}
}

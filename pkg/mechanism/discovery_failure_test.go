package mechanism

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/clustertest"
)

func TestDiscoveryFailure(t *testing.T) {
	service := func(version, status, reason string, before time.Duration) string {
		return manifest("apiregistration.k8s.io/v1", "APIService", "", version+".metrics.example.com", "", fmt.Sprintf(
			"spec: {group: metrics.example.com, version: %s, service: {namespace: ext, name: extension}}\n"+
				"status: {conditions: [{type: Available, status: %q, reason: %s, message: said, lastTransitionTime: %s}]}",
			version, status, reason, ago(before)))
	}
	down := service("v1", "False", "ServiceNotFound", time.Hour)
	const path = "APIService v1.metrics.example.com"
	const cause = "  cause APIServiceUnavailable APIServiceDown "
	broken := []string{"wait " + path, cause + path + " key APIServiceDown,ext/extension,true"}
	failed := []string{"v1"}
	for _, c := range []struct {
		name, objects, deny string
		failed              []string
		told                []string
	}{
		{name: "an APIService whose backend is missing", objects: down, failed: failed, told: broken},
		{
			name: "two of one backend", objects: down + service("v2", "False", "MissingEndpoints", time.Hour),
			failed: []string{"v1", "v2"},
			told: append(broken, "wait APIService v2.metrics.example.com",
				cause+"APIService v2.metrics.example.com key APIServiceDown,ext/extension,true"),
		},
		{
			name: "one that is being deleted itself", failed: failed,
			objects: strings.Replace(down, "uid: apiservice", deleted(time.Minute, "ext.example.com/hold")+", uid: apiservice",
				1),
			told: []string{"wait " + path, "later APIServiceGoing " + path + " key APIServiceGoing," + path},
		},
		{
			name: "one that is available again", objects: service("v1", "True", "Passed", time.Second), failed: failed,
			told: []string{"progress DiscoveryFollows " + path},
		},
		{
			name: "one of which the backend may not be read", objects: down, failed: failed, deny: "services",
			told: []string{"wait " + path, cause + path + " key APIServiceDown,ext/extension,ServiceNotFound,said"},
		},
		{name: "a group without an APIService", failed: failed, told: []string{"open GroupUndiscovered"}},
		{name: "APIServices that may not be read", objects: down, failed: failed, deny: "apiservices"},
		{name: "discovery that works again", told: []string{
			"progress FailureOver Namespace shop key FailureOver,kube-controller-manager,{GroupsDiscoveredAgain <nil>}",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			said := reports("NamespaceDeletionDiscoveryFailure", "Discovery failed for some groups")
			objects := goingNamespace(time.Hour, said) + c.objects + managerRuns()
			tools := toolsWith(t, objects, func(memory *clustertest.Memory) {
				memory.Failed = map[schema.GroupVersion]error{}
				for _, version := range c.failed {
					memory.Failed[schema.GroupVersion{Group: "metrics.example.com", Version: version}] = errors.New("503")
				}
				memory.Deny(c.deny)
			})
			checkTold(t, c.told, askTools(t, tools, objects))
		})
	}
}

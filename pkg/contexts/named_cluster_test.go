package contexts_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/contexts"
)

// TestLead finds the contexts that lead to a cluster that an object names, and no other ones.
func TestLead(t *testing.T) {
	kubeconfig := config("hub", "hub https://hub ca-hub", "spoke https://spoke:6443 ca-spoke",
		"spoke-admin https://SPOKE:6443/ ca-spoke", "spoke-2 https://spoke-2:6443 ca", "prod https://prod ca-prod",
		"prod-eu https://prod-eu ca", "twin-a https://10.0.0.1 ca-a", "twin-b https://10.0.0.1 ca-b",
		"open https://open", "kind https://127.0.0.1:7001 ca-kind", "named https://elsewhere ca")
	kubeconfig.Contexts["other"] = &api.Context{Cluster: "of-prod", AuthInfo: "user-prod"}
	hub := *kubeconfig.Clusters["of-hub"]
	local := api.Cluster{Server: "https://127.0.0.1:7000", CertificateAuthorityData: []byte("ca-local")}
	for _, c := range []struct {
		name   string
		home   api.Cluster
		sought contexts.Sought
		want   string
	}{
		{"by address", hub, contexts.Sought{Server: "https://spoke:6443"}, "{false [{spoke [spoke-admin]}] false}"},
		{"by address and authority", hub, contexts.Sought{Server: "https://spoke:6443", Authority: []byte("ca-spoke\n")},
			"{false [{spoke [spoke-admin]}] false}"},
		{"another authority", hub, contexts.Sought{Server: "https://spoke:6443", Authority: []byte("other")},
			"{false [] false}"},
		{"another port", hub, contexts.Sought{Server: "https://spoke"}, "{false [] false}"},
		{"an address that begins alike", hub, contexts.Sought{Server: "https://spoke-:6443"}, "{false [] false}"},
		{"a context without an authority", hub, contexts.Sought{Server: "https://open", Authority: []byte("ca")},
			"{false [{open []}] false}"},
		{"the address counts, not the name", hub, contexts.Sought{Server: "https://gone", Name: "named"},
			"{false [] false}"},
		{"by the name of a context", hub, contexts.Sought{Name: "prod-eu"}, "{false [{prod-eu []}] true}"},
		{"by the name of a cluster", hub, contexts.Sought{Name: "of-prod"}, "{false [{other [prod]}] true}"},
		{"a similar name", hub, contexts.Sought{Name: "pro"}, "{false [] true}"},
		{"another case", hub, contexts.Sought{Name: "Prod"}, "{false [] true}"},
		{"no name", hub, contexts.Sought{}, "{false [] true}"},
		{"one address in two networks", hub, contexts.Sought{Server: "https://10.0.0.1"},
			"{false [{twin-a []} {twin-b []}] false}"},
		{"one address in two networks, with the authority", hub,
			contexts.Sought{Server: "https://10.0.0.1", Authority: []byte("ca-b")}, "{false [{twin-b []}] false}"},
		{"inside of the cluster", hub, contexts.Sought{Server: "https://kubernetes.default.svc"}, "{true [] false}"},
		{"inside of the cluster, whole", hub, contexts.Sought{Server: "https://kubernetes.default.svc.cluster.local:443/"},
			"{true [] false}"},
		{"a host that begins alike", hub, contexts.Sought{Server: "https://kubernetes.default.example.com"},
			"{false [] false}"},
		{"the hub itself", hub, contexts.Sought{Server: "https://hub:443"}, "{true [] false}"},
		{"the hub by its name", hub, contexts.Sought{Name: "hub"}, "{true [] false}"},
		{"the address of the hub, of another cluster", hub, contexts.Sought{Server: "https://hub", Authority: []byte("x")},
			"{false [] false}"},
		{"loopback, said by a machine elsewhere", hub, contexts.Sought{Server: "https://127.0.0.1:7001"},
			"{false [] false}"},
		{"loopback, with the authority", hub,
			contexts.Sought{Server: "https://127.0.0.1:7001", Authority: []byte("ca-kind")}, "{false [{kind []}] false}"},
		{"loopback, said on this machine", local, contexts.Sought{Server: "https://127.0.0.1:7001"},
			"{false [{kind []}] false}"},
		{"loopback of the hub", local, contexts.Sought{Server: "https://127.0.0.1:7000"}, "{true [] false}"},
	} {
		names := slices.Sorted(maps.Keys(kubeconfig.Contexts))
		if got := fmt.Sprint(contexts.Lead(kubeconfig, names, c.home, c.sought, noFiles)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

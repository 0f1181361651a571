package attribution

import (
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// TestOtherDuty wants what a program's name says beside the kind: the proxy-operator of Proxies reconciles them.
func TestOtherDuty(t *testing.T) {
	for _, c := range []struct {
		kind, plural, name string
		other              bool
	}{
		{"Proxy", "proxies", "proxy-operator", false},
		{"Proxy", "proxies", "proxy-exporter", true},
		{"Proxy", "proxies", "proxies-controller", false},
		{"Database", "databases", "database-proxy", true},
		{"GrafanaDashboard", "grafanadashboards", "grafana-operator", false},
		{"Monitor", "monitors", "monitor-ui", true},
	} {
		s := search{}
		s.criteria.resource = cluster.Resource{Kind: c.kind}
		s.criteria.resource.Group, s.criteria.resource.Resource = "edge.example.com", c.plural
		if got := s.terms().otherDuty(c.name); got != c.other {
			t.Errorf("%s of %s has another duty: %t", c.name, c.plural, got)
		}
	}
}

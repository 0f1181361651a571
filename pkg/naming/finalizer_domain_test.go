package naming_test

import (
	"slices"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
)

func TestDomain(t *testing.T) {
	for finalizer, want := range map[string]string{
		"shop.example.com/cleanup": "shop.example.com", "machine.cluster.x-k8s.io": "machine.cluster.x-k8s.io", "plain": "",
		"chaos-mesh/records": "", "Karmada.IO/x": "karmada.io",
	} {
		if got := naming.Domain(finalizer); got != want {
			t.Errorf("the domain of %s is %q, want %q", finalizer, got, want)
		}
	}
}

func TestRelatives(t *testing.T) {
	groups := []string{"", "apps", "work.karmada.io", "policy.karmada.io", "kubeblocks.io", "apps.kubeblocks.io",
		"shop.example.com", "s1.example.com", "snapshot.storage.k8s.io", "cluster.x-k8s.io",
		"infrastructure.cluster.x-k8s.io", "vpcresources.k8s.aws", "db.acme.co.uk", "core.kcp.io", "db.acme.github.io"}
	for _, c := range []struct {
		domain string
		want   []string
	}{
		{"karmada.io", []string{"policy.karmada.io", "work.karmada.io"}},
		{"cluster.kubeblocks.io", []string{"kubeblocks.io"}},
		{"cluster.apps.kubeblocks.io", []string{"apps.kubeblocks.io"}},
		{"shop.example.com", []string{"shop.example.com"}},
		{"example.com", nil}, // of no project
		{"other.example.com", nil},
		{"snapshot.storage.kubernetes.io", []string{"snapshot.storage.k8s.io"}},
		{"awscluster.infrastructure.cluster.x-k8s.io", []string{"infrastructure.cluster.x-k8s.io"}},
		{"gateway.k8s.aws", nil}, // shared by several projects
		{"web.karmada.io", []string{"policy.karmada.io", "work.karmada.io"}},
		{"web.acme.co.uk", []string{"db.acme.co.uk"}},
		{"web.other.co.uk", nil},
		{"web.kcp.io", []string{"core.kcp.io"}},
		{"web.acme.github.io", []string{"db.acme.github.io"}},
		{"web.other.github.io", nil},
		{"shop.s3.amazonaws.com", nil},
		{"", nil},
	} {
		if got, _ := naming.ClosestGroups(c.domain, groups); !slices.Equal(got, c.want) {
			t.Errorf("the relatives of %q are %q, want %q", c.domain, got, c.want)
		}
	}
}

func TestShared(t *testing.T) {
	for domain, want := range map[string]bool{
		"k8s.io": true, "github.io": true, "gitlab.io": true, "googleapis.com": true, "co.uk": true, "cluster.local": true,
		"apps": false, "": false, "karmada.io": false, "cluster.x-k8s.io": false, "acme.github.io": false,
	} {
		if got := naming.Shared(domain); got != want {
			t.Errorf("%q is shared: %v", domain, got)
		}
	}
}

func TestOfOtherPart(t *testing.T) {
	for finalizer, want := range map[string]bool{
		"glaze.potters.guild/hold": true, "kiln.potters.guild/hold": false, "potters.guild/hold": false,
		"finalizers.potters.guild/hold": false, "firing.potters.guild/hold": false, "firings.potters.guild/hold": false,
		"glaze.kiln.potters.guild/hold": false, "glaze.weavers.guild/hold": false, "hold": false, "glaze.k8s.io/hold": false,
	} {
		if got := naming.OfOtherPart(finalizer, "kiln.potters.guild", "firings", "Firing"); got != want {
			t.Errorf("%s: %v, want %v", finalizer, got, want)
		}
	}
}

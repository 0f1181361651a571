package mechanism

import (
	"testing"
	"time"
)

func TestServiceRangeProtection(t *testing.T) {
	cidr := func(name, meta, prefix string) string {
		return manifest("networking.k8s.io/v1", "ServiceCIDR", "", name, meta, "spec: {cidrs: ["+prefix+"]}")
	}
	address := func(name string, age time.Duration, spec string) string {
		meta := "labels: {ipaddress.kubernetes.io/managed-by: ipallocator.k8s.io}, creationTimestamp: " + ago(age)
		return manifest("networking.k8s.io/v1", "IPAddress", "", name, meta, "spec: {"+spec+"}")
	}
	const (
		finalizer = "networking.k8s.io/service-cidr-finalizer"
		ofWeb     = "parentRef: {resource: services, namespace: shop, name: web}"
	)
	going := cidr("small", deleted(time.Hour, finalizer), "10.1.0.0/24")
	web := manifest("v1", "Service", "shop", "web", "", "") + address("10.1.0.7", time.Hour, ofWeb)
	down := managerDown()
	runCases(t, []mechanismCase{
		{
			name: "a Service with an address in it", objects: going + web + cidr("other", "", "10.2.0.0/24"),
			told: []string{
				"wait Service shop/web",
				"  cause StillInUse AddressInRange Service shop/web key AddressInRange,[10.1.0.0/24],services",
			},
		},
		{name: "a larger range", objects: going + web + cidr("large", "", "10.1.0.0/16") + down, told: managerIsDown()},
		{
			name: "the range's own first address", objects: going + address("10.1.0.0", time.Hour, ofWeb) + down,
			told: managerIsDown(),
		},
		{
			name: "an address of a Service that is gone", objects: going + address("10.1.0.7", time.Minute, ofWeb),
			told: []string{"progress AddressUnused IPAddress 10.1.0.7"},
		},
		{
			name: "an old address of nobody", objects: going + address("10.1.0.7", time.Hour, ""),
			told: []string{"open AddressUnused IPAddress 10.1.0.7"},
		},
		{
			name: "just deleted", objects: cidr("small", deleted(2*time.Second, finalizer), "10.1.0.0/24"),
			told: []string{"progress RangeWithoutAddresses ServiceCIDR small key RangeWithoutAddresses"},
		},
		{name: "ranges that may not be read", objects: going, deny: "servicecidrs"},
		{name: "addresses that may not be read", objects: going + web, deny: "ipaddresses"},
		{name: "Services that may not be read", objects: going + web, deny: "services"},
	})
}

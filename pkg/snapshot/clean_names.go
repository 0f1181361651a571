package snapshot

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// namesDriver tells whether what stands under a key is the name of something that acts for Kubernetes
// (a storage driver, what runs a Job in place of kube-controller-manager), and that workloads are searched for.
func namesDriver(key string) bool {
	switch key {
	case "driver", "driverName", "attacher", "provisioner", "managedBy", "controllerName",
		"pv.kubernetes.io/provisioned-by", "pv.kubernetes.io/migrated-to", "volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner":
		return true
	}
	return false
}

// meet remembers such a name.
func (c *cleaner) meet(name string) {
	c.mu.RLock()
	known := name == "" || slices.Contains(c.drivers, name)
	c.mu.RUnlock()
	if known {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.drivers) < mostDrivers && !slices.Contains(c.drivers, name) {
		c.drivers = append(c.drivers, name)
	}
}

// mostDrivers is more than any cluster has.
const mostDrivers = 1000

// meetGroups remembers the API groups of custom kinds: what mentions one may be the controller of its
// objects (attribution/ranking.go).
func (c *cleaner) meetGroups(catalog *cluster.Catalog) {
	for _, resource := range catalog.Resources {
		if custom(resource) {
			c.meet(resource.Group)
		}
	}
}

// named returns the names of drivers and groups that stand in a text, and nothing else of it.
func (c *cleaner) named(text string) string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	kept := Removed
	for _, name := range c.drivers {
		if mentions(text, name) {
			kept += " " + name
		}
	}
	return kept
}

// mentions tells whether a name stands in a text, and not as part of a longer one.
func mentions(text, name string) bool {
	for at := 0; ; {
		found := strings.Index(text[at:], name)
		if found < 0 {
			return false
		}
		from, to := at+found, at+found+len(name)
		if (from == 0 || !inName(text[from-1])) && (to == len(text) || !inName(text[to])) {
			return true
		}
		at = from + 1
	}
}

// inName tells whether a byte can be part of a name.
func inName(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '.' || b == '-'
}

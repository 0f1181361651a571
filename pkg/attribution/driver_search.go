package attribution

import (
	"context"
	"slices"
	"strings"

	storagev1 "k8s.io/api/storage/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// driverSearch is the search for a storage driver's sidecar. Its workload need not name the driver, and those of
// several drivers have the same containers; so that all drivers are looked at, and what tells their programs apart.
type driverSearch struct {
	search   *search
	drivers  map[string]*session.Object // the registered ones, and the one that is looked for, with nil for no CSIDriver
	leases   []leaseItem                // that are named after one of them, or as sidecars name theirs
	programs []*program
	taken    []finding.Evidence // of those with the sidecar's container, that they are other drivers'
	unclear  []*program         // that have the sidecar's container, and nothing shows which driver they belong to
}

// readDrivers lists the drivers that are registered. A registration may be left of a driver that was uninstalled.
func (d *driverSearch) readDrivers(ctx context.Context) bool {
	registered, err := d.search.finder.drivers.Get(struct{}{}, func() ([]*session.Object, error) {
		resource, served, err := session.Served(ctx, d.search.session.Reader, "storage.k8s.io", "csidrivers")
		if err != nil || !served {
			return nil, err
		}
		return d.search.session.List(ctx, resource, "")
	})
	if err != nil {
		return d.search.cannot(finding.Unread{Kinds: []string{"CSIDrivers"}}, err)
	}
	for _, object := range registered {
		d.drivers[object.Ref.Name] = object
	}
	if own := d.drivers[d.search.criteria.driver]; own != nil {
		left := own.Ref.Observed("exists, but uninstalling a driver can leave it behind")
		d.search.leads.seen = append(d.search.leads.seen, left.Ranked(finding.Second))
	} else {
		d.search.evidence = append(
			d.search.evidence, finding.Observed("CSIDriver "+d.search.criteria.driver, "not found").Ranked(finding.Told),
		)
	}
	return true
}

// readLeases keeps the Leases by which drivers' sidecars lead.
func (d *driverSearch) readLeases(ctx context.Context) bool {
	all, err := d.search.finder.leasesIn(ctx, "")
	if err != nil {
		return d.search.cannot(finding.Unread{Kinds: []string{"Leases"}}, err)
	}
	for _, lease := range all {
		if d.leaseOfDriver(lease) != "" {
			d.leases = append(d.leases, lease)
		}
	}
	return true
}

// leaseOfDriver is the driver after which a Lease is named, by the longest of their names; or nothing.
func (d *driverSearch) leaseOfDriver(lease leaseItem) (driver string) {
	name := dashed(lease.Object.Ref.Name)
	for text := range d.drivers {
		before, after := strings.CutSuffix(name, dashed(text))
		if after && (before == "" || strings.HasSuffix(before, "-")) && len(text) > len(driver) {
			driver = text
		}
	}
	if _, other, leads := strings.Cut(name, "-leader-"); driver == "" && leads && strings.HasPrefix(name, "external-") {
		return other // of one that isn't registered
	}
	return driver
}

// leadsDriver reports whether a Lease is the one by which the driver's sidecar leads.
func leadsDriver(criteria criteria, lease leaseItem) bool {
	return matchesAny(criteria.known.Leases, lease.Object.Ref.Namespace+"/"+dashed(lease.Object.Ref.Name))
}

func (d *driverSearch) readPrograms(ctx context.Context) bool {
	programs, what, err := programs(ctx, d.search.finder.Session)
	if err != nil {
		return d.search.cannot(what, err)
	}
	d.programs = programs
	return true
}

// onlyOne is the only workload with the sidecar's container, if it can't belong to another driver, and RBAC lets it do
// what the sidecar has to. It answers false where that can't be read.
func (d *driverSearch) onlyOne(ctx context.Context) ([]*candidate, bool) {
	c := d.candidateOf(d.unclear[0], nil)
	grants, err := d.search.finder.permissions(ctx)
	if err != nil {
		return nil, d.search.cannot(finding.Unread{Aspect: finding.Rights}, err)
	}
	if access, _ := rightsOf(d.search.criteria, grants, c.account); !d.search.criteria.lets(access) {
		return nil, true
	}
	c.points(signs.OnlySidecar, finding.Clue{})
	d.unclear = nil
	return []*candidate{c}, true
}

// permitted decides about a workload that runs: RBAC may have taken away what its sidecar needs. For one that merely
// names the driver, rights show nothing. Where RBAC can't be read, it counts as one that runs.
func (d *driverSearch) permitted(ctx context.Context, c *candidate) decision {
	if c.account.Name == "" || !c.leads && !c.signs.Has(signs.HasSidecar) {
		return decision{Running, c}
	}
	grants, err := d.search.finder.permissions(ctx)
	if err != nil {
		d.search.cannot(finding.Unread{Aspect: finding.Rights}, err)
		return decision{Running, c}
	}
	c.access, _ = rightsOf(d.search.criteria, grants, c.account)
	return ifAllowed(d.search.criteria, decision{Running, c})
}

// nobody decides if no workload has the driver's sidecar: it may lead from elsewhere, or a managed control plane may
// run it out of sight. A Lease that is not renewed says that it did run here.
func (d *driverSearch) nobody(ctx context.Context) decision {
	for _, lease := range d.leases {
		if leadsDriver(d.search.criteria, lease) {
			said, led := leaseEvidence(d.search.finder.Session, lease), d.search.led(ctx, lease)
			if !led {
				d.search.leads.abandoned(lease)
			}
			if !led && health.LeaseLive(lease.Typed, d.search.session.Now()) {
				said = noSuchPod(said)
			}
			d.search.evidence, d.search.leads.liveLease = append(d.search.evidence, said), d.search.leads.liveLease || led
		}
	}
	for _, one := range d.unclear {
		observed := "has the container " + d.sidecar(one) + ", but nothing shows which driver it belongs to"
		d.search.evidence = append(d.search.evidence, session.ObservedOf(one.workload, observed))
	}
	tied := func(one *program) bool { return one.signs.Score() > 0 }
	switch {
	case d.left(ctx):
		return decision{state: Missing}
	case len(d.unclear) > 0 &&
		(len(d.search.leads.seen) > 0 || len(d.others()) == 0 || slices.ContainsFunc(d.unclear, tied)):
		for _, one := range d.unclear {
			d.search.possible = append(d.search.possible, one.workload.Ref)
		}
		return decision{}
	case len(d.search.leads.seen) == 0 && !d.search.leads.liveLease && !d.registeredOnNodes(ctx):
		return decision{}
	case len(d.search.leads.seen) > 0, d.search.leads.liveLease:
		return decision{state: nobody}
	}
	return decision{state: Missing}
}

// left reports whether a Lease by which the driver's sidecar led is left behind: it is not renewed, and no workload in
// its namespace has the name of its last holder.
func (d *driverSearch) left(ctx context.Context) (left bool) {
	for _, lease := range d.leases {
		if leadsDriver(d.search.criteria, lease) {
			if d.holder(lease) != nil || d.search.led(ctx, lease) {
				return false
			}
			left = left || !d.anonymous(lease)
		}
	}
	return left
}

// registeredOnNodes looks whether kubelets know the driver. It answers false where that can't be read.
func (d *driverSearch) registeredOnNodes(ctx context.Context) bool {
	const group, resource = "storage.k8s.io", "csinodes"
	nodes, err := session.ListServed[storagev1.CSINode](ctx, d.search.session, group, resource, "", cluster.Selector{})
	if err != nil {
		return d.search.cannot(finding.Unread{Kinds: []string{"CSINodes"}}, err)
	}
	for _, node := range nodes {
		is := func(driver storagev1.CSINodeDriver) bool { return driver.Name == d.search.criteria.driver }
		if slices.ContainsFunc(node.Typed.Spec.Drivers, is) {
			d.search.leads.seen = append(d.search.leads.seen, node.Object.Ref.Observed("the driver is registered there"))
			return true
		}
	}
	d.search.note("CSINodes", "the driver is registered on no node")
	return true
}

// words are those in a driver's name that say whose it is: hostpath of hostpath.csi.k8s.io.
func driverWords(driver string) []string {
	return slices.DeleteFunc(naming.Project(driver), func(word string) bool {
		return naming.Vague(word) ||
			slices.Contains([]string{"csi", "driver", "drivers", "disk", "file", "block"}, word)
	})
}

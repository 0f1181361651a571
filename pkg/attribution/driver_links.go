package attribution

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// candidates are the workloads that have the driver's sidecar in them: what its Lease names as its holder, what is told
// its name and isn't only there on each node, and of what has the sidecar's container that which more ties to this
// driver than to another one.
func (d *driverSearch) candidates() (found []*candidate) {
	for _, one := range d.programs {
		own, sidecar := d.links(one, d.search.criteria.driver), d.sidecar(one)
		told, onNodes := own.Has(signs.NamesDriver), one.workload.Is("apps", "DaemonSet")
		switch {
		case own.Has(signs.LeadsDriverBy), told && (sidecar != "" || !onNodes):
		case told:
			d.search.leads.seen = append(
				d.search.leads.seen, session.ObservedOf(one.workload, "mentions the driver but has no "+d.sidecarName()),
			)
			continue
		case sidecar == "":
			continue
		case !d.takenForOwn(one, own):
			continue
		}
		found = append(found, d.candidateOf(one, own))
	}
	d.search.evidence = append(d.search.evidence, d.taken[:min(len(d.taken), mostNamed)]...)
	if more := len(d.taken) - mostNamed; more > 0 {
		d.search.note("workloads", fmt.Sprintf("%d more have it, but probably belong to other drivers", more))
	}
	if len(found) == 0 {
		d.search.observe("workloads", "none runs the "+d.sidecarName()+" of "+d.search.criteria.driver)
		return nil
	}
	for i, evidence := range d.search.evidence { // how they were found
		d.search.evidence[i] = evidence.Ranked(max(evidence.Rank, finding.Second))
	}
	return found
}

// candidateOf is a program as a candidate, with what ties it to the driver.
func (d *driverSearch) candidateOf(one *program, own signs.List) *candidate {
	c := &candidate{workload: one.workload, namespace: one.workload.Ref.Namespace, signs: own}
	if account := one.template.Spec.ServiceAccountName; account != "" {
		c.account = rbac.Subject{Kind: "ServiceAccount", Namespace: c.namespace, Name: account}
	}
	if container := d.sidecar(one); container != "" {
		c.points(signs.HasSidecar, finding.Clue{Name: container})
	}
	words := finding.And(voiceAsOf(d.search.session).Phrases(c.signs.Phrases()))
	c.evidence = append(c.evidence, session.ObservedOf(one.workload, words).Ranked(finding.Second))
	return c
}

// sidecar is the container of the catalogue that a program has, or empty.
func (d *driverSearch) sidecar(one *program) string {
	spec := one.template.Spec
	for _, container := range slices.Concat(spec.Containers, spec.InitContainers) {
		if matchesAny(d.search.criteria.known.Containers, container.Name) {
			return container.Name
		}
	}
	return ""
}

func (d *driverSearch) sidecarName() string {
	return finding.Some(d.search.criteria.known.Containers, mostNamed)
}

// takenForOwn reports whether more ties a program with the sidecar's container to the driver than to any other one.
// Where as much does, nothing says whose it is.
func (d *driverSearch) takenForOwn(one *program, own signs.List) bool {
	var words []finding.Phrase
	most := 0
	for _, other := range d.others() {
		ties := d.links(one, other)
		most, words = max(most, ties.Score()), append(words, ties.Phrases()...)
	}
	one.signs = own
	switch {
	case own.Score() > most:
		return true
	case own.Score() == most:
		d.unclear = append(d.unclear, one)
	default:
		other := session.ObservedOf(one.workload, "has the container "+d.sidecar(one)+
			" but probably belongs to another driver: it "+finding.And(voiceAsOf(d.search.session).Phrases(words)))
		d.taken = append(d.taken, other.Ranked(finding.Second))
	}
	return false
}

// others are the drivers other than the one that is looked for. One that isn't registered is known by its Lease.
func (d *driverSearch) others() []string {
	names := slices.Collect(maps.Keys(d.drivers))
	for _, lease := range d.leases {
		names = append(names, d.leaseOfDriver(lease))
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(driver string) bool { return driver == d.search.criteria.driver })
}

// links are what ties a program to a driver, the strongest first.
func (d *driverSearch) links(one *program, driver string) (found signs.List) {
	ref := one.workload.Ref
	tie := func(kind signs.Kind, name string) { found = found.With(kind, finding.Clue{Name: name}) }
	beside, held := "", (*leaseItem)(nil)
	for _, lease := range d.leases {
		switch {
		case lease.Object.Ref.Namespace != ref.Namespace || d.leaseOfDriver(lease) != driver:
		case d.holder(lease) == one:
			if held == nil || leadsDriver(d.search.criteria, lease) {
				held = &lease
			}
		case d.anonymous(lease):
			beside = lease.Object.Ref.String()
		}
	}
	switch {
	case held != nil && leadsDriver(d.search.criteria, *held):
		tie(signs.LeadsDriverBy, held.Object.Ref.Path())
	case held != nil:
		tie(signs.HoldsOwnLease, held.Object.Ref.Path())
	}
	if session.Names(one.template, driver) {
		tie(signs.NamesDriver, driver)
	}
	if registered := d.drivers[driver]; registered != nil && sameRelease(registered, one.workload) {
		tie(signs.OfDriversRelease, registered.Ref.String())
	}
	if beside == "" && d.sidecar(one) != "" {
		beside = d.besideNodePlugin(one, driver)
	}
	if beside != "" {
		tie(signs.BesideDriver, beside)
	}
	own, others := driverWords(driver), d.wordsBut(driver)
	own = slices.DeleteFunc(own, func(word string) bool { return slices.Contains(others, word) })
	if naming.NamedAfter(ref.Namespace, one.name, own...) {
		tie(signs.NamedAsDriver, driver)
	}
	return found
}

// wordsBut are the words by which the other registered drivers go.
func (d *driverSearch) wordsBut(driver string) (words []string) {
	for other := range d.drivers {
		if other != driver {
			words = append(words, driverWords(other)...)
		}
	}
	return words
}

// holder is the program whose pod is the holder of a Lease, by the longest of the names in the Lease's namespace: the
// pod itself may be gone. It is nil where that leads nowhere.
func (d *driverSearch) holder(lease leaseItem) (of *program) {
	holder := health.Holder(lease.Typed)
	for _, one := range d.programs {
		if one.workload.Ref.Namespace == lease.Object.Ref.Namespace && health.HeldByPodOf(holder, one.workload.Ref) &&
			(of == nil || len(one.name) > len(of.name)) {
			of = one
		}
	}
	return of
}

// anonymous reports whether a Lease was given up, or names the driver itself as its holder and no pod: sidecars use
// their host's name unless they are given another (kubernetes-csi/csi-lib-utils leaderelection/leader_election.go:Run).
func (d *driverSearch) anonymous(lease leaseItem) bool {
	holder := health.Holder(lease.Typed)
	return holder == "" ||
		d.holder(lease) == nil && strings.HasSuffix(dashed(holder), "-"+dashed(d.leaseOfDriver(lease)))
}

// besideNodePlugin is the DaemonSet in a program's namespace that is told a driver's name, unless there are such of
// other drivers, too: kube-system has many.
func (d *driverSearch) besideNodePlugin(one *program, driver string) (plugin string) {
	for _, other := range d.programs {
		here := other.workload.Ref.Namespace == one.workload.Ref.Namespace
		if other == one || !here || !other.workload.Is("apps", "DaemonSet") {
			continue
		}
		for name := range d.drivers {
			switch told := session.Names(other.template, name); {
			case told && name != driver:
				return ""
			case told:
				plugin = other.workload.Ref.String()
			}
		}
	}
	return plugin
}

// sameRelease reports whether Helm installed two objects together.
func sameRelease(a, b *session.Object) bool {
	const name, namespace = "meta.helm.sh/release-name", "meta.helm.sh/release-namespace"
	one, other := a.Meta.Annotations, b.Meta.Annotations
	return one[name] != "" && one[name] == other[name] && one[namespace] == other[namespace]
}

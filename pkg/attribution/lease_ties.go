package attribution

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// tieTo says what makes a Lease a candidate's. Only the tie by a pod shows that who runs now has led: a pod that was
// created since the last renewal never held the Lease, even if it has the name of one that did.
func tieTo(s *search, c *candidate, lease leaseItem, pods []*corev1.Pod) signs.LeaseTie {
	holder := health.Holder(lease.Typed)
	renewed, _ := health.Renewed(lease.Typed)
	held, host := false, false
	for _, pod := range pods {
		if health.HeldByPod(holder, pod.Name) {
			if !pod.CreationTimestamp.After(renewed) {
				return signs.TiedByPod
			}
			held = true
		}
		host = host || pod.Spec.NodeName != "" && health.HeldByPod(holder, pod.Spec.NodeName)
	}
	switch {
	case held, c.workload != nil && health.HeldByPodOf(holder, c.workload.Ref):
		return signs.TiedByFormer
	case s.terms().leaseOf(lease, c) && !siblings(lease, c):
		if host {
			return signs.TiedByHost
		}
		return signs.TiedByName
	}
	return signs.NotTied
}

// siblings reports whether a Lease that mentions a candidate's name is that of a program with a longer name, whose pod
// holds it: acme-webhook's, and not acme's.
func siblings(lease leaseItem, c *candidate) bool {
	pod, _, _ := strings.Cut(health.Holder(lease.Typed), "_")
	program := naming.ProgramOf(pod)
	return strings.HasPrefix(program, c.name()+"-") && naming.Mentions(lease.Object.Ref.Name, program)
}

// leaseFor returns the Lease that tells most about a candidate, and what makes it the candidate's.
func leaseFor(s *search, c *candidate, leases []leaseItem, pods []*corev1.Pod) (found *leaseItem, by signs.LeaseTie) {
	first := signs.NotTied
	for i, lease := range leases {
		tie := tieTo(s, c, lease, pods)
		weight := tie
		if tie == signs.NotTied {
			continue
		}
		if health.LeaseLive(lease.Typed, s.session.Now()) {
			weight += signs.RenewedTie
		}
		if s.criteria.driver != "" && leadsDriver(s.criteria, lease) {
			weight += signs.DriversTie
		}
		if weight > first {
			found, first, by = &leases[i], weight, tie
		}
	}
	return found, by
}

// leaseOf reports whether a Lease has a candidate's or its API group's name, or one that the catalogue gives.
func (t terms) leaseOf(lease leaseItem, c *candidate) bool {
	if t.catalogued(lease) {
		return true
	}
	holder := health.Holder(lease.Typed)
	names := t.names()
	if c.account.Name != "default" {
		names = append(names, c.account.Name)
	}
	if c.workload != nil {
		names = append(names, c.workload.Ref.Name)
	}
	return naming.Mentions(lease.Object.Ref.Name, names...) || naming.Mentions(holder, names...)
}

// addLeases adds that a candidate's workload holds a Lease of the project, or held it: the controller's, or one that
// only has a name in common with the project.
func (c *candidate) addLeases(s *search, workload *session.Object, leases []leaseItem) {
	for _, lease := range leases {
		if lease.Object.Ref.Namespace != workload.Ref.Namespace || !s.terms().in(lease) ||
			!health.HeldByPodOf(health.Holder(lease.Typed), workload.Ref) {
			continue
		}
		if s.terms().onlyTheirs(lease) {
			c.points(signs.HoldsLease, finding.Clue{})
			return
		}
		word := naming.Mentioned(lease.Object.Ref.Path(), s.terms().all()...)
		c.signs = c.signs.With(signs.HoldsNamedLease, finding.Clue{}, cmp.Or(word, workload.Ref.Name))
	}
}

// onlyTheirs reports whether a Lease can only be that of the finalizer's or the kind's controller: the catalogue
// gives it, or it has the name of the program that set the finalizer, of the whole API group, or of the domain.
func (t terms) onlyTheirs(lease leaseItem) bool {
	name := lease.Object.Ref.Name
	whole := slices.DeleteFunc([]string{t.leads.project.Group, t.leads.domain}, func(domain string) bool {
		return domain == "" || naming.Shared(domain) || t.leads.ofOwner(domain)
	})
	return t.catalogued(lease) || slices.Contains(t.criteria.managers, name) || naming.Mentions(name, whole...)
}

// catalogued reports whether a Lease is one that the catalogue gives.
func (t terms) catalogued(lease leaseItem) bool {
	return t.criteria.known != nil && matchesAny(t.criteria.known.Leases, lease.Object.Ref.Path())
}

// podsTold reports whether some pods, which are alike, have an argument of a sort.
func podsTold(pods []*corev1.Pod, is func(string) bool) bool {
	return slices.ContainsFunc(pods, func(pod *corev1.Pod) bool {
		return slices.ContainsFunc(pod.Spec.Containers, func(container corev1.Container) bool {
			return slices.ContainsFunc(slices.Concat(container.Command, container.Args), is)
		})
	})
}

// leaseObserved is what a Lease shows, less prominent where the pods show the same.
func leaseObserved(s *search, c *candidate, lease leaseItem) finding.Evidence {
	said, live := leaseEvidence(s.finder.Session, lease), health.LeaseLive(lease.Typed, s.session.Now())
	if c.state == candidateAlive && live || c.state == candidateDown && !live {
		said.Rank = finding.Told
	}
	return said
}

package attribution

import (
	"context"
	"fmt"
	"slices"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

type leaseItem = session.Item[coordinationv1.Lease]

// leasesIn returns a namespace's Leases, or, with none given, all but those of kubelets, which are as many as nodes.
func (f *Finder) leasesIn(ctx context.Context, namespace string) ([]leaseItem, error) {
	selector := cluster.Selector{}
	if namespace == "" {
		selector.Fields = "metadata.namespace!=" + corev1.NamespaceNodeLease
	}
	return session.ListWhole[coordinationv1.Lease](ctx, f.Session, cluster.Leases(), namespace, selector)
}

func holderOf(lease *coordinationv1.Lease) string {
	if lease.Spec.HolderIdentity == nil {
		return ""
	}
	return *lease.Spec.HolderIdentity
}

// leaseEvidence is what a Lease tells of its holder, by the server's clock.
func (f *Finder) leaseEvidence(lease leaseItem) finding.Evidence {
	said := session.ObservedOf(lease.Object, "given up by its last holder")
	renewed := lease.Typed.Spec.RenewTime
	if renewed == nil {
		return said
	}
	said.At = &renewed.Time
	holder, ago := holderOf(lease.Typed), f.Session.Ago(renewed.Time)
	switch {
	case holder == "":
		said.Observed += " " + ago + " ago"
	case health.LeaseLive(lease.Typed, f.Session.Now()):
		said.Observed = fmt.Sprintf("held by %s, renewed %s ago", holder, ago)
	default:
		said.Observed = fmt.Sprintf("held by %s, last renewed %s ago, long overdue", holder, ago)
	}
	return said
}

// examineLeases looks at the Leases in a candidate's namespace: one that nobody renews says that its holder is
// dead, and one that is renewed says that it lives, wherever that is (deletion-mechanics D-5).
func (s *search) examineLeases(ctx context.Context, c *candidate, pods []*corev1.Pod) bool {
	leases, err := s.finder.leasesIn(ctx, c.namespace)
	if err != nil {
		return s.cannot(finding.Unread{Kinds: []string{"Leases"}, Namespace: c.namespace}, err)
	}
	for _, lease := range leases {
		if !s.leaseOf(lease, c, pods) {
			continue
		}
		live := health.LeaseLive(lease.Typed, s.session.Now())
		c.evidence = append(c.evidence, s.finder.leaseEvidence(lease))
		switch {
		case live && (c.state == candidateIdle || c.state == candidateGone):
			c.state = candidateAlive
		case !live:
			c.stale = true
		}
		break
	}
	if c.stale && c.state == candidateAlive && len(pods) > 0 {
		c.state, c.status = candidateDown, finding.Phrase{Situation: "NoPodLeads"}
		return s.findWorkload(ctx, c, pods, workloadKinds()...)
	}
	return true
}

// leaseOf tells whether a Lease is a candidate's: one of its pods holds it, or it has its or its API group's name.
func (s *search) leaseOf(lease leaseItem, c *candidate, pods []*corev1.Pod) bool {
	holder := holderOf(lease.Typed)
	if slices.ContainsFunc(pods, func(pod *corev1.Pod) bool {
		return holder == pod.Name || strings.HasPrefix(holder, pod.Name+"_")
	}) {
		return true
	}
	if s.known != nil && matchesAny(s.known.Leases, lease.Object.Ref.Path()) {
		return true
	}
	names := s.names()
	if c.account.Name != "default" {
		names = append(names, c.account.Name)
	}
	if c.workload != nil {
		names = append(names, c.workload.Ref.Name)
	}
	return controller.Mentions(lease.Object.Ref.Name, names...) || controller.Mentions(holder, names...)
}

// traces looks for a controller to which RBAC doesn't lead: by what the definition says of its origin, by Leases, and
// by the names in workloads, which never prove anything. It answers false when one of these can't be read.
func (s *search) traces(ctx context.Context) (found []*candidate, read bool) {
	if s.project.Kind != "" {
		if err := s.readDefinition(ctx); err != nil {
			return nil, s.cannot(finding.Unread{Aspect: finding.DefinitionOf, Name: s.project.QualifiedName()}, err)
		}
	}
	leases, err := s.finder.leasesIn(ctx, "")
	if err != nil {
		return nil, s.cannot(finding.Unread{Kinds: []string{"Leases"}}, err)
	}
	s.observeLeases(leases)
	if err := s.readEndpoints(ctx); err != nil {
		return nil, s.cannot(finding.Unread{Kinds: []string{"Services"}}, err)
	}
	return s.workloadsByName(ctx, leases)
}

func (s *search) words() []string {
	words := append(s.names(), s.installed.release, s.installed.app)
	return slices.DeleteFunc(append(words, s.managers...), func(word string) bool { return word == "" })
}

func (s *search) observeLeases(leases []leaseItem) {
	for _, lease := range leases {
		if !s.namesProject(lease) {
			continue
		}
		s.evidence = append(s.evidence, s.finder.leaseEvidence(lease))
		if health.LeaseLive(lease.Typed, s.session.Now()) {
			s.liveLease, s.possible = true, append(s.possible, lease.Object.Ref)
		} else {
			s.oldLease = true
		}
	}
}

func (s *search) namesProject(lease leaseItem) bool {
	words := s.words()
	return controller.Mentions(lease.Object.Ref.Path(), words...) || controller.Mentions(holderOf(lease.Typed), words...)
}

// instance returns the held object whole, unless it is live: then its status tells nothing yet. Many of one kind in one
// namespace are read in one request, and not in more than a few namespaces. It answers false where it can't be read.
func (h *held) instance(ctx context.Context) bool {
	if err := h.readInstance(ctx); err != nil {
		return h.cannot(finding.Unread{Object: &h.object.Ref}, err)
	}
	return true
}

func (h *held) readInstance(ctx context.Context) error {
	if h.object.Whole != nil || secretive(h.object) || !h.object.Terminating() || h.foreign() && h.known == nil {
		return nil
	}
	if cluster.ServedByKubernetes(h.object.Resource.Group) {
		return h.finder.ReadFields(ctx, h.object)
	}
	const few = 8
	place := h.object.Resource.String() + " " + h.object.Ref.Namespace
	h.finder.mu.Lock()
	known := h.finder.read[place]
	if !known && len(h.finder.read) < few {
		h.finder.read[place], known = true, true
	}
	h.finder.mu.Unlock()
	if !known {
		return nil
	}
	list, err := h.session.Reader.List(ctx, h.object.Resource, h.object.Ref.Namespace, cluster.Selector{})
	for i := range list {
		if string(list[i].GetUID()) == h.object.Ref.UID {
			h.object.Whole = &list[i]
		}
	}
	return err
}

// lastWrite are the last writes to the held object by anything but people's tools, after it was deleted.
func (h *held) lastWrite() (last controller.Written) {
	if h.mayBeController(h.status.Manager) && !controller.WritesManifests(h.status.Manager) {
		last = h.status
	}
	for _, setter := range h.setters {
		if !setter.ByHand && !setter.Copied() && setter.At.After(last.At) {
			last = controller.Written{Manager: setter.Manager, At: setter.At}
		}
	}
	if !last.At.After(h.object.RequestedAt()) {
		return controller.Written{}
	}
	return last
}

func (h *held) writtenEvidence(last controller.Written) finding.Evidence {
	return h.managed(last.At, last.Manager+" wrote to it "+h.session.Ago(last.At)+" ago, after the deletion")
}

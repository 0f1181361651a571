package attribution

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// traces looks for a controller to which RBAC doesn't lead: by what the definition says of its origin, by Leases, and
// by the names in workloads, which never prove anything. It answers false when one of these can't be read.
func (s *search) traces(ctx context.Context) (found []*candidate, read bool) {
	if s.leads.project.Kind != "" {
		if err := readDefinition(ctx, s); err != nil {
			return nil, s.cannot(finding.Unread{Aspect: finding.DefinitionOf, Name: s.leads.project.QualifiedName()}, err)
		}
		sees(s, ofDefinition)
	}
	leases, err := s.finder.leasesIn(ctx, "")
	if err != nil {
		return nil, s.cannot(finding.Unread{Kinds: []string{"Leases"}}, err)
	}
	sees(s, "Leases")
	s.observeLeases(ctx, leases)
	if err := readEndpoints(ctx, s); err != nil {
		return nil, s.cannot(finding.Unread{Kinds: []string{"Services"}}, err)
	}
	if len(s.session.AdmissionRules(ctx).Unread) == 0 {
		sees(s, "webhooks")
	}
	return s.workloadsByName(ctx, leases)
}

// all are all words and names that lead to the controller.
func (t terms) all() []string {
	words := append(t.names(), t.leads.installed.release, t.leads.installed.app)
	return slices.DeleteFunc(append(words, t.criteria.managers...), func(word string) bool { return word == "" })
}

func (s *search) observeLeases(ctx context.Context, leases []leaseItem) {
	for _, lease := range leases {
		if !s.terms().in(lease) {
			continue
		}
		said := leaseEvidence(s.finder.Session, lease)
		switch {
		case !health.LeaseLive(lease.Typed, s.session.Now()):
			s.leads.abandoned(lease)
		case s.holderGone(ctx, lease):
			s.leads.abandoned(lease)
			said = noSuchPod(said)
		default:
			s.leads.liveLease, s.possible = true, append(s.possible, lease.Object.Ref)
			s.leads.leaders = append(s.leads.leaders, lease)
		}
		s.evidence = append(s.evidence, said)
	}
}

// disownLeases forgets the live Leases that pods of a program of another project hold: only a name led to them.
func disownLeases(s *search, of *candidate) {
	if of.workload == nil || len(operatesOthers(s, of)) == 0 {
		return
	}
	its := func(lease leaseItem) bool {
		return lease.Object.Ref.Namespace == of.namespace && !s.terms().onlyTheirs(lease) &&
			health.HeldByPodOf(health.Holder(lease.Typed), of.workload.Ref)
	}
	others := slices.DeleteFunc(slices.Clone(s.leads.leaders), its)
	if len(others) == len(s.leads.leaders) {
		return
	}
	s.leads.leaders, s.leads.liveLease = others, len(others) > 0
	s.possible = slices.DeleteFunc(slices.Clone(s.possible), func(ref finding.Ref) bool {
		is := func(lease leaseItem) bool { return lease.Object.Ref == ref }
		return ref.Kind == "Lease" && !slices.ContainsFunc(others, is)
	})
}

// in reports whether a Lease or its holder has one of these names.
func (t terms) in(lease leaseItem) bool {
	words := t.all()
	holder := health.Holder(lease.Typed)
	return naming.Mentions(lease.Object.Ref.Path(), words...) || naming.Mentions(holder, words...)
}

// leftTraces returns the event about a workload or a pod with a candidate's name that does not exist any more: it has
// run in this cluster, then. If there is no event, that proves nothing.
func (f *Finder) leftTraces(ctx context.Context, c *candidate) *finding.Evidence {
	found, _ := f.traces.Get(c.account, func() (*finding.Evidence, error) {
		events, err := session.ListServed[corev1.Event](ctx, f.Session, "", "events", c.namespace, cluster.Selector{})
		for _, event := range slices.Backward(events) {
			if about := event.Typed.InvolvedObject; alike(about.Name, c.account.Name) && hasGone(ctx, f.Session, about) {
				return &finding.Evidence{
					Source:   "event " + event.Typed.Reason,
					Observed: about.Kind + " " + c.namespace + "/" + about.Name + " was here, but no longer exists",
					At:       at(health.EventTime(event.Typed)),
				}, nil
			}
		}
		return nil, err
	})
	return found
}

// hasGone reports whether a workload or a pod that an event is about doesn't exist.
func hasGone(ctx context.Context, reads *session.Session, about corev1.ObjectReference) bool {
	kinds := []string{"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Pod"}
	if !slices.Contains(kinds, about.Kind) || naming.NamedForOtherDuty(about.Name) {
		return false
	}
	kind := schema.FromAPIVersionAndKind(about.APIVersion, about.Kind).GroupKind()
	resource, served := reads.ServedKinds(ctx).OfKind(kind)
	if !served {
		return false
	}
	_, err := reads.Reader.Metadata(ctx, resource, about.Namespace, about.Name)
	return apierrors.IsNotFound(err)
}

package attribution

import (
	"context"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// nominatedByMore reports whether more than one word of its name points at a candidate that may do everything.
func (c *candidate) nominatedByMore() bool {
	return c.wroteEntry() || c.signs.HasAny(signs.ByTie) || c.namedAsItsOperator()
}

// namedAsItsOperator reports whether a candidate's name is that of an operator of the kind, or of its project.
func (c *candidate) namedAsItsOperator() bool {
	return c.signs.Has(signs.NamedAsKind, signs.NamedAsProject) && c.signs.Has(signs.NamedAsOperator)
}

// byHandAlone reports whether a person set the finalizer and made its name up, as far as is seen: then a program that
// is gone says nothing about it.
func byHandAlone(s *search) bool {
	return s.criteria.known == nil && s.criteria.setByHand && naming.IsBareWord(s.criteria.finalizer)
}

// setterUnseen reports whether a program that says who it is set the finalizer, none of the candidates is that one, and
// nothing but its rights leads to the one that was found.
func setterUnseen(s *search, found decision, candidates []*candidate) bool {
	c := found.candidate
	if c == nil || s.criteria.known != nil || len(s.criteria.managers) == 0 {
		return false
	}
	others := slices.Concat(candidates, s.subjects.ordinary, s.subjects.limited, s.gone)
	return !c.tied() && !slices.ContainsFunc(others, (*candidate).wroteEntry)
}

// alone reports whether a candidate is the only one with rights of its own on the kind, but for what is known to act on
// other objects. Programs write under names that nothing else of them has, so it is the controller all the same. If its
// name has the setter's in it, or a User with rights has the setter's name, the setter was another program.
func alone(s *search, found decision) bool {
	_, asUser := actsAsUser(s)
	left := slices.DeleteFunc(slices.Clone(s.subjects.writers), func(c *candidate) bool {
		return slices.ContainsFunc(s.elsewhere, func(one instance) bool { return one.candidate == c })
	})
	return len(left) == 1 && found.candidate == left[0] && !asUser &&
		!naming.Mentions(found.candidate.name(), s.criteria.managers...)
}

// withoutSetter looks for the program that set the finalizer among all workloads. If it isn't there, whoever has the
// rights may have nothing to do with the finalizer: that it is down explains nothing, and what it says counts.
func withoutSetter(ctx context.Context, s *search, found decision) decision {
	its := s.decideByTraces(ctx)
	if found.state == Running && its.state == Down && its.candidate.access == nil && len(s.failed) == 0 &&
		found.candidate.signs.Has(signs.NamedLikeSetter) {
		found.candidate.notSetter = true // it has come in the place of the one that is down, with its rights
		return found
	}
	if its.candidate.wroteEntry() || len(s.failed) > 0 || s.leads.user != "" {
		s.equals, s.rivals = nil, nil
		return its
	}
	s.leads.setterUnseen, s.equals, s.rivals, s.subjects.namesakes = true, nil, nil, nil
	if found.state == Running {
		found.candidate.notSetter = true
		return found
	}
	s.possible = append(s.possible, *found.candidate.ref())
	return decision{}
}

// unlessSetByOther is a decision about the only account with rights on the kind, unless the object shows that its
// program writes under its own name, or what set the finalizer has written since the deletion, while that program was
// scaled to 0: what set the finalizer is another program then, and it isn't seen. If the object is live, only what is
// written into its status counts: that the finalizer was set is long over.
func unlessSetByOther(h *held, found decision) decision {
	c := found.candidate
	if c == nil || !c.unlikeSetter {
		return found
	}
	if last := h.writes().lastWrite(); found.state == Down && h.writes().bySetter(last) &&
		(h.object.Terminating() || h.writes().status.Manager == last.Manager) &&
		h.search.session.Now().Sub(last.At) <= signs.RecentWrite && stoppedBefore(c, last.At) {
		h.writer = last
		h.search.evidence = append(slices.Clone(h.search.evidence), h.writes().writtenEvidence(last))
		h.search.possible = append(slices.Clone(h.search.possible), *c.ref())
		return decision{}
	}
	if !writesUnderOwnName(h.object.Meta, c) {
		return found
	}
	h.search.leads.setterUnseen = true
	if found.state == Running {
		other := *c
		other.notSetter = true
		return decision{Running, &other}
	}
	h.search.possible = append(slices.Clone(h.search.possible), *c.ref())
	return decision{}
}

// unlessAnotherActs is a decision about a program that is down, or about one that set the finalizer and is not seen,
// unless another one that may remove the finalizer runs, and wrote to the status since the deletion that it continues:
// who sets a finalizer need not be who removes it.
func unlessAnotherActs(ctx context.Context, h *held, found decision) decision {
	written := writers.StatusWritten(h.object.Meta.ManagedFields)
	renamed := h.search.leads.setterUnseen && len(h.object.Meta.Finalizers) == 1 && !h.search.criteria.foreign()
	if found.state != Down && !renamed || !h.object.Terminating() ||
		h.search.criteria.kindOfKubernetes() || h.search.criteria.known != nil ||
		written.At.Before(h.object.RequestedAt()) || !(writers.Setter{Manager: written.Manager}).Concrete() {
		return found
	}
	acts := func(c *candidate) bool {
		return (renamed || c != found.candidate) && c.state == candidateAlive && c.access != nil && c.access.Write &&
			(c.isCalled(written.Manager) || sameProgram(written.Manager, c.account.Name))
	}
	at := slices.IndexFunc(h.search.met, acts)
	if at < 0 || !h.instance(ctx) || h.object.Whole == nil {
		return found
	}
	for _, saying := range statuses.Sayings(h.object.Whole) {
		if saying.Seen && !saying.Well && slices.Contains(saying.By, written.Manager) &&
			statuses.Continues(saying.Words, statuses.Names(h.object.Whole)...) {
			other := *h.search.met[at]
			other.notSetter, h.search.leads.setterUnseen = false, false
			h.search.found = decision{Running, &other}
			return h.search.found
		}
	}
	return found
}

// stoppedBefore reports whether a candidate's workload is scaled to 0, and has been since before a time: by its
// managedFields, nothing of its spec was written since.
func stoppedBefore(c *candidate, when time.Time) bool {
	if c.workload == nil || c.workload.Whole == nil {
		return false
	}
	wanted, set, err := unstructured.NestedInt64(c.workload.Whole.Object, "spec", "replicas")
	if err != nil || !set || wanted != 0 {
		return false
	}
	scaled := writers.Writers(c.workload.Whole.GetManagedFields(), "f:spec")
	return len(scaled) > 0 && !slices.ContainsFunc(scaled, func(one writers.Written) bool {
		return one.At.IsZero() || one.At.After(when)
	})
}

// writesUnderOwnName reports whether an object was written under a name of a candidate.
func writesUnderOwnName(meta *metav1.PartialObjectMetadata, c *candidate) bool {
	names := append([]string{c.account.Name, c.name()}, c.programs...)
	return slices.ContainsFunc(meta.ManagedFields, func(entry metav1.ManagedFieldsEntry) bool {
		return (writers.Setter{Manager: entry.Manager}).Concrete() &&
			slices.ContainsFunc(names, func(name string) bool { return sameProgram(entry.Manager, name) })
	})
}

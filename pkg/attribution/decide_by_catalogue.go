package attribution

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// AttributeKnown says how the controller fares that the catalogue names. What that says of workloads is looked for
// first; where that leads nowhere, the cluster is asked as for any other finalizer. If nothing shows it, the note does:
// the controller, after all, is known. Its situation is KnownFinalizer.
func (f *Finder) AttributeKnown(
	ctx context.Context, object *session.Object, hold finding.Hold, known plugins.Finalizer, note finding.Finding,
) session.Answer {
	h := f.heldBy(object, hold, &known)
	h.note = note
	return h.answerKnown(ctx)
}

func (h *held) answerKnown(ctx context.Context) session.Answer {
	h.search = h.search.finder.searchedFor(ctx, h.search.criteria, h.object)
	return h.answer(ctx)
}

// decideKnown looks for the controller that the catalogue names, and where that leads nowhere as for any other
// finalizer: by rights, or by the finalizer's domain. Nothing at all is likely absence, as its project is known.
func (s *search) decideKnown(ctx context.Context) decision {
	found, err := s.cataloguedWorkloads(ctx)
	if err != nil {
		return decision{}
	}
	if len(found) > 0 {
		return s.amongKnown(ctx, found)
	}
	if searchable(s.criteria) {
		container := "a container " + finding.Some(s.criteria.known.Containers, mostNamed)
		names := cmp.Or(finding.Some(s.criteria.known.Workloads, mostNamed), container)
		s.observe("workloads", "none matches "+names)
	}
	fell := len(s.failed)
	decided := decision{}
	switch {
	case s.criteria.kindOfKubernetes():
		decided = s.decideByDomain(ctx)
	case s.rankByRights(ctx):
		decided = s.decide(ctx)
	}
	if c := decided.candidate; c != nil && decided.state != "" && searchable(s.criteria) &&
		s.criteria.known.Verified.Controller.Done() && anotherIsMeant(s.finder, s.criteria, c) {
		s.note(c.String(), "is none of the workloads that the catalogue gives for the finalizer")
		decided, s.subjects.readers = decision{state: Missing}, true
	}
	doubts := decided.candidate != nil || len(s.failed) > fell || s.leads.liveLease || s.subjects.everyone != nil
	if decided.state != "" || doubts {
		return decided
	}
	return decision{state: Missing}
}

// amongKnown decides between workloads that fit the catalogue, as between others, and whether the one may do its work.
func (s *search) amongKnown(ctx context.Context, found []*candidate) decision {
	sortByScore(found)
	decided := s.among(ctx, found)
	if decided.state == Running {
		return s.allowed(ctx, decided.candidate)
	}
	return decided
}

// allowed decides about the plugin's own workload, which runs: RBAC may have taken away what it needs.
func (s *search) allowed(ctx context.Context, c *candidate) decision {
	if s.criteria.kindOfKubernetes() || c.account.Name == "" {
		return decision{Running, c}
	}
	grants, err := s.finder.permissions(ctx)
	if err != nil {
		s.cannot(finding.Unread{Aspect: finding.Rights}, err)
		return decision{"", c}
	}
	allowed := false
	for _, access := range grants.Access(s.criteria.resource.GroupResource(), s.criteria.namespace) {
		if access.Subject == c.account {
			c.access = access
		}
		concerns := c.access == access || access.Includes(c.namespace)
		writes := access.Write || access.Ordinary.Write || s.criteria.somewhere() && len(access.Elsewhere) > 0
		allowed = allowed || concerns && writes
	}
	if !allowed {
		if c.access == nil {
			s.observeBare(c)
		}
		return decision{Forbidden, c}
	}
	return decision{Running, c}
}

// knownDetails are what the catalogue says of the finalizer, as far as it matters to this object.
func knownDetails(search search, note finding.Finding) finding.KnownFinalizerDetails {
	if details, given := note.Details.(finding.KnownFinalizerDetails); given {
		return details
	}
	return KnownDetails(*search.criteria.known)
}

// KnownDetails are what the catalogue says of a finalizer.
func KnownDetails(known plugins.Finalizer) finding.KnownFinalizerDetails {
	return finding.KnownFinalizerDetails{
		RemovedBy: known.RemovedBy, WaitsFor: known.WaitsFor, Doubt: known.Verified.Doubt(),
		MayRunOutside: known.MayRunOutside,
	}
}

// KnownEvidence is what a plugin says, and how sure that is.
func KnownEvidence(hold finding.Hold, known plugins.Finalizer) finding.Evidence {
	observed := cmp.Or(known.Source, known.File)
	if doubt := known.Verified.Doubt(); doubt != "" {
		observed += " (unverified: " + doubt + ")"
	}
	return finding.Observed("catalogue on "+hold.Name, "%s", observed).Ranked(finding.Aside)
}

// cataloguedWorkloads returns the workloads that fit the catalogue: in the usual or own namespace, or else all.
func (s *search) cataloguedWorkloads(ctx context.Context) (found []*candidate, err error) {
	for _, resource := range workloadKinds() {
		patterns := patterns(s.criteria, resource.Kind)
		if len(patterns)+len(s.criteria.known.Labels)+len(s.criteria.known.Containers) == 0 {
			continue
		}
		list, err := s.session.Reader.List(ctx, resource, "", cluster.Selector{})
		if err != nil {
			s.cannot(finding.Unread{Kinds: []string{resource.Kind + "s"}}, err)
			return nil, err
		}
		for i := range list {
			clue, fits := described(s.criteria, &list[i], patterns)
			if !fits {
				continue
			}
			workload, err := session.FromWhole(resource, &list[i])
			if err != nil {
				return nil, err
			}
			namespace, account := workload.Ref.Namespace, cmp.Or(accountOf(&list[i]), "default")
			one := &candidate{
				account:  rbac.Subject{Kind: "ServiceAccount", Namespace: namespace, Name: account},
				workload: workload, namespace: namespace, signs: signs{}.with(clue, finding.Clue{Name: s.criteria.known.RemovedBy}),
			}
			if typed, err := session.As[podRunner](&list[i]); err == nil {
				s.addTemplateClues(one, workload.Ref.Name, typed.Spec.Template)
			}
			found = append(found, one)
		}
	}
	usual := slices.DeleteFunc(slices.Clone(found), func(c *candidate) bool { // some are installed for one namespace
		return !matchesAny(s.criteria.known.Namespaces, c.namespace) && c.namespace != s.criteria.namespace
	})
	if len(usual) > 0 {
		return usual, nil
	}
	return found, nil
}

// described says what of a plugin's description fits a workload, or nothing. A name that many programs have, such as
// controller-manager, fits only in the usual namespaces, or with the project's labels beside it, and no pattern fits
// what has another value for one of these labels. A workload with another name, as Helm gives one to a release, is
// known by all labels of its pods, or by a container.
func described(
	criteria criteria, workload *unstructured.Unstructured, patterns []string,
) (clue signKind, fits bool) {
	name := workload.GetName()
	all, own, other := labelled(criteria, workload)
	generic := naming.Generic(name)
	switch {
	case matchesAny(patterns, name) &&
		!(generic && !own && !matchesAny(criteria.known.Namespaces, workload.GetNamespace())) &&
		!(other && (generic || !slices.Contains(patterns, name))):
		return describedByName, true
	case all && own:
		return describedByLabels, true
	case !matchesAny(patterns, name) && !other && contains(criteria, workload):
		return describedByContainer, true
	}
	return clue, false
}

// contains reports whether a workload has one of the catalogue's containers, by a name that says whose it is.
func contains(criteria criteria, workload *unstructured.Unstructured) bool {
	containers, _, _ := unstructured.NestedSlice(workload.Object, "spec", "template", "spec", "containers")
	return slices.ContainsFunc(containers, func(one any) bool {
		container, _ := one.(map[string]any)
		name, _, _ := unstructured.NestedString(container, "name")
		return !naming.Generic(name) && matchesAny(criteria.known.Containers, name)
	})
}

// labelled reports whether a workload's pods have all labels that a plugin gives, and one that names the project, or
// another value for one that does.
func labelled(criteria criteria, workload *unstructured.Unstructured) (all, own, other bool) {
	labels, _, _ := unstructured.NestedStringMap(workload.Object, "spec", "template", "metadata", "labels")
	all = len(criteria.known.Labels) > 0
	for _, label := range criteria.known.Labels {
		key, value, _ := strings.Cut(label, "=")
		has := labels[key] != "" && plugins.Match(value, labels[key])
		all = all && has
		named := !naming.Generic(strings.ReplaceAll(value, "*", ""))
		own = own || has && named
		other = other || labels[key] != "" && !has && named
	}
	return all, own, other
}

// patterns are the names that the plugin gives of workloads of a kind, but for one without a word, which fits all.
func patterns(criteria criteria, kind string) (names []string) {
	for _, workload := range criteria.known.Workloads {
		if of, name, _ := strings.Cut(workload, "/"); of == kind && strings.Trim(name, "*-") != "" {
			names = append(names, name)
		}
	}
	return names
}

// searchable reports whether the plugin names workloads by which the controller would be found.
func searchable(criteria criteria) bool {
	named := len(patterns(criteria, "Deployment")) + len(
		patterns(criteria, "StatefulSet"),
	) + len(patterns(criteria, "DaemonSet"))
	return named+len(criteria.known.Containers) > 0
}

func matchesAny(patterns []string, text string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return plugins.Match(pattern, text) })
}

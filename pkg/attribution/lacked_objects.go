package attribution

import (
	"cmp"
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// mostNeeds is how many objects are asked for, because a spec or words may name them.
const mostNeeds = 8

// need is what the held object names for its controller, and which objects that may be.
type need struct {
	statuses.Need
	may  []finding.Ref
	of   []cluster.Resource // the kind of each of these
	said bool               // the controller's own words name it
	only bool               // they say only that it waits for that
	sure bool               // what they name is a name for sure
	says *statuses.Report   // the words, if they are no error
}

// lacked is a need that no object meets.
func (n need) lacked(closed bool) finding.Lacked {
	return finding.Lacked{Object: n.may[0], Field: n.Path, Said: n.said, Closed: closed}
}

// lacking is the answer for a controller that runs and does not remove the finalizer, if the object names something
// that does not exist: what the controller's words name, or a field in which it is given something. Other fields may
// mean something else, and that is only added to the answer. In a first minute without any sign, what it is given ends
// the time in which it may be at work, also where that can't be read. Nothing of this matters while something moves.
func lacking(ctx context.Context, h *held, c *candidate, follows outcome, seen known) (session.Answer, bool) {
	first := follows == isAtWork && seen.progress == mayMove
	asks := follows == isFailing || seen.found == Running && (first || follows == isUnknown)
	if h.object.Whole == nil || seen.unread || !asks || !h.object.Terminating() {
		return session.Answer{}, false
	}
	gone, unread := absentNeeds(ctx, h, seen.words)
	if seen.words == "" && follows == isUnknown {
		awaited, unknown := missingOf(ctx, h, awaitedNeeds(ctx, h))
		gone, unread = append(awaited, gone...), append(unread, unknown...)
	}
	if first {
		gone = slices.DeleteFunc(gone, func(one need) bool { return !one.Input })
		h.search.failed = append(slices.Clone(h.search.failed), unread...)
	}
	if len(gone) > 0 && gone[0].says != nil && !gone[0].only {
		seen.words, seen.said = gone[0].says.Words, h.voices().reported(*gone[0].says)
	}
	for _, one := range gone {
		h.lacks = append(h.lacks, one.lacked(closedNamespace(ctx, h.search.session, one.may[0].Namespace)))
		h.search.evidence = append(slices.Clone(h.search.evidence), one.evidence(h.object)...)
	}
	chosen := c != nil && !c.byNameOnly && !c.ofKindOnly && len(h.search.equals) == 0
	sure := follows == isFailing || chosen && (follows == isUnknown || h.search.session.Foresees)
	switch {
	case len(gone) > 0 && !gone[0].only && (gone[0].said || gone[0].Input && sure):
		return session.Cause(lackingCause(h, c, seen, gone[0])), true
	case first && len(gone)+len(unread) > 0:
		return h.unknown(c), true
	}
	return session.Answer{}, false // an answer that is not clear has what is gone
}

// lackingCause is that the controller can't do its work without what is not there.
func lackingCause(h *held, c *candidate, seen known, first need) finding.Finding {
	cause := h.failing(c, seen.words, seen.said)
	if seen.words == "" {
		cause.Evidence = cause.Evidence[1:] // it has said nothing
	}
	lack := h.lacks[0]
	cause.Situation = "ControllerLacks"
	details := finding.ControllerDetails{Words: seen.words, Controller: c.ref(), Lacks: h.lacks}
	if c != nil {
		details.Clues = linked(h.search, h.object, c)
	}
	cause.Details = details
	cause.Key = finding.KeyOf("lacks", h.object.Resource.QualifiedName(), c.ref(), lack.Object) // whatever the finalizer
	if first.said && first.sure && c != nil && !seen.old && statuses.SaysAbsent(seen.words) {
		cause.Certainty = finding.Proven
	}
	// That it is fixed is what the first step says.
	rest := slices.DeleteFunc(slices.Clone(cause.Remedies), func(remedy finding.Remedy) bool {
		return finding.Is(remedy.Step, finding.FixesReported)
	})
	cause.Remedies = append([]finding.Remedy{lackRemedy(lack, first.Elsewhere)}, rest...)
	return cause
}

// lackRemedy is what can be done about an object that is not there. elsewhere says that the held object can name one in
// another namespace.
func lackRemedy(lack finding.Lacked, elsewhere bool) finding.Remedy {
	deed := finding.Remedy{
		Step: "CreateLacked", Details: finding.StepDetails{Object: &lack.Object, Name: lack.Field}, Risk: finding.NoRisk,
	}
	switch {
	case lack.Closed && elsewhere:
		deed.Step = "NameLackedElsewhere"
	case lack.Closed:
		deed.Step = "WorkWithoutLacked"
	}
	return deed
}

// absentNeeds are the needs whose objects don't exist: first what the controller's words name, then what it is given.
// unread are the ones that could not be read.
func absentNeeds(ctx context.Context, h *held, words string) (gone []need, unread []finding.Unread) {
	all := needs(ctx, h, words)
	slices.SortStableFunc(all, func(a, b need) int {
		return cmp.Or(session.FalseFirst(!a.said, !b.said), session.FalseFirst(!a.Input, !b.Input))
	})
	return missingOf(ctx, h, all)
}

// missingOf are the needs whose objects don't exist. unread are the ones that could not be read.
func missingOf(ctx context.Context, h *held, all []need) (gone []need, unread []finding.Unread) {
	asked := 0
	for _, one := range all {
		absent := true
		for i, ref := range one.may {
			if asked++; asked > mostNeeds {
				return gone, unread
			}
			err := lookUp(ctx, h, one.of[i], ref)
			absent = absent && apierrors.IsNotFound(err)
			if err != nil && !apierrors.IsNotFound(err) && (one.said || one.Input) {
				unread = append(unread, finding.UnreadObject(ref).Because(err))
			}
		}
		same := func(other need) bool { return other.may[0] == one.may[0] }
		if absent && !slices.ContainsFunc(gone, same) {
			gone = append(gone, one)
		}
	}
	return gone, unread
}

// lookUp reads no more than an object's metadata, so that no data of a Secret is fetched. Where a deletion is foreseen,
// the object must be gone today: what goes with the held one may be read until then.
func lookUp(ctx context.Context, h *held, kind cluster.Resource, ref finding.Ref) error {
	reads := h.search.session
	if reads.Today != nil {
		reads = reads.Today
	}
	if err := cluster.CheckName(ref.Namespace, ref.Name); err != nil {
		reads.Reader.Failed(kind, ref.Namespace, ref.Name, err) // no request is sent for it
		return err
	}
	_, err := reads.Reader.Metadata(ctx, kind, ref.Namespace, ref.Name)
	return err
}

// needs are the objects that a spec names for its controller, and what its words say is not there.
func needs(ctx context.Context, h *held, words string) (all []need) {
	kinds := h.search.session.ServedKinds(ctx).ByWord()
	for _, one := range statuses.Needs(h.object.Whole) {
		said := words != "" && statuses.Mentions(words, one.Name)
		all = withNeed(h, all, need{Need: one, said: said, sure: true}, kinds)
	}
	if !statuses.SaysAbsent(words) {
		return all
	}
	return append(all, needsInWords(h, words, kinds)...)
}

// withNeed adds a need if it names an object of a kind that is served.
func withNeed(h *held, all []need, one need, kinds map[string][]cluster.Resource) []need {
	for _, word := range one.Kinds { // the longest name of a kind comes first
		word = strings.ToLower(word)
		if one.Group != "" {
			word += "." + one.Group
		}
		if len(kinds[word]) == 0 {
			continue
		}
		one.fill(cluster.Closest(nearGroup(kinds[word], h.object.Resource.Group), h.object.Resource.Group), h.object)
		break
	}
	if len(one.may) == 0 {
		return all
	}
	return append(all, one)
}

// fill adds the objects that a need may mean: beside the held object, or in the namespace that it names. A word of
// prose that no object can be called means none.
func (n *need) fill(kinds []cluster.Resource, held *session.Object) {
	for _, kind := range kinds {
		namespace := cmp.Or(n.Namespace, held.Ref.Namespace)
		if !kind.Namespaced {
			namespace = ""
		}
		own := kind.Group == "" && kind.Kind == "Namespace" && n.Name == held.Ref.Namespace
		named := session.Named(kind, namespace, n.Name)
		valid := n.Path != "" || cluster.CheckName(namespace, n.Name) == nil // a field with another name is unreadable
		if own || kind.Namespaced && namespace == "" || !valid || named.Ref == held.Ref {
			continue
		}
		n.may, n.of = append(n.may, named.Ref), append(n.of, kind)
	}
}

// nearGroup are the kinds, of several that a word means, whose API group the held object's belongs to, as
// rds.aws.upbound.io does to aws.upbound.io; or all, if there is none.
func nearGroup(kinds []cluster.Resource, group string) []cluster.Resource {
	own := slices.DeleteFunc(slices.Clone(kinds), func(resource cluster.Resource) bool {
		return resource.Group == "" || group != resource.Group && !strings.HasSuffix(group, "."+resource.Group)
	})
	if len(own) == 0 {
		return kinds
	}
	return own
}

// closedNamespace reports whether nothing can be created in a namespace, because it is being deleted or doesn't exist
// (k8s v1.37 apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go:Admit).
func closedNamespace(ctx context.Context, reads *session.Session, name string) bool {
	if name == "" {
		return false
	}
	namespace, err := reads.Reader.Metadata(ctx, cluster.Namespaces(), "", name)
	return apierrors.IsNotFound(err) || err == nil && namespace.DeletionTimestamp != nil
}

func (n need) evidence(held *session.Object) (evidence []finding.Evidence) {
	if n.Path != "" {
		evidence = append(evidence, held.Ref.Observed("%s: %s", n.Path, n.Name))
	}
	return append(evidence, n.may[0].Observed("not found"))
}

package attribution

import (
	"cmp"
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// onlyCause is the cause of an answer that says nothing else.
func onlyCause(said session.Answer) (finding.Finding, bool) {
	if len(said.Causes) != 1 || len(said.Waits)+len(said.Progress)+len(said.Open) > 0 || said.Guessed != nil {
		return finding.Finding{}, false
	}
	return said.Causes[0], true
}

// trouble is what an answer says that a controller reports, where it says nothing else.
func trouble(said session.Answer) (finding.ControllerDetails, bool) {
	cause, _ := onlyCause(said)
	reported, is := cause.Details.(finding.ControllerDetails)
	return reported, is && cause.Reason == finding.ControllerFailing && reported.Words != ""
}

// followWords follows what a controller reports to the objects that its words name: one that is being deleted, too, and
// is stuck, is probably what it waits for; the answer names others that exist. A Secret is never looked at. Where one
// can't be read, it may be stuck, and what is reported its consequence.
func followWords(
	ctx context.Context, reads *session.Session, object *session.Object, hold finding.Hold, said session.Answer,
	reported finding.ControllerDetails,
) session.Answer {
	var waits []session.Wait
	var seen []finding.Remedy // of the first that is not being deleted
	cause := said.Causes[0]
	cause.Evidence = slices.Clone(cause.Evidence)
	found, unread := namedInWords(ctx, reads, object, reported.Words)
	for _, named := range found {
		reported.Named = append(reported.Named, named.Ref)
		if !named.Terminating() {
			cause.Evidence = append(cause.Evidence, session.ObservedOf(named, "exists and is not being deleted"))
			if len(seen) == 0 {
				seen = append(seen, finding.Remedy{
					Step: "SeeNamedObject", Details: finding.StepDetails{Object: &named.Ref}, Risk: finding.NoRisk,
					Command: reads.Kubectl.Command(named, "describe"),
				})
			}
			continue
		}
		observed := session.ObservedOf(named, "deleted "+reads.Ago(named.RequestedAt())+" ago and still there")
		cause.Evidence = append(cause.Evidence, observed.When(named.RequestedAt()))
		bond := session.Bond{Strength: session.NamedInWords, IfStuck: true, Evidence: []finding.Evidence{
			session.ObservedOf(object, "its controller reports: "+finding.Quoted(reported.Words)), observed,
		}}
		bond.Link = finding.Phrase{Situation: "NamedInReport"}
		waits = append(waits, session.Wait{Blocker: named, Bond: &bond})
	}
	cause.Details, cause.Remedies = reported, append(seen, cause.Remedies...)
	if len(unread) > 0 && len(waits) == 0 {
		reported.Unread = unread
		cause.Situation, cause.Reason, cause.Details = "ReportsOfUnread", "", reported
		return session.Open(cause)
	}
	said.Causes = []finding.Finding{cause}
	if len(waits) == 0 {
		return said
	}
	note := finding.Finding{
		Situation: "WaitsBelow", Object: object.Ref, Finalizer: hold.Name,
		Details: finding.BelowDetails{Controller: reported.Controller},
	}
	return session.Answer{Guessed: &session.Guessed{Waits: waits, Note: note, Instead: said}}
}

// namedInWords returns the objects that exist and that words name right behind a word for their kind: beside an object,
// or in the namespace that they name. unread are the ones that could not be read.
func namedInWords(
	ctx context.Context, reads *session.Session, object *session.Object, words string,
) (found []*session.Object, unread []finding.Unread) {
	for _, named := range meantByWords(reads.ServedKinds(ctx), object, words) {
		one, err := reads.Read(ctx, named.Resource, named.Ref.Namespace, named.Ref.Name)
		if err != nil && !apierrors.IsNotFound(err) {
			unread = append(unread, finding.UnreadObject(named.Ref).Because(err))
		}
		same := func(other *session.Object) bool { return other.Ref == one.Ref }
		if err == nil && one.Ref.UID != object.Ref.UID && !slices.ContainsFunc(found, same) {
			found = append(found, one)
		}
	}
	return found, unread
}

// meantByWords returns what words may name, whether it exists or not; it is no Secret, and not the object's namespace.
func meantByWords(served *cluster.ServedKinds, object *session.Object, words string) (named []*session.Object) {
	kinds := kindWords(served)
	statement := statuses.Statement{Words: words}
	for _, reference := range statement.Named(func(word string) bool { return len(kinds[word]) > 0 }) {
		if !reference.Near || len(validation.IsDNS1123Subdomain(reference.Name)) > 0 {
			continue
		}
		word := strings.ToLower(reference.Kinds[0])
		if reference.Group != "" {
			word += "." + reference.Group
		}
		for _, resource := range closest(kinds[word], object.Resource.Group) {
			namespace := cmp.Or(reference.Namespace, object.Ref.Namespace)
			if !resource.Namespaced {
				namespace = ""
			}
			own := resource.Group == "" && resource.Kind == "Namespace" && reference.Name == object.Ref.Namespace
			secret := resource.Group == "" && resource.Resource == "secrets"
			if own || secret || resource.Namespaced && namespace == "" || len(named) == mostNamed {
				continue
			}
			named = append(named, session.Named(resource, namespace, reference.Name))
		}
	}
	return named
}

// closest are the kinds, of several that a word means, that an object's controller may use: the one of the object's own
// group, the one of the core group, or all of them.
func closest(kinds []cluster.Resource, group string) []cluster.Resource {
	for _, own := range []string{group, ""} {
		at := slices.IndexFunc(kinds, func(resource cluster.Resource) bool { return resource.Group == own })
		if at >= 0 {
			return kinds[at : at+1]
		}
	}
	var closest []cluster.Resource
	for _, kind := range kinds {
		same := func(resource cluster.Resource) bool { return resource.GroupKind() == kind.GroupKind() }
		if !slices.ContainsFunc(closest, same) {
			closest = append(closest, kind)
		}
	}
	return closest
}

package attribution

import (
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

// trouble is what an answer says that a controller reports, where it says nothing else.
func trouble(said session.Answer) (finding.ControllerDetails, bool) {
	if len(said.Causes) != 1 || len(said.Waits)+len(said.Progress)+len(said.Open) > 0 || said.Guessed != nil ||
		said.Causes[0].Reason != finding.ControllerFailing {
		return finding.ControllerDetails{}, false
	}
	reported, is := said.Causes[0].Details.(finding.ControllerDetails)
	return reported, is && reported.Words != ""
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

// namedIn returns the objects that exist and that words name right behind a word for their kind: beside an object, or
// in the namespace that they name, and of several kinds that the word may mean, of the object's own group or the core
// one. unread are the ones that could not be read.
func namedInWords(
	ctx context.Context, reads *session.Session, object *session.Object, words string,
) (found []*session.Object, unread []finding.Unread) {
	kinds := kindWords(reads.Catalog(ctx))
	statement := statuses.Statement{Words: words}
	looked := 0
	for _, one := range statement.Named(func(word string) bool { return len(kinds[word]) > 0 }) {
		if !one.Near || len(validation.IsDNS1123Subdomain(one.Name)) > 0 {
			continue
		}
		word := strings.ToLower(one.Kinds[0])
		if one.Group != "" {
			word += "." + one.Group
		}
		resource, meant := closest(kinds[word], object.Resource.Group)
		if !meant || resource.Group == "" && resource.Resource == "secrets" || looked == mostNamed {
			continue
		}
		namespace := one.Namespace
		if namespace == "" {
			namespace = object.Ref.Namespace
		}
		if !resource.Namespaced {
			namespace = ""
		} else if namespace == "" {
			continue
		}
		if namespace == "" && resource.Group == "" && resource.Kind == "Namespace" && one.Name == object.Ref.Namespace {
			continue // in which the object is
		}
		looked++
		named, err := reads.Read(ctx, resource, namespace, one.Name)
		if err != nil && !apierrors.IsNotFound(err) {
			unread = append(unread, finding.UnreadObject(session.Named(resource, namespace, one.Name).Ref).Because(err))
		}
		same := func(other *session.Object) bool { return other.Ref == named.Ref }
		if err == nil && named.Ref.UID != object.Ref.UID && !slices.ContainsFunc(found, same) {
			found = append(found, named)
		}
	}
	return found, unread
}

// closest is the one of some kinds that a word means which an object's controller uses: of the object's own group, of
// the core group, or the only one.
func closest(kinds []cluster.Resource, group string) (cluster.Resource, bool) {
	for _, own := range []string{group, ""} {
		at := slices.IndexFunc(kinds, func(one cluster.Resource) bool { return one.Group == own })
		if at >= 0 {
			return kinds[at], true
		}
	}
	if len(kinds) == 0 {
		return cluster.Resource{}, false
	}
	other := func(one cluster.Resource) bool { return one.GroupKind() != kinds[0].GroupKind() }
	return kinds[0], !slices.ContainsFunc(kinds, other)
}

package mechanism

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// declaredUse explains finalizers of objects that others protect by what they declare in their own spec: an instance of
// a kind that is made for that, such as a Usage, names the held object, and perhaps who uses it; or, where the
// finalizer itself speaks of use, any object of the project refers to the held one. As for a drain, how the controller
// fares comes first: one that is gone ends no use.
func declaredUse(ctx context.Context, t *Tools, held Held) (Answer, bool) {
	kinds := kindsOfUse(ctx, t, held)
	if len(kinds) == 0 {
		return Answer{}, false
	}
	fares := byController(ctx, t, held)
	refused := t.Refusals.Refused(ctx, refusal.RemovalOf(held.Object, held.Hold))
	if !mayWait(fares) || refused.Found() || len(refused.Unsure) > 0 {
		return fares, true
	}
	answer := Answer{}
	for _, kind := range kinds {
		if !answer.Empty() && !speaksOfUse(kind.Kind) {
			break // what is declared counts for more than mere references
		}
		answer.Add(usesOf(ctx, t.Session, held, kind, reportedWords(fares)))
	}
	if answer.Empty() {
		return fares, true
	}
	answer.Remarks, answer.Removal = fares.Remarks, session.RemovalUnsure
	return answer, true
}

// mayWait reports whether a controller may be waiting for something that is not known yet: it isn't known to be gone,
// down or forbidden, and nothing that would show it was left unread.
func mayWait(fares Answer) bool {
	known := func(cause Finding) bool {
		details, unknown := cause.Details.(finding.ControllerUnknownDetails)
		return cause.Reason != finding.ControllerFailing && (!unknown || len(details.Unread) > 0)
	}
	return len(fares.Waits) == 0 && !slices.ContainsFunc(fares.Causes, known) &&
		!slices.ContainsFunc(fares.Open, notRead)
}

// mostKindsOfUse is of how many kinds the instances are read, to see who uses an object.
const mostKindsOfUse = 12

// kindsOfUse returns the custom kinds whose instances may say that an object is used, by a finalizer's domain and by
// the held object's own group: kinds named after a use, or all kinds if the finalizer is.
func kindsOfUse(ctx context.Context, t *Tools, held Held) []cluster.Resource {
	on := holdOn{held.Hold.Name, held.Resource.GroupResource()}
	kinds, _ := t.usedBy.Get(on, func() ([]cluster.Resource, error) { return findKindsOfUse(ctx, t.Session, held), nil })
	return kinds
}

// holdOn is a finalizer on the objects of a resource.
type holdOn struct {
	finalizer string
	resource  schema.GroupResource
}

func findKindsOfUse(ctx context.Context, reads *session.Session, held Held) (kinds []cluster.Resource) {
	domain, all := naming.Domain(held.Hold.Name), speaksOfUse(held.Hold.Name)
	for _, resource := range reads.ServedKinds(ctx).Listable(false) {
		if cluster.ServedByKubernetes(resource.Group) || sameKind(resource, held.Resource) {
			continue
		}
		near := resource.Group == held.Resource.Group ||
			naming.RelationOf(domain, resource.Group) != naming.Unrelated
		if near && (all || speaksOfUse(resource.Kind)) {
			kinds = append(kinds, resource)
		}
	}
	slices.SortStableFunc(kinds, func(a, b cluster.Resource) int {
		return session.FalseFirst(!speaksOfUse(a.Kind), !speaksOfUse(b.Kind))
	})
	return kinds[:min(len(kinds), mostKindsOfUse)]
}

// speaksOfUse reports whether a finalizer or a kind has a name for things that are in use, and protected for that.
func speaksOfUse(name string) bool {
	_, last, qualified := strings.Cut(name, "/")
	if !qualified {
		last = name
	}
	words := []string{
		"usage", "inuse", "in-use", "used", "protect", "guard", "lock", "reserv", "consum", "depend", "referenc",
	}
	last = strings.ToLower(last)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(last, word) })
}

// reportedWords are the words in which a controller reports its errors.
func reportedWords(fares Answer) (words []string) {
	for _, cause := range fares.Causes {
		if details, is := cause.Details.(finding.ControllerDetails); is && details.Words != "" {
			words = append(words, details.Words)
		}
	}
	return words
}

// usesOf answers for the instances of a kind that declare a use of the held object, or that its controller names in
// what it reports: a use of something that has to go first.
func usesOf(
	ctx context.Context, reads *session.Session, held Held, kind cluster.Resource, reported []string,
) (answer Answer) {
	list, err := reads.Reader.List(ctx, kind, "", cluster.Selector{})
	if err != nil {
		return session.Unread(unreadKind(kind.QualifiedName(), ""), err)
	}
	for i := range list {
		declaration, err := session.FromWhole(kind, &list[i])
		if err != nil {
			return session.Unread(unreadKind(kind.QualifiedName(), ""), err)
		}
		use, field := useIn(declaration), fieldFor(held.Object, declaration)
		named := func(words string) bool {
			return speaksOfUse(kind.Kind) && naming.Mentions(words, kind.Kind) &&
				naming.Mentions(words, declaration.Ref.Name)
		}
		if slices.ContainsFunc(use.of, func(of reference) bool { return of.means(held.Object, declaration) }) ||
			len(use.of) > 0 && slices.ContainsFunc(reported, named) {
			answer.Waits = append(answer.Waits, awaitUser(ctx, reads, held, declaration, use))
		} else if field != "" && speaksOfUse(held.Hold.Name) {
			answer.Waits = append(answer.Waits, session.Until(declaration, func() Answer {
				return session.Cause(referrer(reads, held, declaration, field))
			}))
		}
	}
	return answer
}

// use is the wait for a use to end: for the user that the declaration names, or else for the declaration.
func awaitUser(ctx context.Context, reads *session.Session, held Held, declaration *Object, use use) Wait {
	wait := Wait{Blocker: declaration}
	if declaration.Terminating() {
		return wait
	}
	details := finding.StillInUseDetails{Of: &held.Ref, Declaration: &declaration.Ref, Words: use.reason}
	for _, by := range use.by {
		user, err := resolve(ctx, reads, by, declaration)
		switch {
		case apierrors.IsNotFound(err):
			details.Gone = &user.Ref
			continue
		case err != nil:
			wait.Otherwise.Add(session.Unread(finding.UnreadObject(user.Ref), err))
			continue
		case user == nil || user.Ref.UID == held.Ref.UID:
			continue
		}
		wait.Otherwise.Waits = append(wait.Otherwise.Waits, session.Until(user, func() Answer {
			return session.Cause(userBy(reads, held, declaration, user, details))
		}))
	}
	if wait.Otherwise.Empty() {
		wait.Otherwise = session.Cause(standingUse(reads, held, declaration, details))
	}
	return wait
}

func endUse(reads *session.Session, declaration *Object, held Held) Remedy {
	return Remedy{
		Step: "EndDeclaredUse", Details: finding.StepDetails{Object: &declaration.Ref, Other: &held.Ref},
		Command: reads.Kubectl.Command(declaration, "delete", "--wait=false"), Risk: finding.DataLoss,
	}
}

// resolve reads what a reference in a declaration names: nil where it names no object, or one of a kind that isn't
// served.
func resolve(ctx context.Context, reads *session.Session, by reference, declaration *Object) (*Object, error) {
	resource, served := kindNamed(ctx, reads, by, declaration.Resource.Group)
	if !served || by.name == "" {
		return nil, nil
	}
	namespace := ""
	if resource.Namespaced {
		namespace = by.namespace
		if namespace == "" {
			namespace = declaration.Ref.Namespace
		}
	}
	named := session.Named(resource, namespace, by.name)
	read, err := reads.Read(ctx, resource, namespace, by.name)
	if err != nil {
		return named, err
	}
	return read, nil
}

// kindNamed returns the resource of a reference. Without a group, it is the declaration's, or else the only one.
func kindNamed(ctx context.Context, reads *session.Session, by reference, group string) (cluster.Resource, bool) {
	servedKinds := reads.ServedKinds(ctx)
	if by.group != nil {
		return servedKinds.OfKind(schema.GroupKind{Group: *by.group, Kind: by.kind})
	}
	if resource, served := servedKinds.OfKind(schema.GroupKind{Group: group, Kind: by.kind}); served {
		return resource, true
	}
	var found []cluster.Resource
	for _, resource := range servedKinds.Listable(false) {
		if strings.EqualFold(resource.Kind, by.kind) {
			found = append(found, resource)
		}
	}
	if len(found) != 1 {
		return cluster.Resource{}, false
	}
	return found[0], true
}

package attribution

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Denied is a denial of the API server's own that a program quotes, and what RBAC says of it now.
type Denied struct {
	rbac.Denial
	Right    finding.Phrase
	Over     bool  // RBAC grants it by now
	Stands   bool  // RBAC doesn't; neither, where RBAC can't be read or doesn't tell
	Unread   error // of reading RBAC, without which it isn't known whether it still holds
	Evidence finding.Evidence
	Remedies []finding.Remedy // to see it, and to grant it
}

// Denial finds the API server's own "is forbidden: User …" in words, wherever they stand.
func (f *Finder) Denial(ctx context.Context, words string) (denied Denied, found bool) {
	quoted, found := rbac.Denied(words)
	if !found {
		return denied, false
	}
	return f.deniedOf(ctx, quoted), true
}

// deniedOf is what RBAC says of a denial now, and what to do about it.
func (f *Finder) deniedOf(ctx context.Context, what rbac.Denial) Denied {
	denied := Denied{Denial: what}
	resource, sub, _ := strings.Cut(denied.Resource.Resource, "/")
	named := resource
	if denied.Resource.Group != "" {
		named += "." + denied.Resource.Group
	}
	right := finding.DeniedRight{
		User: denied.User(), Verb: denied.Verb, Resource: named, Namespace: denied.Denial.Namespace,
	}
	ask := append(f.Session.Kubectl.Prefix(finding.Ref{Namespace: right.Namespace}), "auth", "can-i", right.Verb, named)
	if sub != "" {
		ask, right.Resource = append(ask, "--subresource", sub), named+"/"+sub
	}
	if in, known := f.Session.ServedKinds(ctx).Find(denied.Resource); known && in.Namespaced && right.Namespace == "" {
		ask = append(ask, "--all-namespaces")
	}
	denied.Right = finding.Phrase{Situation: "DeniedRight", Details: right}
	denied.Remedies = []finding.Remedy{{
		Step: "SeeRights", Details: finding.StepDetails{Name: right.Verb + " " + right.Resource},
		Command: append(ask, "--as", right.User), Risk: finding.NoRisk,
	}}
	f.weigh(ctx, &denied, right)
	return denied
}

// weigh holds a denial against RBAC as it is now.
func (f *Finder) weigh(ctx context.Context, denied *Denied, right finding.DeniedRight) {
	grants, err := f.permissions(ctx)
	denied.Evidence = finding.Evidence{Source: "RBAC"}
	grant := finding.Remedy{Step: "GrantRight", Risk: finding.NoRisk}
	details := finding.StepDetails{Name: right.User, State: &denied.Right}
	switch {
	case err != nil:
		denied.Unread = err
		denied.Evidence.Observed = "could not be read; the denial may be out of date"
	case grants.Allows(denied.Denial):
		denied.Over = true
		denied.Evidence.Observed = right.User + " may now " + f.voice().Phrase(denied.Right)
	default:
		denied.Stands = denied.Subject.Account()
		denied.Evidence.Observed = "no role lets " + right.User + " " + f.voice().Phrase(denied.Right)
		if role := grants.RoleOf(denied.Denial); role != "" {
			ref := roleRef(role)
			details.Other, grant.Command = &ref, f.Session.Kubectl.CommandFor(ref, "edit")
		}
	}
	if denied.Subject.Account() {
		account := refOf(denied.Subject)
		details.Object = &account
	}
	grant.Details = details
	denied.Remedies = append(denied.Remedies, grant)
}

func (f *Finder) voice() finding.Voice { return finding.Voice{Now: f.Session.AsOf()} }

// roleRef is the role that is known as KIND NAMESPACE/NAME.
func roleRef(role string) finding.Ref {
	kind, path, _ := strings.Cut(role, " ")
	ref := finding.Ref{APIVersion: "rbac.authorization.k8s.io/v1", Kind: kind, Name: path}
	if namespace, name, namespaced := strings.Cut(path, "/"); namespaced {
		ref.Namespace, ref.Name = namespace, name
	}
	return ref
}

// deniedRight is the cause of a controller that is denied what it needs.
func (h *held) deniedRight(c *candidate, denied Denied, words string, said finding.Evidence) finding.Finding {
	cause := denied.Cause(h.object, h.hold.Name, words, said)
	cause.Evidence = slices.Concat(cause.Evidence, h.writes().setterEvidence(), h.search.evidence)
	ways := slices.Concat(cause.Remedies, wayOut(h.search, h.note, true), []finding.Remedy{h.lastResort()})
	cause.Remedies = session.OverridingCause(ways, cause.Reason)
	if c == nil {
		cause.Certainty = finding.Likely // whoever is denied this need not be who removes the finalizer
		return cause
	}
	cause.Evidence = append(cause.Evidence, c.evidence...)
	details := finding.ControllerDetails{Controller: c.ref(), Words: words, Right: &denied.Right}
	if c.account.Name != "" && c.account != denied.Subject {
		as := refOf(denied.Subject)
		details.As = &as
	}
	cause.Details = details
	return cause
}

// Cause is the cause of an object whose finalizer a program can't remove, because it is denied what that takes. It is
// proven where that is the very write, and RBAC denies it, too.
func (d Denied) Cause(object *session.Object, finalizer, words string, said finding.Evidence) finding.Finding {
	details := finding.ControllerDetails{Words: words, Right: &d.Right}
	if d.Subject.Account() {
		account := refOf(d.Subject)
		details.Controller = &account
	}
	cause := finding.Finding{
		Reason: finding.ControllerForbidden, Situation: "ControllerDenied", Object: object.Ref, Finalizer: finalizer,
		Details: details, Certainty: finding.Likely, Evidence: []finding.Evidence{said, d.Evidence}, Remedies: d.Remedies,
		Key: finding.KeyOf("denied", d.User(), d.Verb, d.Resource.String(), d.Denial.Namespace, finalizer, object.Ref.Kind),
	}
	releases := d.Verb == "update" || d.Verb == "patch"
	if d.Stands && releases && d.Resource == object.Resource.GroupResource() {
		cause.Certainty = finding.Proven
	}
	return cause
}

func (h *held) forbidden(ctx context.Context, c *candidate) session.Answer {
	if c.isUnable() {
		return session.Cause(unable(ctx, h, c))
	}
	var remedies []finding.Remedy
	switch {
	case c.denied:
		remedies = append(
			remedies, seeRights(h.search, h.object, c), finding.Remedy{Step: "AskForAuthorizer", Risk: finding.NoRisk},
		)
	case c.account.Name != "":
		remedies = append(append(remedies, seeRights(h.search, h.object, c)), h.allow(c, false)...)
	}
	cause := h.cause(finding.ControllerForbidden, c, remedies)
	cause.Situation, cause.Details = "ControllerMayNotUpdate", suspected(h.object, c)
	cause.Key = h.key("forbidden controller", c)
	if report, speaks := h.voices().report(); speaks {
		denied, quoted := h.search.finder.Denial(ctx, report.Words)
		if quoted && denied.Subject == c.account && !denied.Over {
			askFor(h.search, &cause, denied)
		}
		said := h.voices().reported(report)
		others := slices.DeleteFunc(slices.Clone(cause.Evidence), func(evidence finding.Evidence) bool {
			return evidence.Quotes == said.Quotes // what a storage driver reports has been heard already
		})
		cause.Evidence = append([]finding.Evidence{said}, others...)
	}
	return session.Cause(cause)
}

// askFor has a cause ask for the right that the quoted denial of the API server is about. If that is a right on the
// held kind, RBAC and the API server say the same.
func askFor(search search, cause *finding.Finding, denied Denied) {
	if denied.Resource == search.criteria.resource.GroupResource() {
		cause.Certainty = finding.Proven
	}
	before := func(remedy finding.Remedy) bool {
		return finding.Is(remedy.Step, finding.Grants)
	}
	others := slices.DeleteFunc(slices.Clone(cause.Remedies), before)
	binds := func(remedy finding.Remedy) bool {
		return finding.Is(remedy.Step, finding.Binds)
	}
	if slices.ContainsFunc(cause.Remedies, binds) {
		denied.Remedies = denied.Remedies[:1]
	}
	cause.Remedies = slices.Concat(denied.Remedies, others)
}

package attribution

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// decision is what the search for a controller came to, about whichever candidate.
type decision struct {
	state     PresenceState // nothing where what was readable doesn't tell
	candidate *candidate    // nil where the decision is about nobody
}

// nobody is the state of a controller to which nothing leads.
const nobody PresenceState = "Nobody"

// decide examines the candidates, the most specific source first.
func (s *search) decide(ctx context.Context) decision {
	noClue := func(c *candidate) bool { return c.score < 3 } // beside RBAC
	likely := slices.DeleteFunc(slices.Clone(s.ordinary), noClue)
	if candidates := slices.Concat(s.writers, likely); len(candidates) > 0 {
		return s.among(ctx, candidates)
	}
	if s.everyone != nil {
		return decision{} // any program in the cluster might
	}
	for _, c := range s.limited[:min(len(s.limited), mostCandidates)] {
		switch {
		case !s.examine(ctx, c):
			return decision{}
		case len(c.clues) == 0 && !c.access.Finalizers && !c.access.Status: // to read a kind is what dashboards do too
			s.readers = s.readers || c.state == candidateAlive || c.state == candidateDown
		case c.state == candidateAlive:
			return decision{Forbidden, c}
		case c.state == candidateDown:
			return decision{Down, c}
		default:
			s.gone = append(s.gone, c)
		}
	}
	if controller.IsBareWord(s.finalizer) && len(s.gone) == 0 && len(s.managers) == 0 {
		return decision{} // a person may have made it up
	}
	found, read := s.traces(ctx)
	switch {
	case read && len(found) == 0:
		return decision{state: nobody}
	case !read || !s.examine(ctx, found[0]):
		return decision{}
	case found[0].state == candidateDown:
		return decision{Down, found[0]}
	}
	return decision{Forbidden, found[0]}
}

// among decides between those whom RBAC lets remove the finalizer.
func (s *search) among(ctx context.Context, candidates []*candidate) (found decision) {
	var alive, down *candidate
	defer func() { s.rememberRivals(found.candidate, candidates) }()
	for _, c := range candidates[:min(len(candidates), mostCandidates)] {
		switch {
		case !s.examine(ctx, c):
			return decision{}
		case c.state == candidateAlive:
			alive = c
		case c.state == candidateDown:
			down = cmp.Or(down, c)
		default:
			s.gone = append(s.gone, c)
		}
		if alive != nil {
			break
		}
	}
	switch {
	case alive != nil && (down == nil || down.score <= alive.score):
		return decision{Running, alive}
	case down != nil:
		return decision{Down, down}
	case len(candidates) > mostCandidates: // not everybody was looked at
		for _, c := range candidates[mostCandidates:] {
			s.possible = append(s.possible, *c.ref())
		}
		return decision{}
	}
	return decision{state: Missing}
}

// rememberRivals remembers who else may be the controller: not looked at, or there too, and as much points at them.
func (s *search) rememberRivals(chosen *candidate, candidates []*candidate) {
	if chosen == nil {
		return
	}
	for _, c := range candidates {
		if c != chosen && c.state != candidateGone && c.state != candidateIdle && 2*c.score >= chosen.score {
			s.rivals = append(s.rivals, c)
		}
	}
}

func (h *held) answer(ctx context.Context) session.Answer {
	found := h.reviewed(ctx, h.found)
	switch found.state {
	case Running:
		return h.running(ctx, found.candidate)
	case Down:
		return h.down(found.candidate)
	case Forbidden:
		return h.forbidden(found.candidate)
	case "":
		return h.unknown(found.candidate)
	}
	if !h.instance(ctx) {
		return h.unknown(nil)
	}
	if found.state == nobody {
		return h.nobodyMay()
	}
	return session.Cause(h.missing())
}

// reviewed puts a decision that rests on RBAC before the API server, if the user asked for probes: other authorizers
// may allow or deny too. Where it can't be asked, RBAC has the last word, and the answer says so.
func (h *held) reviewed(ctx context.Context, found decision) decision {
	c := found.candidate
	rests := found.state == Forbidden || found.state == Running
	if h.finder.Reviewer == nil || c == nil || c.account.Name == "" || !rests {
		return found
	}
	own := *c // others may be held by the same, which is asked about each
	c, found.candidate = &own, &own
	allowed, said, err := h.mayRelease(ctx, c)
	asked := finding.Evidence{Source: "SubjectAccessReview", Object: &h.object.Ref}
	resource := h.object.Resource.QualifiedName()
	switch {
	case err != nil:
		asked.Observed = "could not be sent; what RBAC says stands alone"
		if apierrors.IsForbidden(err) {
			asked.Observed = "could not be sent, which you may not do; what RBAC says stands alone"
		}
		reviews := authorizationv1.SchemeGroupVersion.WithResource("subjectaccessreviews")
		h.session.Reader.Failed(cluster.Resource{GroupVersionResource: reviews, Kind: "SubjectAccessReview"}, "", "", err)
	case allowed:
		asked.Observed = fmt.Sprintf("%s may update or patch %s%s", c.account, resource, said)
		c.allowed = found.state == Forbidden
		found.state = Running
	default:
		asked.Observed = fmt.Sprintf("%s may neither update nor patch %s%s", c.account, resource, said)
		c.denied = found.state == Running
		found.state = Forbidden
	}
	c.evidence = append(slices.Clone(c.evidence), asked)
	return found
}

// mayRelease asks whether a candidate may take a finalizer off the held object: either verb will do.
func (h *held) mayRelease(ctx context.Context, c *candidate) (allowed bool, said string, err error) {
	user := "system:serviceaccount:" + c.account.Namespace + ":" + c.account.Name
	groups := []string{"system:serviceaccounts", "system:serviceaccounts:" + c.account.Namespace, "system:authenticated"}
	for _, verb := range []string{"patch", "update"} {
		ref := h.object.Ref
		allowed, said, err = h.finder.Reviewer.Review(ctx, user, groups, verb, h.object.Resource, ref.Namespace, ref.Name)
		if allowed || err != nil {
			break
		}
	}
	if said != "" {
		said = " (" + said + ")"
	}
	return allowed, said, err
}

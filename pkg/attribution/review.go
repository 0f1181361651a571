package attribution

import (
	"context"
	"fmt"
	"slices"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// reviewed puts a decision that rests on what RBAC allows before the API server, if the user asked for probes:
// it has other authorizers too, that may allow or deny what RBAC doesn't know of. Where it can't be asked, RBAC
// has the last word, and the answer says so.
func (h *held) reviewed(ctx context.Context, found decision) decision {
	c := found.candidate
	rests := found.state == decidedForbidden || found.state == decidedRunning
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
		asked.Observed = "could not be sent"
		if apierrors.IsForbidden(err) {
			asked.Observed += ", which you may not do"
		}
		asked.Observed += "; what RBAC says stands alone"
		h.session.Reader.Failed(subjectAccessReviews(), "", "", err)
	case allowed:
		asked.Observed = fmt.Sprintf("%s may update or patch %s%s", c.account, resource, parenthesis(said))
		c.allowed = found.state == decidedForbidden
		found.state = decidedRunning
	default:
		asked.Observed = fmt.Sprintf("%s may neither update nor patch %s%s", c.account, resource, parenthesis(said))
		c.denied = found.state == decidedRunning
		found.state = decidedForbidden
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
	return allowed, said, err
}

func subjectAccessReviews() cluster.Resource {
	return cluster.Resource{
		GroupVersionResource: authorizationv1.SchemeGroupVersion.WithResource("subjectaccessreviews"),
		Kind:                 "SubjectAccessReview",
	}
}

func parenthesis(said string) string {
	if said == "" {
		return ""
	}
	return " (" + said + ")"
}

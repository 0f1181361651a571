package attribution

import (
	"context"
	"fmt"
	"slices"

	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// reviewed puts a decision that rests on RBAC before the API server, if the user asked for probes: other authorizers
// may allow or deny too. Where it can't be asked, RBAC has the last word, and the answer says so.
func (h *held) reviewed(ctx context.Context, found decision) decision {
	c := found.candidate
	rests := found.state == Forbidden || found.state == Running
	if c != nil && c.quiet != nil && found.state == Forbidden { // for another reason than its rights on the object
		return found
	}
	if h.search.finder.Reviewer == nil || c == nil || c.account.Name == "" || c.otherLogin || !rests {
		return found
	}
	own := *c // others may be held by the same, which is asked about each
	c, found.candidate = &own, &own
	allowed, said, err := mayRelease(ctx, h.search, h.object, c)
	asked := finding.Evidence{Source: "SubjectAccessReview", Object: &h.object.Ref}
	resource := h.object.Resource.QualifiedName()
	switch {
	case err != nil:
		asked.Observed = "could not be sent; only RBAC was evaluated"
		if apierrors.IsForbidden(err) {
			asked.Observed = "could not be sent, because you may not; only RBAC was evaluated"
		}
		reviews := authorizationv1.SchemeGroupVersion.WithResource("subjectaccessreviews")
		h.search.session.Reader.Failed(cluster.Resource{GroupVersionResource: reviews, Kind: "SubjectAccessReview"}, "", "",
			err)
	case allowed:
		asked.Observed = fmt.Sprintf("%s can update or patch %s%s", c.account, resource, said)
		c.allowed = found.state == Forbidden
		found.state = Running
	default:
		asked.Observed = fmt.Sprintf("%s may neither update nor patch %s%s", c.account, resource, said)
		c.denied = found.state == Running && byRBAC(ctx, h, c)
		found.state = Forbidden
	}
	c.evidence = append(slices.Clone(c.evidence), asked)
	return found
}

// byRBAC reports whether RBAC was read and lets a candidate change the held object: then it is another authorizer that
// denies it.
func byRBAC(ctx context.Context, h *held, c *candidate) bool {
	grants, err := h.search.finder.permissions(ctx)
	return err == nil && lets(grants, removalBy(c.sender(), h.object))
}

// mayRelease asks whether a candidate may remove a finalizer from the held object: either verb will do.
func mayRelease(
	ctx context.Context, search search, object *session.Object, c *candidate,
) (allowed bool, said string, err error) {
	as := c.sender()
	user := as.UserName()
	groups := []string{
		"system:serviceaccounts", "system:serviceaccounts:" + as.Namespace, "system:authenticated",
	}
	for _, verb := range []string{"patch", "update"} {
		ref := object.Ref
		allowed, said, err = search.finder.Reviewer.Review(ctx, user, groups, verb, object.Resource, ref.Namespace,
			ref.Name)
		if allowed || err != nil {
			break
		}
	}
	if said != "" {
		said = " (" + said + ")"
	}
	return allowed, said, err
}

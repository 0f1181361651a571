package operator

import (
	"context"
	"fmt"
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// cut takes verbs on a resource from a role, and waits until its account has lost them.
func (h *Harness) cut(ctx context.Context, cut Cut) error {
	kind, name, _ := strings.Cut(cut.Object.Object, "/")
	var err error
	switch kind {
	case "clusterrole":
		var role *rbacv1.ClusterRole
		if role, err = h.client.RbacV1().ClusterRoles().Get(ctx, name, metav1.GetOptions{}); err == nil {
			role.Rules = cut.from(role.Rules)
			_, err = h.client.RbacV1().ClusterRoles().Update(ctx, role, metav1.UpdateOptions{})
		}
	case "role":
		var role *rbacv1.Role
		if role, err = h.client.RbacV1().Roles(cut.Namespace).Get(ctx, name, metav1.GetOptions{}); err == nil {
			role.Rules = cut.from(role.Rules)
			_, err = h.client.RbacV1().Roles(cut.Namespace).Update(ctx, role, metav1.UpdateOptions{})
		}
	default:
		err = fmt.Errorf("%q is neither a clusterrole nor a role", cut.Object.Object)
	}
	if err != nil {
		return err
	}
	return h.awaitLoss(ctx, cut)
}

// from returns rules without what is cut. A rule for several resources is parted.
func (c Cut) from(rules []rbacv1.PolicyRule) (left []rbacv1.PolicyRule) {
	for _, rule := range rules {
		if !slices.Contains(rule.APIGroups, c.Group) || !slices.Contains(rule.Resources, c.Resource) {
			left = append(left, rule)
			continue
		}
		others, less := rule.DeepCopy(), rule.DeepCopy()
		others.Resources = slices.DeleteFunc(others.Resources, func(text string) bool { return text == c.Resource })
		if len(others.Resources) > 0 {
			left = append(left, *others)
		}
		less.Resources = []string{c.Resource}
		less.Verbs = slices.DeleteFunc(less.Verbs, func(verb string) bool { return slices.Contains(c.Verbs, verb) })
		if len(less.Verbs) > 0 {
			left = append(left, *less)
		}
	}
	return left
}

// awaitLoss waits until the API server itself says that the account may not any more.
func (h *Harness) awaitLoss(ctx context.Context, cut Cut) error {
	resource, subresource, _ := strings.Cut(cut.Resource, "/")
	for _, verb := range cut.Verbs {
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: cut.Account,
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: cut.Namespace, Verb: verb, Group: cut.Group, Resource: resource, Subresource: subresource,
			},
		}}
		err := await(ctx, func(ctx context.Context) (bool, error) {
			answer, err := h.client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
			return err == nil && !answer.Status.Allowed, err
		})
		if err != nil {
			return fmt.Errorf("%s may still %s %s: %w", cut.Account, verb, cut.Resource, err)
		}
	}
	return nil
}

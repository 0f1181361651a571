package cluster

import (
	"context"
	"encoding/json"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Reviewer asks the server whether somebody may do something, by all of its authorizers.
type Reviewer interface {
	// Review tells whether a user with some groups may do a verb to an object, and what the server says of it.
	Review(
		ctx context.Context, user string, groups []string, verb string, resource Resource, namespace, name string,
	) (allowed bool, said string, err error)
}

// Review implements Reviewer. A SubjectAccessReview is created and never stored: its answer is all there is
// (k8s v1.37 pkg/registry/authorization/subjectaccessreview/rest.go:Create). It is sent as a dry run all the
// same, so that everybody who reads an audit log sees that nothing was meant to be.
func (l *Live) Review(
	ctx context.Context, user string, groups []string, verb string, resource Resource, namespace, name string,
) (allowed bool, said string, err error) {
	review := &authorizationv1.SubjectAccessReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "authorization.k8s.io/v1", Kind: "SubjectAccessReview"},
		Spec: authorizationv1.SubjectAccessReviewSpec{
			User: user, Groups: groups,
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Group: resource.Group, Version: resource.Version, Resource: resource.Resource,
				Namespace: namespace, Name: name, Verb: verb,
			},
		},
	}
	body, err := json.Marshal(review)
	if err != nil {
		return false, "", err
	}
	answer, err := l.discovery.RESTClient().Post().
		AbsPath("apis", "authorization.k8s.io", "v1", "subjectaccessreviews").Param("dryRun", metav1.DryRunAll).
		SetHeader("Content-Type", "application/json").SetHeader("Accept", "application/json").Body(body).Do(ctx).Raw()
	if err != nil {
		return false, "", err
	}
	err = json.Unmarshal(answer, review)
	return review.Status.Allowed, review.Status.Reason, err
}

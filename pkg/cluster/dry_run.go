package cluster

import (
	"context"
	"encoding/json"
	"net/http"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Prober asks the server what would become of a write, as a dry run: admission and validation run, and
// nothing is stored. The error is the server's.
type Prober interface {
	// ProbePatch sends a JSON patch of an object, or of its subresource, and returns what the object would be.
	ProbePatch(
		ctx context.Context, resource Resource, namespace, name, subresource string, patch []byte,
	) (*metav1.PartialObjectMetadata, error)
	// ProbeDelete sends a DELETE with background propagation.
	ProbeDelete(ctx context.Context, resource Resource, namespace, name string) error
}

// ProbeError is a dry run that told nothing: the server's error is about the user, or about dry runs.
type ProbeError struct{ Err error }

// Error implements error.
func (e *ProbeError) Error() string { return "dry run: " + e.Err.Error() }

// Unwrap returns the server's error.
func (e *ProbeError) Unwrap() error { return e.Err }

// ProbePatch implements Prober.
func (l *Live) ProbePatch(
	ctx context.Context, resource Resource, namespace, name, subresource string, patch []byte,
) (*metav1.PartialObjectMetadata, error) {
	path := resource.object(namespace, name)
	if subresource != "" {
		path = resource.object(namespace, name, subresource)
	}
	request, err := l.request(http.MethodPatch, path)
	if err != nil {
		return nil, err
	}
	// Metadata alone comes back, and the options are part of the address, where audit logs show them.
	result := request.SetHeader("Content-Type", string(types.JSONPatchType)).SetHeader("Accept", metadataObject).
		Param("dryRun", metav1.DryRunAll).Param("fieldManager", fieldManager).Body(patch).Do(ctx)
	if err := result.Error(); err != nil {
		return nil, l.failedFor(ctx, resource, name, err)
	}
	answer, _ := result.Raw()
	object := &metav1.PartialObjectMetadata{}
	if err := json.Unmarshal(answer, object); err != nil || object.Name != name {
		return nil, &WrongAnswer{Got: "something other than the object"}
	}
	return object, nil
}

// ProbeDelete implements Prober.
func (l *Live) ProbeDelete(ctx context.Context, resource Resource, namespace, name string) error {
	// Without a body, the options are read from the address, where audit logs show them.
	request, err := l.request(http.MethodDelete, resource.object(namespace, name))
	if err != nil {
		return err
	}
	result := request.Param("dryRun", metav1.DryRunAll).
		Param("propagationPolicy", string(metav1.DeletePropagationBackground)).
		SetHeader("Accept", "application/json").Do(ctx)
	if err := result.Error(); err != nil {
		return l.failedFor(ctx, resource, name, err)
	}
	answer, _ := result.Raw()
	return expectDeleted(resource, name, answer)
}

// expectDeleted returns a WrongAnswer where an answer isn't one to a DELETE: the object, or a Status of success.
func expectDeleted(resource Resource, name string, answer []byte) error {
	var is struct {
		Kind     string
		Status   json.RawMessage // an object's own has any form
		Metadata metav1.ObjectMeta
	}
	switch err := json.Unmarshal(answer, &is); {
	case err != nil:
		return &WrongAnswer{Got: "something that is not an object"}
	case is.Kind == "Status" && string(is.Status) == `"`+metav1.StatusSuccess+`"`,
		is.Kind == resource.Kind && is.Metadata.Name == name:
		return nil
	}
	return anObject(is.Kind)
}

// Reviewer asks the server whether an account may do something, by all of its authorizers.
type Reviewer interface {
	// Review reports whether a user with some groups may do a verb to an object, and what the server says of it.
	Review(
		ctx context.Context, user string, groups []string, verb string, resource Resource, namespace, name string,
	) (allowed bool, said string, err error)
}

// Review implements Reviewer. A SubjectAccessReview is never stored (k8s v1.37
// pkg/registry/authorization/subjectaccessreview/rest.go:Create); the dry run shows that to who reads audit logs.
func (l *Live) Review(
	ctx context.Context, user string, groups []string, verb string, resource Resource, namespace, name string,
) (allowed bool, said string, err error) {
	attributes := &authorizationv1.ResourceAttributes{
		Group: resource.Group, Version: resource.Version, Resource: resource.Resource,
		Namespace: namespace, Name: name, Verb: verb,
	}
	review := &authorizationv1.SubjectAccessReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "authorization.k8s.io/v1", Kind: "SubjectAccessReview"},
		Spec:     authorizationv1.SubjectAccessReviewSpec{User: user, Groups: groups, ResourceAttributes: attributes},
	}
	reviews := authorizationv1.SchemeGroupVersion.WithResource("subjectaccessreviews")
	answer, err := sendReview(ctx, l.discovery.RESTClient(), reviews, review)
	if err != nil {
		return false, "", l.failed(ctx, Resource{GroupVersionResource: reviews}, err)
	}
	status, err := reviewed[authorizationv1.SubjectAccessReviewStatus](answer, review.Kind)
	if err != nil {
		return false, "", err
	}
	return status.Allowed, status.Reason, nil
}

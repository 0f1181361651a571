package cluster

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// TokenReviewer asks the API server whose a token is, and whether its owner may get a path. The API server stores
// neither review (k8s v1.37 pkg/registry/authentication/tokenreview/storage.go:Create).
type TokenReviewer struct{ client rest.Interface }

// reviewTime is how long an answer may take.
const reviewTime = 10 * time.Second

// NewTokenReviewer returns the TokenReviewer of the cluster that config leads to. The user of config needs the rights
// of the ClusterRole system:auth-delegator.
func NewTokenReviewer(config *rest.Config) (*TokenReviewer, error) {
	config = rest.CopyConfig(config)
	config.Timeout, config.WarningHandlerWithContext = reviewTime, rest.NoWarnings{}
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	return &TokenReviewer{client: client.RESTClient()}, nil
}

// MayGet returns whose a token is, and whether its owner may get a path that is no resource's: /metrics. The user is
// empty for a token that the API server doesn't accept. An error says that it isn't known.
func (r *TokenReviewer) MayGet(ctx context.Context, token, path string) (user string, allowed bool, err error) {
	type owned = authenticationv1.TokenReviewStatus
	identity := &authenticationv1.TokenReview{
		TypeMeta: metav1.TypeMeta{APIVersion: authenticationv1.SchemeGroupVersion.String(), Kind: "TokenReview"},
		Spec:     authenticationv1.TokenReviewSpec{Token: token},
	}
	tokens := authenticationv1.SchemeGroupVersion.WithResource("tokenreviews")
	answer, err := sendReview(ctx, r.client, tokens, identity)
	if err != nil {
		return "", false, err
	}
	is, err := reviewed[owned](answer, identity.Kind)
	if err != nil || !is.Authenticated {
		return "", false, err
	}
	extra := map[string]authorizationv1.ExtraValue{}
	for key, values := range is.User.Extra {
		extra[key] = authorizationv1.ExtraValue(values)
	}
	access := &authorizationv1.SubjectAccessReview{
		TypeMeta: metav1.TypeMeta{APIVersion: authorizationv1.SchemeGroupVersion.String(), Kind: "SubjectAccessReview"},
		Spec: authorizationv1.SubjectAccessReviewSpec{
			User: is.User.Username, Groups: is.User.Groups, UID: is.User.UID, Extra: extra,
			NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: path, Verb: "get"},
		},
	}
	accesses := authorizationv1.SchemeGroupVersion.WithResource("subjectaccessreviews")
	if answer, err = sendReview(ctx, r.client, accesses, access); err != nil {
		return "", false, err
	}
	may, err := reviewed[authorizationv1.SubjectAccessReviewStatus](answer, access.Kind)
	if err != nil {
		return "", false, err
	}
	return is.User.Username, may.Allowed && !may.Denied, nil
}

// sendReview asks the server for a review, as a dry run: that shows to who reads audit logs that nothing is stored.
func sendReview(
	ctx context.Context, client rest.Interface, resource schema.GroupVersionResource, review any,
) ([]byte, error) {
	body, err := json.Marshal(review)
	if err != nil {
		return nil, err
	}
	request, err := request(client, http.MethodPost, Resource{GroupVersionResource: resource}.list(""))
	if err != nil {
		return nil, err
	}
	return request.Param("dryRun", metav1.DryRunAll).SetHeader("Content-Type", "application/json").
		SetHeader("Accept", "application/json").Body(body).Do(ctx).Raw()
}

// reviewed returns the status of a review of a kind; anything else is a WrongAnswer.
func reviewed[S any](answer []byte, kind string) (*S, error) {
	var is struct {
		Kind   string
		Status *S
	}
	if err := json.Unmarshal(answer, &is); err != nil {
		return nil, err
	}
	if is.Kind != kind || is.Status == nil {
		return nil, anObject(is.Kind)
	}
	return is.Status, nil
}

package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Identity says to which server requests go, and as whom.
type Identity struct {
	Server string // its URL
	User   string // with the groups, as the server knows them, where it says so
}

// Identity asks the server as whom it sees the program. A server that doesn't answer that leaves the names that the
// kubeconfig and the flags have. A SelfSubjectReview is never stored (k8s v1.37
// pkg/registry/authentication/selfsubjectreview/rest.go:Create); the dry run shows that to who reads audit logs.
func (l *Live) Identity(ctx context.Context) Identity {
	config := l.config
	known := Identity{
		Server: strings.TrimSuffix(config.Host, "/") + strings.TrimSuffix(config.APIPath, "/"),
		User:   cmp.Or(config.Impersonate.UserName, config.Username),
	}
	review := &authenticationv1.SelfSubjectReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "authentication.k8s.io/v1", Kind: "SelfSubjectReview"},
	}
	reviews := authenticationv1.SchemeGroupVersion.WithResource("selfsubjectreviews")
	answer, err := sendReview(ctx, l.discovery.RESTClient(), reviews, review)
	if err != nil || json.Unmarshal(answer, review) != nil || review.Status.UserInfo.Username == "" {
		return known
	}
	groups := slices.Sorted(slices.Values(review.Status.UserInfo.Groups))
	known.User = review.Status.UserInfo.Username
	if len(groups) > 0 {
		known.User += " (" + strings.Join(groups, ", ") + ")"
	}
	return known
}

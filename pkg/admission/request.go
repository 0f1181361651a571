// Package admission says which webhooks the API server would call and which policies would refuse a request that was
// not sent yet. It follows k8s v1.37 apiserver/pkg/admission/plugin/{webhook,policy} and reads no cluster: what isn't
// known about a request makes the answer Maybe, never No.
//
// This package may change at any time.
package admission

import (
	"slices"
	"strings"

	"k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Match is an answer that may rest on something that isn't known.
type Match int

// No and Yes are certain. Maybe: something that was not read, or can't be, decides.
const (
	No Match = iota
	Maybe
	Yes
)

// and is the answer when both must hold.
func (m Match) and(other Match) Match { return min(m, other) }

func (m Match) not() Match { return Yes - m }

// Request is one write as admission sees it.
type Request struct {
	Operation         v1.OperationType
	Resource          schema.GroupVersionResource
	Kind              schema.GroupVersionKind
	Subresource       string
	Equivalents       []schema.GroupVersionResource // the other versions in which the resource is served
	VersionUnknown    bool                          // Resource is a guess among Resource and Equivalents
	Namespace, Name   string
	Within            *Within  // the object's Namespace; nil where there is none, or where it isn't known
	Object, OldObject *Content // Object is nil for a DELETE
	User              string   // the name of who sends the request, or empty if that isn't known
}

// Within is what is known of the Namespace of a request's object.
type Within struct {
	Absent  bool     // the namespace doesn't exist: every selector on namespaces then fails the request
	Content *Content // nil if the namespace could not be read
}

// Content is an object as far as it was read.
type Content struct {
	Fields map[string]any
	Whole  bool // nothing was left out; otherwise only metadata, apiVersion and kind are known
}

func (c *Content) labels() map[string]string {
	return (&unstructured.Unstructured{Object: c.Fields}).GetLabels()
}

// isNamespace reports whether the request is about a Namespace, which counts as its own namespace.
func (r *Request) isNamespace() bool {
	return r.Resource.Group == "" && r.Resource.Resource == "namespaces"
}

// groups returns what a user belongs to as far as that follows from the name (k8s v1.37
// apiserver/pkg/authentication/serviceaccount).
func (r *Request) groups() ([]any, bool) {
	account, found := strings.CutPrefix(r.User, "system:serviceaccount:")
	if !found {
		return nil, false
	}
	namespace, _, _ := strings.Cut(account, ":")
	return []any{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"}, true
}

// noWebhook reports whether no registered webhook sees the request (k8s v1.37
// apiserver/pkg/admission/plugin/webhook/predicates/rules:IsExemptAdmissionConfigurationResource).
func (r *Request) noWebhook() bool {
	exempt := []string{"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy",
		"ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"}
	return r.Kind.Group == "admissionregistration.k8s.io" && slices.Contains(exempt, r.Kind.Kind)
}

// noPolicy reports whether no registered policy sees the request. Policies do see changes of webhook configurations
// (k8s v1.37 apiserver/pkg/admission/plugin/policy/generic/plugin.go:admissionResources).
func (r *Request) noPolicy() bool {
	return r.noWebhook() && !strings.HasSuffix(r.Kind.Kind, "WebhookConfiguration")
}

// Anybody returns the request as it is whoever sends it.
func (r *Request) Anybody() *Request {
	same := *r
	same.User = ""
	return &same
}

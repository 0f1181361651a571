package rbac

import (
	"regexp"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Denial is what the API server says when it denies a request.
type Denial struct {
	Subject   Subject
	Verb      string
	Resource  schema.GroupResource // with its subresource: databases/status
	Namespace string               // empty: at the cluster scope
	Name      string               // of the object, if one was asked for
}

// Denied finds the API server's own denial in words, wherever someone quotes it, also escaped (k8s v1.37
// apiserver/pkg/endpoints/handlers/responsewriters/errors.go:ForbiddenStatusError, forbiddenMessage).
func Denied(words string) (Denial, bool) {
	form := regexp.MustCompile(`(?:"([^"\s]*)" )?is forbidden: User "([^"]+)" cannot ([a-z]+) resource "([^"]+)"` +
		` in API group "([^"]*)"(?: at the cluster scope| in the namespace "([^"]+)")?`)
	match := form.FindStringSubmatch(strings.ReplaceAll(words, `\`, ""))
	if match == nil {
		return Denial{}, false
	}
	return Denial{
		Subject: subjectOf(rbacv1.Subject{Kind: rbacv1.UserKind, Name: match[2]}), Verb: match[3],
		Resource: schema.GroupResource{Group: match[5], Resource: match[4]}, Namespace: match[6], Name: match[1],
	}, true
}

// User is the name by which the API server knows who was denied.
func (d Denial) User() string { return d.Subject.UserName() }

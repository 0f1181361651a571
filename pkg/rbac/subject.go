package rbac

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apiserver/pkg/authentication/serviceaccount"
	"k8s.io/apiserver/pkg/authentication/user"
)

// Subject is an account that RBAC grants something to.
type Subject struct {
	Kind      string // ServiceAccount, User or Group
	Namespace string // of a ServiceAccount
	Name      string
}

// String names the subject as people do.
func (s Subject) String() string {
	if s.Namespace != "" {
		return s.Kind + " " + s.Namespace + "/" + s.Name
	}
	return s.Kind + " " + s.Name
}

// UserName is the name by which the API server knows the subject.
func (s Subject) UserName() string {
	if s.Account() {
		return serviceaccount.MakeUsername(s.Namespace, s.Name)
	}
	return s.Name
}

// subjectOf reads a subject: a ServiceAccount can also be bound by its user name.
func subjectOf(subject rbacv1.Subject) Subject {
	namespace, name, err := serviceaccount.SplitUsername(subject.Name)
	switch {
	case err == nil && subject.Kind == rbacv1.UserKind:
		return Subject{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: name}
	case subject.Kind == rbacv1.ServiceAccountKind:
		return Subject{Kind: subject.Kind, Namespace: subject.Namespace, Name: subject.Name}
	}
	return Subject{Kind: subject.Kind, Name: subject.Name}
}

// Account reports whether the subject is a ServiceAccount.
func (s Subject) Account() bool { return s.Kind == rbacv1.ServiceAccountKind }

// Programs reports whether the subject is a group of ServiceAccounts.
func (s Subject) Programs() bool { return s.Includes(s.GroupNamespace()) }

// Includes reports whether the subject is a group that every ServiceAccount of a namespace is in.
func (s Subject) Includes(namespace string) bool {
	groups := append(serviceaccount.MakeGroupNames(namespace), user.AllAuthenticated)
	return s.Kind == rbacv1.GroupKind && slices.Contains(groups, s.Name)
}

// GroupNamespace is the namespace all of whose ServiceAccounts the subject stands for, or nothing.
func (s Subject) GroupNamespace() string {
	namespace, is := strings.CutPrefix(s.Name, serviceaccount.ServiceAccountGroupPrefix)
	if !is || s.Kind != rbacv1.GroupKind {
		return ""
	}
	return namespace
}

package session

import (
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
)

// NotListed are the kinds of some parts of the cluster that could not be listed.
type NotListed struct {
	Kinds     []cluster.Unlisted
	Names     []string
	Key       string   // all names
	Forbidden bool     // to list one of them
	Broken    []string // the names of the ones that the server itself can't list
}

func notListed(indexes [2]*ownerIndex) *NotListed {
	all := &NotListed{}
	for _, index := range indexes {
		if index != nil {
			all.Kinds = append(all.Kinds, index.unread...)
		}
	}
	all.Names = NamesOf(all.Kinds)
	all.Key = strings.Join(all.Names, ",")
	for i, kind := range all.Kinds {
		switch err := kind.Err; {
		case apierrors.IsForbidden(err):
			all.Forbidden = true
		case apierrors.IsInternalError(err), apierrors.IsServiceUnavailable(err), apierrors.IsTooManyRequests(err):
			all.Broken = append(all.Broken, all.Names[i])
		}
	}
	return all
}

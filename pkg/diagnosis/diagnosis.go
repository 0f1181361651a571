// Package diagnosis grows the blocking graph from a target through the mechanisms until only root
// causes are left, and judges it.
package diagnosis

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Target is the object that is asked about.
type Target struct {
	Resource        cluster.Resource
	Namespace, Name string
}

// GoneError says that the target vanished while it was being diagnosed: its deletion is over.
type GoneError struct {
	Ref finding.Ref
	// Recreated says that an object of the same name has taken its place.
	Recreated bool
}

// Error implements error.
func (e *GoneError) Error() string {
	if e.Recreated {
		return fmt.Sprintf("%s was deleted while this command looked at it, and another object of the same name was created; ask again about that one", e.Ref)
	}
	return fmt.Sprintf("%s is gone: its deletion finished while this command looked at it", e.Ref)
}

// Why diagnoses one target. It only reads. When ctx ends half way, the result holds what is known by
// then. A target that can't be read because of what is in storage is answered with that; other errors
// of reading the target are returned, and GoneError.
func Why(ctx context.Context, tools *mechanism.Tools, asked Target) (*report.Diagnosis, error) {
	object, err := tools.Session.Read(ctx, asked.Resource, asked.Namespace, asked.Name)
	r := newRun(tools)
	if err != nil {
		unread, answer, explained := tools.Unreadable(ctx, asked.Resource, asked.Namespace, asked.Name, err)
		if !explained {
			return nil, err
		}
		r.apply(r.add(unread), nil, answer)
		result, _ := r.judge(ctx, unread)
		return result, nil
	}
	if object.Terminating() {
		r.explainDeletion(ctx, object)
	} else {
		r.explainLife(ctx, object)
		r.apply(target, nil, tools.Aside(ctx, object))
	}
	result, _ := r.judge(ctx, object)
	if result.Verdict == report.Progressing || result.Verdict == report.Undetermined {
		if err := stillThere(ctx, tools, object); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// stillThere looks again, past everything remembered: an answer about an object that has gone in
// the meantime would be wrong. A look that fails changes nothing.
func stillThere(ctx context.Context, tools *mechanism.Tools, object *session.Object) error {
	meta, err := tools.Session.Reader.Fresh().Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	switch {
	case apierrors.IsNotFound(err):
		return &GoneError{Ref: object.Ref}
	case err == nil && string(meta.UID) != object.Ref.UID:
		return &GoneError{Ref: object.Ref, Recreated: true}
	}
	return nil
}

// Same tells whether two targets are one object.
func (t Target) Same(other Target) bool {
	return t.Resource.GroupResource() == other.Resource.GroupResource() && t.Namespace == other.Namespace && t.Name == other.Name
}

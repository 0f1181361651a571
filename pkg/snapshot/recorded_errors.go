package snapshot

import (
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
)

// NotRecordedError says that a recording doesn't tell: nothing follows from it.
type NotRecordedError struct {
	What string // was asked for
	Why  error  // it isn't there, or nil
}

// Error implements error.
func (e *NotRecordedError) Error() string {
	text := "the recording doesn't contain " + e.What
	if e.Why != nil {
		text += ": " + e.Why.Error()
	}
	return text
}

// Unwrap returns why, so that something forbidden stays forbidden.
func (e *NotRecordedError) Unwrap() error { return e.Why }

// NotRecorded implements cluster.NotRecorded.
func (e *NotRecordedError) NotRecorded() bool { return true }

// NeverAsked implements cluster.NeverAsked: it was not asked for, or not in this form.
func (e *NotRecordedError) NeverAsked() bool {
	_, otherForm := e.Why.(otherFormError)
	return e.Why == nil || otherForm
}

// otherFormError says in which other form something was recorded than the one that is asked for.
type otherFormError string

// Error implements error.
func (e otherFormError) Error() string { return string(e) }

// Error implements error, for what is no status of the API server.
func (e *Error) Error() string { return e.Message }

// Timeout says what timed out from what failed otherwise, as errors of package net do.
func (e *Error) Timeout() bool { return e.TimedOut }

// record turns an error into what a recording keeps of it: no credentials.
func record(err error) *Error {
	if err == nil {
		return nil
	}
	kept := &Error{}
	var status apierrors.APIStatus
	var timeout interface{ Timeout() bool }
	if errors.As(err, &status) {
		said := status.Status()
		kept.Status = said.DeepCopy()
	} else {
		kept.Message, kept.TimedOut = err.Error(), errors.As(err, &timeout) && timeout.Timeout()
	}
	return kept.change(credential.Clean)
}

// change changes each text of an error. It returns the error.
func (e *Error) change(text func(string) string) *Error {
	if e == nil {
		return nil
	}
	e.Message = text(e.Message)
	if e.Status == nil {
		return e
	}
	e.Status.Message = text(e.Status.Message)
	if details := e.Status.Details; details != nil {
		for i := range details.Causes {
			details.Causes[i].Message = text(details.Causes[i].Message)
		}
	}
	return e
}

func (e *Error) err() error {
	switch {
	case e == nil:
		return nil
	case e.Status != nil:
		return &apierrors.StatusError{ErrStatus: *e.Status}
	}
	return e
}

// missing says what of a resource isn't there.
func missing(resource cluster.Resource, namespace, name string, why error) error {
	what := resource.QualifiedName()
	switch {
	case resource.Resource == "*":
		what = "all kinds of objects"
	case name != "":
		what += " " + strings.TrimPrefix(namespace+"/"+name, "/")
	case namespace != "":
		what = "all " + what + " in namespace " + namespace
	default:
		what = "all " + what
	}
	return &NotRecordedError{What: what, Why: why}
}

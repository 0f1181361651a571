package mechanism

import (
	"context"
	"regexp"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// invalidNamespace is the reason of the events in which the garbage collector refuses a reference.
const invalidNamespace = "OwnerRefInvalidNamespace"

// Complaint is an event in which the garbage collector refuses an owner reference.
type Complaint struct {
	Dependent *Object // by name only
	OwnerUID  string
	Message   string
}

// Complaints returns the events about references into another namespace. Those that can't be read are
// among the failures of the Reader.
func (t *Tools) Complaints(ctx context.Context) []Complaint {
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return nil
	}
	events, err := t.Session.Reader.List(ctx, cluster.Events(), "", cluster.Selector{Fields: "reason=" + invalidNamespace})
	if err != nil && !apierrors.IsNotFound(err) {
		return nil
	}
	uid := regexp.MustCompile(`uid: ([^\]]+)\]`)
	var complaints []Complaint
	for i := range events {
		event, err := session.As[corev1.Event](&events[i])
		if err != nil {
			continue
		}
		about := event.InvolvedObject
		resource, known := catalog.OfKind(about.GroupVersionKind().GroupKind())
		if !known {
			continue
		}
		complaint := Complaint{Dependent: session.Named(resource, about.Namespace, about.Name), Message: event.Message}
		complaint.Dependent.Ref.UID = string(about.UID)
		if named := uid.FindStringSubmatch(event.Message); named != nil {
			complaint.OwnerUID = named[1]
		}
		complaints = append(complaints, complaint)
	}
	return complaints
}

// invalidNamespaceEvents are the warnings of the garbage collector about a dependent's references
// (deletion-mechanics A, "Event text"). They are written only when it meets the reference, and kept
// for an hour: that there is none means nothing, and so does a refusal to list them.
func (t *Tools) invalidNamespaceEvents(ctx context.Context, dependent *Object) []finding.Evidence {
	namespace := dependent.Ref.Namespace
	if namespace == "" {
		namespace = metav1.NamespaceDefault // where events about objects without a namespace are kept
	}
	selector := cluster.Selector{Fields: "involvedObject.uid=" + dependent.Ref.UID + ",reason=" + invalidNamespace}
	listed, err := t.Session.Reader.List(ctx, cluster.Events(), namespace, selector)
	if err != nil {
		return nil
	}
	var newest []finding.Evidence
	for i := range listed {
		event, err := session.As[corev1.Event](&listed[i])
		if err != nil {
			continue
		}
		one := finding.Observed("event "+event.Reason, "%s", event.Message).Of(dependent.Ref)
		if at := event.LastTimestamp.Time; !at.IsZero() {
			one.At = &at
		}
		if len(newest) == 0 || one.At != nil && newest[0].At != nil && one.At.After(*newest[0].At) {
			newest = []finding.Evidence{one}
		}
	}
	return newest
}

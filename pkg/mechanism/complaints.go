package mechanism

import (
	"cmp"
	"context"
	"regexp"

	corev1 "k8s.io/api/core/v1"
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
func (t *Tools) Complaints(ctx context.Context) (complaints []Complaint) {
	catalog, err := t.Session.Reader.Catalog(ctx)
	if err != nil {
		return nil
	}
	selector := cluster.Selector{Fields: "reason=" + invalidNamespace}
	events, _ := session.ListWhole[corev1.Event](ctx, t.Session, cluster.Events(), "", selector)
	uid := regexp.MustCompile(`uid: ([^\]]+)\]`)
	for _, event := range events {
		about, message := event.Typed.InvolvedObject, event.Typed.Message
		resource, known := catalog.OfKind(about.GroupVersionKind().GroupKind())
		if !known {
			continue
		}
		complaint := Complaint{Dependent: session.Named(resource, about.Namespace, about.Name), Message: message}
		complaint.Dependent.Ref.UID = string(about.UID)
		if named := uid.FindStringSubmatch(message); named != nil {
			complaint.OwnerUID = named[1]
		}
		complaints = append(complaints, complaint)
	}
	return complaints
}

// invalidNamespaceEvents are the warnings of the garbage collector about a dependent's references
// (deletion-mechanics A, "Event text"). They are written only when it meets the reference, and kept
// for an hour: that there is none means nothing, and so does a refusal to list them.
func (t *Tools) invalidNamespaceEvents(ctx context.Context, dependent *Object) (newest []finding.Evidence) {
	// Those about cluster-scoped objects are in the namespace default.
	namespace := cmp.Or(dependent.Ref.Namespace, metav1.NamespaceDefault)
	selector := cluster.Selector{Fields: "involvedObject.uid=" + dependent.Ref.UID + ",reason=" + invalidNamespace}
	events, _ := session.ListWhole[corev1.Event](ctx, t.Session, cluster.Events(), namespace, selector)
	for _, event := range events {
		one := finding.Observed("event "+event.Typed.Reason, "%s", event.Typed.Message).Of(dependent.Ref)
		if at := event.Typed.LastTimestamp.Time; !at.IsZero() {
			one = one.When(at)
		}
		if len(newest) == 0 || one.At != nil && newest[0].At != nil && one.At.After(*newest[0].At) {
			newest = []finding.Evidence{one}
		}
	}
	return newest
}

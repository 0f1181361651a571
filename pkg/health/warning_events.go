package health

import (
	"cmp"
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Complaint is what was reported about an object: the cluster's own words.
type Complaint struct {
	By, Words string
	Source    string // where it was read
	At        time.Time
}

// Evidence is the complaint as an observation about an object.
func (c Complaint) Evidence(ref finding.Ref) finding.Evidence {
	evidence := finding.Observed(c.Source, "%s", finding.Quoted(c.Words)).Of(ref).Quoting(c.Words)
	if !c.At.IsZero() {
		at := c.At
		evidence.At = &at
	}
	return evidence
}

// ComplaintOf is what an event says.
func ComplaintOf(event *corev1.Event) Complaint {
	by := Reporter(event)
	source := "event " + event.Reason + " from " + cmp.Or(by, "an unnamed source")
	return Complaint{By: by, Words: event.Message, Source: source, At: EventTime(event)}
}

// Warning returns the newest Warning event about an object whose reason is one of some. A missing event proves nothing:
// they are kept for an hour, and none is written in a namespace that is being deleted
// (docs/deletion.md#what-a-terminating-namespace-refuses).
func (c *Checker) Warning(ctx context.Context, object *session.Object, reasons ...string) (*Complaint, error) {
	events, err := c.Warnings(ctx, object)
	if err != nil {
		return nil, err
	}
	for _, event := range events {
		if slices.Contains(reasons, event.Reason) {
			newest := ComplaintOf(event)
			return &newest, nil
		}
	}
	return nil, nil
}

// Warnings returns the Warning events about an object, the newest first. Those about cluster-scoped objects are in
// namespace default.
func (c *Checker) Warnings(ctx context.Context, object *session.Object) ([]*corev1.Event, error) {
	return c.eventsOf(ctx, object, ",type="+corev1.EventTypeWarning)
}

func (c *Checker) eventsOf(ctx context.Context, object *session.Object, more string) ([]*corev1.Event, error) {
	namespace := cmp.Or(object.Ref.Namespace, metav1.NamespaceDefault)
	about := cluster.EventsAbout(object.Ref.Kind, object.Ref.Name, object.Ref.UID)
	selector := cluster.Selector{Fields: about + more}
	items, err := session.ListServed[corev1.Event](ctx, c.Session, "", "events", namespace, selector)
	events := make([]*corev1.Event, len(items))
	for i, item := range items {
		events[i] = item.Typed
	}
	slices.SortStableFunc(events, newestFirst)
	if known := c.Told(object); err == nil && len(events) >= len(known) {
		c.told.Put(about, events)
	}
	return events, err
}

// newestFirst orders events by when they last happened. Most are told in whole seconds: within one, the later write is
// the newer event. Resource versions of one kind can be compared (k8s v1.35 apimachinery/pkg/util/resourceversion).
func newestFirst(a, b *corev1.Event) int {
	if order := EventTime(b).Compare(EventTime(a)); order != 0 {
		return order
	}
	order, err := resourceversion.CompareResourceVersion(b.ResourceVersion, a.ResourceVersion)
	if err != nil { // a recording may leave them out
		return 0
	}
	return order
}

// Told returns the events about an object that have been read so far. It reads nothing.
func (c *Checker) Told(object *session.Object) []*corev1.Event {
	events, _ := c.told.Lookup(cluster.EventsAbout(object.Ref.Kind, object.Ref.Name, object.Ref.UID))
	return events
}

// Reporter returns who reported an event.
func Reporter(event *corev1.Event) string {
	return cmp.Or(event.ReportingController, event.Source.Component)
}

// EventTime returns when an event last happened. Which field tells depends on who wrote it.
func EventTime(event *corev1.Event) time.Time {
	switch {
	case event.Series != nil && !event.Series.LastObservedTime.IsZero():
		return event.Series.LastObservedTime.Time
	case !event.LastTimestamp.IsZero():
		return event.LastTimestamp.Time
	}
	return event.EventTime.Time
}

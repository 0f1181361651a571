package mechanism

import (
	"context"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// complaint is what somebody reported about an object: the cluster's own words.
type complaint struct {
	by, words string
	source    string // where it was read
	at        time.Time
}

// evidence is the complaint as an observation about an object.
func (c complaint) evidence(ref graph.Ref) graph.Evidence {
	one := graph.Evidence{Source: c.source, Observed: quoted(c.words), Object: &ref}
	if !c.at.IsZero() {
		at := c.at
		one.At = &at
	}
	return one
}

// quoted marks words of the cluster as such.
func quoted(words string) string { return `"` + strings.TrimSpace(words) + `"` }

// warning returns the newest Warning event about an object whose reason is one of some. No event
// proves nothing: they are kept for an hour, and none is written in a namespace on its way out
// (deletion-mechanics D-3).
func (w *World) warning(ctx context.Context, object *Object, reasons ...string) (*complaint, error) {
	events, err := w.warnings(ctx, object)
	if err != nil {
		return nil, err
	}
	var newest *complaint
	for _, event := range events {
		if at := eventTime(event); hasReason(event, reasons) && (newest == nil || at.After(newest.at)) {
			newest = &complaint{by: reporter(event), words: event.Message, source: "event " + event.Reason + " from " + reporter(event), at: at}
		}
	}
	return newest, nil
}

// warnings returns the Warning events about an object. Those about cluster-scoped objects are in
// namespace default.
func (w *World) warnings(ctx context.Context, object *Object) ([]*corev1.Event, error) {
	namespace := object.Ref.Namespace
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	selector := cluster.Selector{Fields: "involvedObject.uid=" + object.Ref.UID + ",type=" + corev1.EventTypeWarning}
	items, err := listServed[corev1.Event](ctx, w, "", "events", namespace, selector)
	events := make([]*corev1.Event, len(items))
	for i, item := range items {
		events[i] = item.typed
	}
	return events, err
}

func hasReason(event *corev1.Event, reasons []string) bool {
	for _, reason := range reasons {
		if event.Reason == reason {
			return true
		}
	}
	return false
}

func reporter(event *corev1.Event) string {
	if event.ReportingController != "" {
		return event.ReportingController
	}
	return event.Source.Component
}

// eventTime returns when an event last happened. Which field tells depends on who wrote it.
func eventTime(event *corev1.Event) time.Time {
	switch {
	case event.Series != nil && !event.Series.LastObservedTime.IsZero():
		return event.Series.LastObservedTime.Time
	case !event.LastTimestamp.IsZero():
		return event.LastTimestamp.Time
	}
	return event.EventTime.Time
}

package files

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/paste"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// eventsAdder adds the events that a text has about objects. at is when the text was made; exact says that it shows
// that.
type eventsAdder struct {
	assembly *assembly
	builder  *snapshot.Builder
	at       time.Time
	exact    bool
	only     string // the namespace, if the text speaks of one alone
	kinds    map[string]*cluster.Resource
	count    int
}

// addEvents adds the events that a text has about objects, with the uids of the objects that are in it.
func addEvents(a *assembly, builder *snapshot.Builder, at time.Time, exact bool) error {
	if len(a.pasted.events) == 0 {
		return nil
	}
	adder := &eventsAdder{assembly: a, builder: builder, at: at, exact: exact, kinds: map[string]*cluster.Resource{}}
	if named := a.namespaces(); len(named) == 1 {
		adder.only = named[0]
	}
	for _, about := range a.pasted.events {
		if resource := adder.kind(about.Kind); resource != nil {
			if err := adder.add(*resource, about); err != nil {
				return err
			}
		}
	}
	return nil
}

// kind is the resource that a text names, or nil.
func (e *eventsAdder) kind(name string) *cluster.Resource {
	known, asked := e.kinds[name]
	if !asked {
		if resource, is := e.assembly.typed(strings.ToLower(name)); is {
			known = &resource
		}
		e.kinds[name] = known
	}
	return known
}

// add adds events about an object. All of these count as given: that one is missing proves nothing anyway.
func (e *eventsAdder) add(resource cluster.Resource, about paste.Events) error {
	namespace := ""
	if resource.Namespaced {
		namespace = cmp.Or(about.Namespace, e.only)
	}
	kind := resource.GroupVersion().WithKind(resource.Kind)
	object := e.assembly.objects[kind][objectKey{namespace, about.Name}]
	uid, in := uidIn(object), cmp.Or(namespace, metav1.NamespaceDefault)
	selector := cluster.EventsAbout(kind.Kind, about.Name, uid)
	if err := e.builder.ListedBy(cluster.Events(), in, selector); err != nil {
		return err
	}
	for _, event := range about.Events {
		e.count++
		name := fmt.Sprintf("%s.%d", about.Name, e.count)
		fields := map[string]any{
			"apiVersion": "v1", "kind": "Event", "metadata": map[string]any{"namespace": in, "name": name},
			"involvedObject": map[string]any{
				"apiVersion": kind.GroupVersion().String(), "kind": kind.Kind, "namespace": namespace, "name": about.Name,
				"uid": uid,
			},
			"type": event.Type, "reason": event.Reason, "message": event.Message,
			"source": map[string]any{"component": event.Reporter},
		}
		// An age can be compared with another one, and with times if it is known when the text was made.
		if event.Aged && (e.exact || object.deleted) {
			fields["lastTimestamp"] = e.at.Add(-event.Ago).UTC().Format(time.RFC3339)
		}
		body, err := json.Marshal(fields)
		if err != nil {
			return err
		}
		if err := e.builder.Whole(cluster.Events(), in, name, snapshot.Alone(body)); err != nil {
			return err
		}
	}
	return nil
}

// uidIn is the uid of an object, if the text has it.
func uidIn(object held) string {
	var fields struct{ Metadata struct{ UID string } }
	if json.Unmarshal(object.body.Bytes(), &fields) != nil {
		return ""
	}
	return fields.Metadata.UID
}

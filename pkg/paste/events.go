package paste

import (
	"cmp"
	"regexp"
	"strings"
	"time"
)

// Event is what a text says of one event about an object.
type Event struct {
	Type, Reason, Message string
	Reporter              string // empty where the text doesn't show it
	// Ago is how long before the text was made it last happened; Aged is false where that isn't known.
	Ago  time.Duration
	Aged bool
}

// Events are events about an object: all that a text has of it. Kind is as the text has it, perhaps in small letters or
// with its group; a cluster-scoped object has no Namespace.
type Events struct {
	Kind, Namespace, Name string
	Events                []Event
}

// aged is an age as kubectl prints it of events: 91s, or 91s (x33 over 3d2h).
var aged = regexp.MustCompile(`^((?:\d+[ydhms])+)(?: \(x\d+ over .*\))?$`)

// eventOf reads an event from the cells of a table: of kubectl get, or within a description.
func eventOf(cells map[string]string, age, reporter string) Event {
	event := Event{Type: cells["TYPE"], Reason: cells["REASON"], Message: cells["MESSAGE"]}
	event.Reporter, _, _ = strings.Cut(value(reporter), ",") // and the host behind it
	if match := aged.FindStringSubmatch(age); match != nil {
		event.Ago, event.Aged = length(match[1]), true
	}
	return event
}

// eventRow reads a row of kubectl get events.
func eventRow(r *reader, cells map[string]string, _ int) error {
	kind, name, is := strings.Cut(cells["OBJECT"], "/")
	if is && name != "" {
		r.sink.Events(Events{
			Kind: kind, Namespace: r.namespaceOf(cells), Name: name,
			Events: []Event{eventOf(cells, cells["LAST SEEN"], cells["SOURCE"])},
		})
	}
	return nil
}

// describedEvents takes in the events below a description of an object: <none>, or a table. kind is that of the object.
func (r *reader) describedEvents(kind string, fields map[string]any) {
	shown, is := fields["events"]
	if !is || r.elided {
		return
	}
	found := Events{
		Kind: kind, Namespace: cmp.Or(text(fields, "namespace"), r.asked.Namespace), Name: text(fields, "name"),
	}
	var columns []column
	rows, _ := shown.([]string)
	for _, row := range rows {
		trimmed := strings.TrimSpace(row)
		switch {
		case strings.HasPrefix(trimmed, "Type "):
			columns = columnsOf(strings.ToUpper(row))
		case columns == nil, trimmed == "", strings.HasPrefix(trimmed, "----"):
		default:
			if cells := cellsOf(row, columns); cells["REASON"] != "" {
				found.Events = append(found.Events, eventOf(cells, cells["AGE"], cells["FROM"]))
			}
		}
	}
	r.sink.Events(found)
}

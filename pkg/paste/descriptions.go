package paste

import (
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	describes  = regexp.MustCompile(`^Name:\s+\S+$`)
	labelled   = regexp.MustCompile(`^([A-Z][A-Za-z0-9 _./-]*):(?:\s+(.*))?$`)
	terminates = regexp.MustCompile(`^Terminating(?: \(lasts (\S+)\))?`)
)

func beginsDescription(text string) bool {
	return strings.HasPrefix(text, "Name:") && describes.MatchString(text)
}

// description reads the text of kubectl describe: labels with values, and below them others, further to the right.
func (r *reader) description(first line) error {
	margin, text := indentation(first.text), []string{strings.TrimSpace(first.text)}
	for {
		next, err := r.lines.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		inside := strings.TrimSpace(next.text)
		ends := err != nil || next.quotes != first.quotes || isFence(inside) || describes.MatchString(inside) ||
			inside != "" && indentation(next.text) <= margin && !labelled.MatchString(inside)
		if !ends {
			text = append(text, dedent(next.text, margin))
			continue
		}
		if err == nil {
			r.lines.back(next)
		}
		return r.described(text, first.number)
	}
}

func (r *reader) described(text []string, at int) error {
	fields, _ := nested(text).(map[string]any)
	for _, kind := range describedKinds() {
		missing := false
		for label := range strings.SplitSeq(kind.labels, ",") {
			_, there := fields[label]
			missing = missing || !there
		}
		if !missing {
			return kind.read(r, fields, at)
		}
	}
	r.problem(at, "a description of an object that does not show of which type that is; use -o yaml")
	return nil
}

// describedKind is a kind that kubectl describe shows in a form of its own, known by its labels.
type describedKind struct {
	labels string
	read   func(r *reader, fields map[string]any, at int) error
}

func describedKinds() []describedKind {
	return []describedKind{
		{"apiVersion,kind,metadata", (*reader).describedFields},
		{"containers,node", (*reader).describedPod},
		{"accessModes,volume", (*reader).describedClaim},
		{"reclaimPolicy,claim", (*reader).describedVolume},
		{"roles,unschedulable", (*reader).describedNode},
		{"status,labels", (*reader).describedNamespace},
	}
}

// describedFields reads what kubectl describe shows of a custom resource: all of its fields.
func (r *reader) describedFields(fields map[string]any, at int) error {
	metadata, is := fields["metadata"].(map[string]any)
	if !is {
		metadata = map[string]any{}
		fields["metadata"] = metadata
	}
	metadata["name"] = fields["name"]
	if namespace, _ := fields["namespace"].(string); namespace != "" {
		metadata["namespace"] = namespace
	}
	delete(metadata, "managedFields") // whose keys aren't shown as they are
	for _, number := range []string{"generation", "deletionGracePeriodSeconds"} {
		if text, is := metadata[number].(string); is {
			value, err := strconv.ParseInt(text, 10, 64)
			if metadata[number] = value; err != nil {
				delete(metadata, number)
			}
		}
	}
	for _, own := range []string{"name", "namespace", "labels", "annotations", "events"} {
		delete(fields, own)
	}
	return r.take(fields, at, true)
}

func text(fields map[string]any, label string) string {
	value, _ := fields[label].(string)
	return value
}

// deletion reads "Terminating (lasts 3d)".
func deletion(status string) (deleted bool, ago time.Duration) {
	match := terminates.FindStringSubmatch(status)
	if match == nil {
		return false, 0
	}
	return true, length(match[1])
}

// length reads a length of time as kubectl prints it: 3d4h, 5y165d, 12s.
func length(text string) (total time.Duration) {
	units := map[byte]time.Duration{
		'y': 365 * 24 * time.Hour, 'd': 24 * time.Hour, 'h': time.Hour, 'm': time.Minute, 's': time.Second,
	}
	digits := 0
	for at := range len(text) {
		if unit, is := units[text[at]]; is {
			number, err := strconv.Atoi(text[digits:at])
			if err != nil || number > 1_000_000_000/int(unit/time.Second) {
				return 0
			}
			total, digits = total+time.Duration(number)*unit, at+1
		}
	}
	return total
}

func (r *reader) describedPod(fields map[string]any, at int) error {
	object := newObject("v1", "Pod", text(fields, "namespace"), text(fields, "name"))
	node, _, _ := strings.Cut(text(fields, "node"), "/")
	spec := map[string]any{}
	if node = value(node); node != "" {
		spec["nodeName"] = node
	}
	object["spec"] = spec
	deleted, ago := deletion(text(fields, "status"))
	if deleted {
		grace, err := time.ParseDuration(text(fields, "terminationGracePeriod"))
		if err != nil {
			grace = time.Duration(usualGrace) * time.Second
		}
		object["metadata"].(map[string]any)["deletionGracePeriodSeconds"] = int64(grace / time.Second)
	}
	return r.sink.Object(Object{Fields: object, Line: at, Partial: Columns, Deleted: deleted, DeletedAgo: ago})
}

func (r *reader) describedClaim(fields map[string]any, at int) error {
	object := newObject("v1", "PersistentVolumeClaim", text(fields, "namespace"), text(fields, "name"))
	object["spec"] = map[string]any{"volumeName": value(text(fields, "volume"))}
	return r.describedHeld(object, fields, at)
}

func (r *reader) describedVolume(fields map[string]any, at int) error {
	object := newObject("v1", "PersistentVolume", "", text(fields, "name"))
	spec := map[string]any{"persistentVolumeReclaimPolicy": text(fields, "reclaimPolicy")}
	if namespace, name, is := strings.Cut(text(fields, "claim"), "/"); is {
		spec["claimRef"] = map[string]any{
			"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": namespace, "name": name,
		}
	}
	object["spec"] = spec
	return r.describedHeld(object, fields, at)
}

// describedHeld takes in an object whose description shows its finalizers: [kubernetes.io/pvc-protection].
func (r *reader) describedHeld(object, fields map[string]any, at int) error {
	var finalizers []any
	for finalizer := range strings.FieldsSeq(strings.Trim(text(fields, "finalizers"), "[]")) {
		finalizers = append(finalizers, finalizer)
	}
	object["metadata"].(map[string]any)["finalizers"] = finalizers
	deleted, ago := deletion(text(fields, "status"))
	partial := Columns
	if deleted && object["kind"] == "PersistentVolume" { // its phase isn't shown, and what holds it depends on that
		partial = MetadataOnly
	}
	return r.sink.Object(Object{Fields: object, Line: at, Partial: partial, Deleted: deleted, DeletedAgo: ago})
}

func (r *reader) describedNode(fields map[string]any, at int) error {
	object := newObject("v1", "Node", "", text(fields, "name"))
	object["spec"] = map[string]any{"unschedulable": text(fields, "unschedulable") == "true"}
	object["status"] = map[string]any{"conditions": conditionTable(fields["conditions"])}
	return r.columns(object, false, at)
}

func (r *reader) describedNamespace(fields map[string]any, at int) error {
	object := newObject("v1", "Namespace", "", text(fields, "name"))
	object["spec"] = map[string]any{"finalizers": []any{"kubernetes"}}
	object["status"] = map[string]any{
		"phase": text(fields, "status"), "conditions": conditionTable(fields["conditions"]),
	}
	return r.columns(object, text(fields, "status") == "Terminating", at)
}

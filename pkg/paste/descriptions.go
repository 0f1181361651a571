package paste

import (
	"cmp"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	describes = regexp.MustCompile(`^Name:\s+\S+$`)
	labelled  = regexp.MustCompile(`^([A-Z][A-Za-z0-9 _./-]*):(?:\s+(.*))?$`)
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
		ends := err != nil || next.quotes != first.quotes || isFence(inside) ||
			inside != "" && indentation(next.text) <= margin && (describes.MatchString(inside) || !labelled.MatchString(inside))
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
	if fields == nil {
		fields = map[string]any{}
	}
	for _, label := range []string{"Annotations", "Events"} { // one in each line, and a table
		if lines := part(text, label); lines != nil {
			fields[fieldOf(label)] = lines
		}
	}
	for _, kind := range describedKinds() {
		missing := false
		for label := range strings.SplitSeq(kind.labels, ",") {
			_, there := fields[label]
			missing = missing || !there
		}
		if !missing {
			if kind.kind != "" {
				r.describedEvents(kind.kind, fields)
			}
			return kind.read(r, fields, at)
		}
	}
	if asked := r.asked.only(); asked != "" && r.asked.verb == "describe" {
		r.describedEvents(asked, fields)
		return mentions(asked)(r, fields, at)
	}
	r.problem(at, "a description of an object that does not show of which type that is; use -o yaml")
	return nil
}

// mentions notes an object whose description doesn't show whether it is being deleted.
func mentions(resource string) func(r *reader, fields map[string]any, at int) error {
	return func(r *reader, fields map[string]any, at int) error {
		namespace := cmp.Or(text(fields, "namespace"), r.asked.Namespace)
		r.sink.Mention(Mention{Resource: resource, Namespace: namespace, Name: text(fields, "name"), Line: at})
		return nil
	}
}

// describedKind is a kind that kubectl describe shows in a form of its own, known by its labels.
type describedKind struct {
	labels string
	kind   string // empty where a field says it
	read   func(r *reader, fields map[string]any, at int) error
}

func describedKinds() []describedKind {
	return []describedKind{
		{"apiVersion,kind,metadata", "", (*reader).describedFields},
		{"containers,node", "pods", (*reader).describedPod},
		{"accessModes,volume", "persistentvolumeclaims", (*reader).describedClaim},
		{"reclaimPolicy,claim", "persistentvolumes", (*reader).describedVolume},
		{"roles,unschedulable", "nodes", (*reader).describedNode},
		{"sessionAffinity,selector", "services", mentions("services")},
		{"replicas,strategyType", "deployments.apps", mentions("deployments.apps")},
		{"replicas,updateStrategy", "statefulsets.apps", mentions("statefulsets.apps")},
		{"parallelism,completions", "jobs.batch", mentions("jobs.batch")},
		{"status,labels", "namespaces", (*reader).describedNamespace},
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
	kind, group := text(fields, "kind"), ""
	if before, _, grouped := strings.Cut(text(fields, "apiVersion"), "/"); grouped {
		group = "." + before
	}
	r.describedEvents(kind+group, fields)
	delete(metadata, "managedFields") // whose keys aren't shown as they are
	for _, number := range []string{"generation", "deletionGracePeriodSeconds"} {
		if text, is := metadata[number].(string); is {
			value, err := strconv.ParseInt(text, 10, 64)
			if metadata[number] = value; err != nil {
				delete(metadata, number)
			}
		}
	}
	_, ends := fields["events"] // which come last
	for _, own := range []string{"name", "namespace", "labels", "annotations", "events"} {
		delete(fields, own)
	}
	if ends {
		return r.take(fields, at, true)
	}
	return describedCut(r, fields, at)
}

// describedCut takes in what a description shows of an object before it is cut off.
func describedCut(r *reader, fields map[string]any, at int) error {
	if fields["spec"] == nil && fields["status"] == nil {
		r.problem(at, "the %v is cut off before it says enough", fields["kind"])
		return nil
	}
	r.taken++
	return r.sink.Object(Object{Fields: fields, Line: at, Partial: Columns})
}

func text(fields map[string]any, label string) string {
	value, _ := fields[label].(string)
	return value
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

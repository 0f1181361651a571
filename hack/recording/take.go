package recording

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// entry is a line of a snapshot.
type entry struct {
	Catalog *catalog       `json:"catalog,omitempty"`
	Object  *identity      `json:"object,omitempty"`
	Body    map[string]any `json:"body,omitempty"`
	Read    map[string]any `json:"read,omitempty"`
	End     map[string]any `json:"end,omitempty"`
}

// catalog is what a snapshot says of what is served.
type catalog struct {
	Resources []map[string]any `json:"resources"`
	Kinds     []version        `json:"kinds"`
	Failed    []map[string]any `json:"failed,omitempty"`
	Partial   string           `json:"partial,omitempty"`
}

type version struct {
	Group   string `json:"group,omitempty"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

// take takes a snapshot apart, compressed or not.
func take(data []byte) (*recording, error) {
	data, err := unpacked(data)
	if err != nil {
		return nil, err
	}
	head, entries, err := entriesOf(data)
	if err != nil {
		return nil, err
	}
	data = identified(data, entries)
	if _, entries, err = entriesOf(data); err != nil {
		return nil, err
	}
	one := &recording{head: head, lines: map[string]string{}}
	one.head.Start = startOf(entries, head.RecordedAt)
	kinds := map[place]string{}
	for _, each := range entries {
		switch {
		case each.Catalog != nil:
			one.serves(each.Catalog, kinds)
		case each.Object != nil:
			one.holds(each, kinds)
		case each.Read != nil:
			one.reads(each.Read)
		}
	}
	return one, nil
}

func unpacked(data []byte) ([]byte, error) {
	if !snapshot.IsZipped(data) {
		return data, nil
	}
	zip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zip)
}

func entriesOf(data []byte) (first head, entries []entry, err error) {
	beginning, rest, _ := bytes.Cut(data, []byte("\n"))
	if err := decode(beginning, &first); err != nil {
		return first, nil, err
	}
	for line := range bytes.Lines(rest) {
		var one entry
		if err := decode(line, &one); err != nil {
			return first, nil, fmt.Errorf("%.60s: %w", line, err)
		}
		entries = append(entries, one)
	}
	return first, entries, nil
}

// startOf is when the control plane made its first object, or anybody where it made none that is recorded.
func startOf(entries []entry, recordedAt time.Time) time.Time {
	first, byItself := recordedAt.Truncate(time.Second), false
	for _, each := range entries {
		metadata, _ := each.Body["metadata"].(map[string]any)
		made, ok := timeOf(metadata["creationTimestamp"])
		itself := ok && each.Object != nil && ofControlPlane(*each.Object, metadata)
		if ok && (itself && !byItself || itself == byItself && made.Before(first)) {
			first, byItself = made, itself
		}
	}
	return first.UTC()
}

func (r *recording) serves(all *catalog, kinds map[place]string) {
	for _, resource := range all.Resources {
		at, kind := placeIn(resource), text(resource["kind"])
		kinds[at] = kind
		if encode(resource["verbs"]) == usualVerbs {
			delete(resource, "verbs")
		}
		if text(resource["singular"]) == strings.ToLower(kind) {
			delete(resource, "singular")
		}
		r.lines[wordServes+" "+at.take(resource)] = encode(resource)
	}
	for _, kind := range all.Kinds {
		r.lines[wordKind+" "+place{kind.Group, kind.Version, kind.Kind}.String()] = ""
	}
	for _, failed := range all.Failed {
		r.lines[wordFailed+" "+encode(failed)] = ""
	}
	if all.Partial != "" {
		r.lines[wordPartial+" "+encode(all.Partial)] = ""
	}
}

// usualVerbs is what most resources can do; lines leave it out.
const usualVerbs = `["create","delete","deletecollection","get","list","patch","update","watch"]`

func (r *recording) holds(one entry, kinds map[place]string) {
	of := *one.Object
	if of.Form == wordWhole {
		delete(r.lines, wordMeta+" "+of.String()) // it is older
	}
	word := map[string]string{"whole": wordWhole, "metadata": wordMeta}[of.Form]
	r.lines[word+" "+of.String()] = encode(compact(one.Body, of, kinds[of.place], r.head.Start))
}

// reads takes in a list that was read in full, or a failure. A later one of the same counts.
func (r *recording) reads(read map[string]any) {
	outcome := map[string]any{}
	for _, field := range []string{"last", "error"} {
		if value, has := read[field]; has {
			outcome[field] = value
			delete(read, field)
		}
	}
	at := placeIn(read)
	key := wordRead + " " + at.take(read) + " " + encode(read)
	r.lines[key] = ""
	if len(outcome) > 0 {
		r.lines[key] = encode(outcome)
	}
}

// place is where objects are served.
type place struct{ group, version, resource string }

func placeIn(fields map[string]any) place {
	return place{text(fields["group"]), text(fields["version"]), text(fields["resource"])}
}

// take leaves a place out of the fields that tell it, and returns it as a word.
func (p place) take(fields map[string]any) string {
	for _, field := range []string{"group", "version", "resource"} {
		delete(fields, field)
	}
	return p.String()
}

// String returns RESOURCE.VERSION.GROUP, as kubectl has it.
func (p place) String() string { return strings.TrimSuffix(p.resource+"."+p.version+"."+p.group, ".") }

func placeOf(word string) place {
	resource, rest, _ := strings.Cut(word, ".")
	version, group, _ := strings.Cut(rest, ".")
	return place{group, version, resource}
}

func (p place) apiVersion() string { return strings.TrimPrefix(p.group+"/"+p.version, "/") }

func text(value any) string {
	is, _ := value.(string)
	return is
}

func textAt(fields map[string]any, outer, inner string) string {
	nested, _ := fields[outer].(map[string]any)
	return text(nested[inner])
}

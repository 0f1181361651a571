package recording

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// snapshot puts a recording together in the format of snapshots: objects in order, and then what was read.
func (r *recording) snapshot() ([]byte, error) {
	kinds := map[place]string{}
	all := &catalog{Resources: []map[string]any{}, Kinds: []version{}}
	var objects, reads []map[string]any
	for _, key := range slices.SortedFunc(maps.Keys(r.lines), inOrder) {
		word, rest, _ := strings.Cut(key, " ")
		var body map[string]any
		if text := r.lines[key]; text != "" {
			if err := decode([]byte(text), &body); err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
		}
		at, rest, _ := strings.Cut(rest, " ")
		var err error
		switch word {
		case wordServes:
			kinds[placeOf(at)] = text(body["kind"])
			all.Resources = append(all.Resources, resourceOf(placeOf(at), body))
		case wordKind:
			of := placeOf(at)
			all.Kinds = append(all.Kinds, version{of.group, of.version, of.resource})
		case wordFailed, wordPartial:
			err = all.incomplete(word, strings.TrimPrefix(key, word+" "))
		case wordWhole, wordMeta:
			objects = append(objects, objectOf(identityOf(word, at, rest), kinds, body, r.head.Start))
		case wordRead:
			var read map[string]any
			err = decode([]byte(rest), &read)
			maps.Copy(read, body)
			reads = append(reads, map[string]any{"read": placeOf(at).fill(read)})
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
	}
	var out bytes.Buffer
	for _, line := range []any{r.header(), map[string]any{"catalog": all}} {
		out.WriteString(encode(line) + "\n")
	}
	for _, object := range objects { // the body has to come after whose it is
		fmt.Fprintf(&out, "{\"object\":%s,\"body\":%s}\n", encode(object["object"]), encode(object["body"]))
	}
	for _, read := range reads {
		out.WriteString(encode(read) + "\n")
	}
	end := map[string]any{"end": map[string]any{"objects": len(objects), "reads": len(reads)}}
	out.WriteString(encode(end) + "\n")
	return out.Bytes(), nil
}

func (r *recording) header() snapshot.Header {
	return snapshot.Header{
		Format: snapshot.Format, Version: snapshot.Version, RecordedAt: r.head.RecordedAt, By: r.head.By,
		Server: r.head.Server, Context: r.head.Context, Namespace: r.head.Namespace, Scope: r.head.Scope,
	}
}

// inOrder puts lines in the order in which what follows needs what comes before.
func inOrder(a, b string) int {
	order := []string{wordServes, wordKind, wordFailed, wordPartial, wordWhole, wordMeta, wordRead}
	rank := func(key string) int { word, _, _ := strings.Cut(key, " "); return slices.Index(order, word) }
	if rank(a) != rank(b) {
		return rank(a) - rank(b)
	}
	first, second := strings.SplitN(a, " ", 3), strings.SplitN(b, " ", 3)
	one, other := placeOf(first[1]), placeOf(second[1])
	byGroup := cmp.Compare(one.group, other.group)
	switch first[0] {
	case wordFailed, wordPartial:
		return strings.Compare(a, b)
	case wordKind:
		return cmp.Or(byGroup, cmp.Compare(one.version, other.version), strings.Compare(a, b))
	}
	return cmp.Or(byGroup, cmp.Compare(one.resource, other.resource), strings.Compare(a, b))
}

func resourceOf(at place, fields map[string]any) map[string]any {
	if _, has := fields["verbs"]; !has {
		var verbs any
		_ = decode([]byte(usualVerbs), &verbs)
		fields["verbs"] = verbs
	}
	if _, has := fields["singular"]; !has {
		fields["singular"] = strings.ToLower(text(fields["kind"]))
	}
	return at.fill(fields)
}

// fill adds a place to what was read there.
func (p place) fill(fields map[string]any) map[string]any {
	fields["version"], fields["resource"] = p.version, p.resource
	if p.group != "" {
		fields["group"] = p.group
	}
	return fields
}

func (c *catalog) incomplete(word, said string) error {
	if word == wordPartial {
		return decode([]byte(said), &c.Partial)
	}
	var failed map[string]any
	err := decode([]byte(said), &failed)
	c.Failed = append(c.Failed, failed)
	return err
}

func objectOf(of identity, kinds map[place]string, body map[string]any, start time.Time) map[string]any {
	form := "whole"
	if of.Form == wordMeta {
		form = "metadata"
	}
	object := of.fill(map[string]any{"form": form, "name": of.Name})
	if of.Namespace != "" {
		object["namespace"] = of.Namespace
	}
	return map[string]any{"object": object, "body": expand(body, of, kinds[of.place], start)}
}

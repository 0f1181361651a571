package snapshot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// Renew copies a recording and leaves out what this program would not have kept, if it had made it with a catalogue.
// What is written to out is compressed, and incomplete after an error.
func Renew(ctx context.Context, recording []byte, out io.Writer, known *plugins.Set) error {
	clean := newCleaner(known)
	kinds := map[schema.GroupVersionResource]cluster.Resource{}
	meet := func(one *line) error {
		if one.Catalog == nil {
			_, err := clean.line(kinds, one) // for what it asks, and what it names
			return err
		}
		servedKinds := catalogFromLine(one.Catalog)
		clean.meetKinds(servedKinds)
		for _, resource := range servedKinds.Resources {
			kinds[resource.GroupVersionResource] = resource
		}
		return nil
	}
	if err := lines(ctx, recording, func(Header) error { return nil }, meet); err != nil {
		return err
	}
	return copied(ctx, recording, out, func(*Header) {}, func(one *line) (any, error) { return clean.line(kinds, one) })
}

// line returns what is kept of a line.
func (c *cleaner) line(kinds map[schema.GroupVersionResource]cluster.Resource, one *line) (any, error) {
	if one.Read != nil {
		one.Read.Error.change(c.withoutCredentials)
	}
	if one.Object == nil {
		return one, nil
	}
	gvr := one.Object.gvr()
	resource, served := kinds[gvr]
	if !served {
		var typeMeta metav1.TypeMeta
		if err := json.Unmarshal(one.Body, &typeMeta); err != nil {
			return nil, err
		}
		resource = cluster.Resource{GroupVersionResource: gvr, Kind: typeMeta.Kind}
	}
	if one.Object.Form == whole {
		object := &unstructured.Unstructured{}
		if err := json.Unmarshal(one.Body, &object.Object); err != nil {
			return nil, err
		}
		fields, _, err := c.whole(resource, object)
		return bodyLine{*one.Object, fields}, err
	}
	meta := &metav1.PartialObjectMetadata{}
	if err := json.Unmarshal(one.Body, meta); err != nil {
		return nil, err
	}
	return bodyLine{*one.Object, c.partial(resource, meta)}, nil
}

// lines goes through the lines of a recording.
func lines(ctx context.Context, recording []byte, first func(Header) error, do func(*line) error) error {
	return eachLine(bytes.NewReader(recording), first, func(data []byte) (bool, error) {
		var one line
		if err := errors.Join(ctx.Err(), json.Unmarshal(data, &one)); err != nil {
			return false, err
		}
		return one.End != nil, do(&one)
	})
}

package snapshot

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Redact copies a recording and replaces the names in it: of objects, namespaces and nodes, values of labels, images. A
// name gets the same replacement everywhere, in references, selectors and messages, too. The names of kinds, groups,
// finalizers and storage drivers stay, and those of Kubernetes itself: diagnoses need them. recording is a file as a
// Writer made it, compressed or not; what is written to out is compressed, and incomplete after an error.
func Redact(ctx context.Context, recording []byte, out io.Writer) error {
	return RedactAll(ctx, [][]byte{recording}, out)
}

// RedactAll is Redact for several recordings, which are written one after another: a name gets the same replacement in
// all of them.
func RedactAll(ctx context.Context, recordings [][]byte, out io.Writer) error {
	names := newNames()
	for _, recording := range recordings {
		if err := lines(ctx, recording, func(head Header) error {
			names.meet(head.Namespace)
			return nil
		}, names.collect); err != nil {
			return err
		}
	}
	names.settle()
	for _, recording := range recordings {
		if err := copied(ctx, recording, out, func(head *Header) {
			head.Redacted, head.Context = true, "" // the context says whose cluster it is
			head.Namespace, head.Scope = names.text(head.Namespace), names.text(head.Scope)
		}, func(one *line) (any, error) { return one, names.line(one) }); err != nil {
			return err
		}
	}
	return nil
}

// copied copies a recording, with its header and its lines changed.
func copied(
	ctx context.Context, recording []byte, out io.Writer, header func(*Header), change func(*line) (any, error),
) error {
	zip := gzip.NewWriter(out)
	encoder := json.NewEncoder(zip)
	err := lines(ctx, recording, func(head Header) error {
		header(&head)
		return encoder.Encode(head)
	}, func(one *line) error {
		changed, err := change(one)
		if err != nil {
			return err
		}
		return encoder.Encode(changed)
	})
	return errors.Join(err, zip.Close())
}

// line replaces what is in one line.
func (n *names) line(one *line) error {
	switch {
	case one.Object != nil:
		var content map[string]any
		if err := json.Unmarshal(one.Body, &content); err != nil {
			return err
		}
		unstructured.RemoveNestedField(content, "status", "addresses")
		unstructured.RemoveNestedField(content, "status", "nodeInfo")
		one.Object.Namespace, one.Object.Name = n.text(one.Object.Namespace), n.text(one.Object.Name)
		data, err := json.Marshal(eachText("", "", content, n.field))
		one.Body = data
		return err
	case one.Read != nil:
		read := one.Read
		read.Namespace, read.Name = n.text(read.Namespace), n.text(read.Name)
		if read.Last != nil {
			read.Last.Namespace, read.Last.Name = n.text(read.Last.Namespace), n.text(read.Last.Name)
		}
		read.Fields, read.Labels = n.text(read.Fields), n.text(read.Labels)
		read.Error.change(n.text)
	case one.Catalog != nil:
		for i := range one.Catalog.Failed {
			one.Catalog.Failed[i].Error.change(n.text)
		}
	}
	return nil
}

// collect meets the names in one line.
func (n *names) collect(one *line) error {
	switch {
	case one.Catalog != nil:
		n.keepTypes(one.Catalog)
	case one.Read != nil:
		n.meetObject(one.Read.place, one.Read.Namespace, one.Read.Name)
	case one.Object != nil:
		n.meetObject(one.Object.place, one.Object.Namespace, one.Object.Name)
		var content map[string]any
		if err := json.Unmarshal(one.Body, &content); err != nil {
			return err
		}
		n.meetWriters(content)
		n.keepVariables(content)
		n.meetScopes(content)
		n.meetMapSettings(content)
		if keepsName(one.Object.place) { // what else is in them is about types, or of Kubernetes' own
			meta, _ := content["metadata"].(map[string]any)
			spec, _ := content["spec"].(map[string]any)
			content = map[string]any{
				"labels": meta["labels"], "annotations": meta["annotations"], "owners": meta["ownerReferences"],
				"service": spec["service"], "parentRef": spec["parentRef"], "conversion": spec["conversion"],
			}
		}
		eachText("", "", content, n.find)
	}
	return nil
}

const systemNamespace = "kube-system"

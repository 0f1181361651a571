package snapshot

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Redact copies a recording and replaces the names in it: of objects, namespaces and nodes, values of
// labels, images. A name is replaced by the same wherever it stands, in references, selectors and
// messages, too. The names of kinds, groups, finalizers and storage drivers stay, and what Kubernetes
// itself names: diagnoses go by them. recording is a whole file as a Writer made it, compressed or not; what is
// written to out is compressed. An error leaves out incomplete.
func Redact(ctx context.Context, recording []byte, out io.Writer) error {
	names := newNames()
	each := func(first func(Header) error, do func(*line) error) error {
		return eachLine(bytes.NewReader(recording), first, func(data []byte) (bool, error) {
			var one line
			if err := errors.Join(ctx.Err(), json.Unmarshal(data, &one)); err != nil {
				return false, err
			}
			return one.End != nil, do(&one)
		})
	}
	if err := each(func(head Header) error {
		names.meet(head.Namespace)
		return nil
	}, names.collect); err != nil {
		return err
	}
	names.settle()
	zip := gzip.NewWriter(out)
	encoder := json.NewEncoder(zip)
	err := each(func(head Header) error {
		head.Redacted = true
		head.Context = "" // it tells whose cluster it is
		head.Namespace, head.Scope = names.text(head.Namespace), names.text(head.Scope)
		return encoder.Encode(head)
	}, func(one *line) error {
		if err := names.line(one); err != nil {
			return err
		}
		return encoder.Encode(one)
	})
	return errors.Join(err, zip.Close())
}

// line replaces what stands in one line.
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
		if keepsName(one.Object.place) {
			return nil // what stands in them is about types, or of Kubernetes' own
		}
		var content map[string]any
		if err := json.Unmarshal(one.Body, &content); err != nil {
			return err
		}
		eachText("", "", content, n.find)
	}
	return nil
}

func (n *names) meetObject(at place, namespace, name string) {
	n.meet(namespace)
	if keepsName(at) || namespace == systemNamespace {
		n.kept.Insert(name)
	} else {
		n.meet(name)
	}
}

const systemNamespace = "kube-system"

// keepsName tells whether the names of a resource's objects are those of types and of programs.
func keepsName(at place) bool {
	return slices.Contains([]string{
		"customresourcedefinitions", "apiservices", "csidrivers", "flowschemas", "prioritylevelconfigurations",
		"priorityclasses", "componentstatuses", "ipaddresses", // the names of the last are addresses
	}, at.Resource)
}

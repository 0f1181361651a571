package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kjson "sigs.k8s.io/json"
)

// eachOfPage fetches one page of a list and hands on its objects, whole, as they arrive: each is decoded once, where the
// dynamic client reads a page five times over. It returns what the list says of itself.
func (l *Live) eachOfPage(
	ctx context.Context, resource Resource, namespace string, options metav1.ListOptions,
	visit func(*unstructured.Unstructured),
) (list metav1.ListMeta, err error) {
	stream, err := l.stream(ctx, resource, namespace, "application/json", options)
	if err != nil {
		return list, err
	}
	defer func() { _ = stream.Close() }()
	list, err = jsonPage(stream, func(in kjson.Decoder) error {
		object := map[string]any{}
		if err := in.Decode(&object); err != nil {
			return err
		}
		if object == nil {
			return fmt.Errorf("one of them is null")
		}
		if object["kind"] == nil { // in lists of Kubernetes' own kinds the objects don't say what they are
			object["apiVersion"], object["kind"] = resource.APIVersion(), resource.Kind
		}
		visit(&unstructured.Unstructured{Object: object})
		return nil
	})
	if err != nil {
		err = fmt.Errorf("read the list of %s: %w", resource.QualifiedName(), err)
	}
	return list, err
}

// jsonPage reads a list in JSON, object by object, each of which item reads. It returns what the list says of itself.
func jsonPage(stream io.Reader, item func(kjson.Decoder) error) (list metav1.ListMeta, err error) {
	in := kjson.NewDecoderCaseSensitivePreserveInts(stream)
	if err := expect(in, '{'); err != nil {
		return list, err
	}
	isList := false
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return list, err
		}
		switch key {
		case "metadata":
			err = in.Decode(&list)
		case "items":
			isList, err = true, jsonItems(in, item)
		default:
			var other json.RawMessage
			err = in.Decode(&other)
		}
		if err != nil {
			return list, unexpected(err)
		}
	}
	if err := expect(in, '}'); err != nil || isList {
		return list, err
	}
	return list, errors.New("the server answered something else than a list: it has no items")
}

func jsonItems(in kjson.Decoder, item func(kjson.Decoder) error) error {
	start, err := in.Token()
	if start == nil && err == nil {
		return nil // null: an empty list
	}
	if start != json.Delim('[') || err != nil {
		return errors.Join(fmt.Errorf("items are %v", start), err)
	}
	for in.More() {
		if err := item(in); err != nil {
			return err
		}
	}
	return expect(in, ']')
}

func expect(in kjson.Decoder, wanted json.Delim) error {
	token, err := in.Token()
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	if err == nil && token != wanted {
		err = fmt.Errorf("the server answered something else than a list: %v in place of %v", token, wanted)
	}
	return err
}

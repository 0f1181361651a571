package cluster

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kjson "sigs.k8s.io/json"
)

// eachOfPage fetches one page of a list and hands on its objects, whole, as they arrive: each is decoded once, where
// the dynamic client reads a page five times over. It returns what the list says of itself.
func (l *Live) eachOfPage(
	ctx context.Context, resource Resource, namespace string, options metav1.ListOptions, of *listed,
	visit func(*unstructured.Unstructured),
) (list metav1.ListMeta, err error) {
	stream, err := l.stream(ctx, resource, namespace, "application/json", options)
	if err != nil {
		return list, err
	}
	defer func() { _ = stream.Close() }()
	in := l.buffer(of.meter(stream))
	defer l.buffers.Put(in)
	list, err = jsonPage(in, resource, of, func(in kjson.Decoder) (is metav1.TypeMeta, handOn func(), err error) {
		object := &unstructured.Unstructured{}
		if err := errors.Join(of.count(), in.Decode(&object.Object)); err != nil {
			return is, nil, err
		}
		if object.Object == nil {
			return is, nil, fmt.Errorf("one of them is null")
		}
		is = metav1.TypeMeta{Kind: object.GetKind(), APIVersion: object.GetAPIVersion()}
		if is.Kind == "" { // in lists of Kubernetes' own kinds the objects don't say what they are
			object.Object["apiVersion"], object.Object["kind"] = resource.APIVersion(), resource.Kind
		}
		return is, func() { visit(object) }, nil
	})
	if err != nil {
		err = fmt.Errorf("read the list of %s: %w", resource.QualifiedName(), err)
	}
	return list, err
}

// decodeItem reads one object of a list: what it says that it is, and what hands it on.
type decodeItem func(kjson.Decoder) (is metav1.TypeMeta, handOn func(), err error)

// jsonPage reads a page of a list of a resource in JSON, object by object. It returns what the page says of itself.
func jsonPage(
	stream *bufio.Reader, resource Resource, of *listed, item decodeItem,
) (list metav1.ListMeta, err error) {
	if err := expectObject(stream); err != nil {
		return list, err
	}
	page := &jsonList{resource: resource, of: of, item: item}
	in := kjson.NewDecoderCaseSensitivePreserveInts(stream)
	if err := expect(in, '{'); err != nil {
		return list, err
	}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return list, err
		}
		switch key {
		case "apiVersion":
			err = in.Decode(&page.is.APIVersion)
		case "kind":
			err = in.Decode(&page.is.Kind)
		case "metadata":
			err = in.Decode(&list)
		case "items":
			page.hasItems, err = true, page.items(in)
		default:
			var other json.RawMessage
			err = in.Decode(&other)
		}
		if err != nil {
			return list, unexpected(err)
		}
	}
	if err := expect(in, '}'); err != nil {
		return list, err
	}
	return list, page.end()
}

// jsonList is a list that was read in part.
type jsonList struct {
	resource Resource
	of       *listed
	item     decodeItem
	is       metav1.TypeMeta
	hasItems bool
	held     []func() // objects that don't say what they are, until the list does
}

func (l *jsonList) items(in kjson.Decoder) error {
	if l.is.Kind != "" && l.is.APIVersion != "" { // as a rule it is the first that a list says
		if err := expectList(l.resource, l.is); err != nil {
			return err
		}
	}
	return jsonItems(in, func(in kjson.Decoder) error {
		is, handOn, err := l.item(in)
		if err == nil && is.Kind != "" {
			err = expectKind(l.resource, is)
		}
		switch {
		case err != nil:
			return fmt.Errorf("one of them: %w", err)
		case is.Kind == "" && l.is.Kind == "":
			l.of.held, l.held = true, append(l.held, handOn)
		default:
			handOn()
		}
		return nil
	})
}

// end judges the list as a whole.
func (l *jsonList) end() error {
	if err := expectList(l.resource, l.is); err != nil {
		return err
	}
	if !l.hasItems {
		return &WrongAnswer{Got: "a list without items"}
	}
	for _, handOn := range l.held {
		handOn()
	}
	return nil
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
		err = fmt.Errorf("the server answered with something other than a list: %v instead of %v", token, wanted)
	}
	return err
}

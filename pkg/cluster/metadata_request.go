package cluster

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// metadataList asks for metadata alone: as protobuf, as JSON from servers that have no protobuf, and for whole objects
// from the ones that know nothing else. What is not metadata is dropped as it passes.
const metadataList = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1," +
	"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"

// streamBuffer holds the metadata of one object, and in most cases of many.
const streamBuffer = 64 << 10

// page fetches one page of a list and hands on its objects as they arrive. Memory holds one object at a
// time, whatever the page's size. It returns what the list says of itself.
func (l *Live) page(
	ctx context.Context, resource Resource, namespace string, options metav1.ListOptions, to *metadataFilter,
) (list metav1.ListMeta, err error) {
	stream, err := l.stream(ctx, resource, namespace, metadataList, options)
	if err != nil {
		return list, err
	}
	defer func() { _ = stream.Close() }()
	in := l.buffer(to.list.meter(stream))
	defer l.buffers.Put(in)
	list, err = readPage(in, resource, to)
	if err != nil {
		return list, fmt.Errorf("read the list of %s: %w", resource.QualifiedName(), err)
	}
	if options.Continue == "" && options.FieldSelector == "" && options.LabelSelector == "" {
		l.counts.Store(keyOf(resource, namespace, ""), to.passed)
	}
	return list, nil
}

// stream asks for one page of a list, in a form that is accepted. Its errors are those of failed.
func (l *Live) stream(
	ctx context.Context, resource Resource, namespace, accept string, options metav1.ListOptions,
) (io.ReadCloser, error) {
	request, err := l.request(http.MethodGet, resource.list(namespace))
	if err != nil {
		return nil, err
	}
	stream, err := request.SetHeader("Accept", accept).
		SpecificallyVersionedParams(&options, metav1.ParameterCodec, metav1.Unversioned).
		Stream(context.WithValue(ctx, metered{}, true))
	if err != nil {
		return nil, l.failed(ctx, resource, err)
	}
	return stream, nil
}

// buffer returns a buffer in front of a stream, which goes back to l.buffers.
func (l *Live) buffer(stream io.Reader) *bufio.Reader {
	if in, is := l.buffers.Get().(*bufio.Reader); is {
		in.Reset(stream)
		return in
	}
	return bufio.NewReaderSize(stream, streamBuffer)
}

// readPage reads one page of a list of a resource and returns what the list says of itself.
func readPage(in *bufio.Reader, resource Resource, to *metadataFilter) (metav1.ListMeta, error) {
	if start, err := in.Peek(len(protobufMagic)); err != nil || string(start) != protobufMagic {
		return jsonPage(in, resource, to.list, to.json)
	}
	return protobufPage(in, to.protobuf)
}

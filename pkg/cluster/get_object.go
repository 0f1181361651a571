package cluster

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kjson "sigs.k8s.io/json"
)

// metadataObject asks for one object's metadata alone, and for the whole object from servers that know nothing else.
const metadataObject = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"

// Get implements Reader.
func (l *Live) Get(ctx context.Context, resource Resource, namespace, name string) (*unstructured.Unstructured, error) {
	data, err := l.one(ctx, resource, namespace, name, "application/json")
	if err != nil {
		return nil, err
	}
	object := &unstructured.Unstructured{}
	err = kjson.UnmarshalCaseSensitivePreserveInts(data, &object.Object)
	if err == nil {
		is := metav1.TypeMeta{Kind: object.GetKind(), APIVersion: object.GetAPIVersion()}
		err = expectNamed(resource, namespace, name, is, object)
	}
	if err != nil {
		return nil, unreadable(resource, namespace, name, err)
	}
	return object, nil
}

// Metadata implements Reader.
func (l *Live) Metadata(
	ctx context.Context, resource Resource, namespace, name string,
) (*metav1.PartialObjectMetadata, error) {
	data, err := l.one(ctx, resource, namespace, name, metadataObject)
	if err != nil {
		return nil, err
	}
	object := &metav1.PartialObjectMetadata{}
	err = json.Unmarshal(data, object)
	if err == nil {
		err = expectNamed(resource, namespace, name, object.TypeMeta, object)
	}
	if err != nil {
		return nil, unreadable(resource, namespace, name, err)
	}
	return object, nil
}

// one reads one object in a form that is accepted.
func (l *Live) one(ctx context.Context, resource Resource, namespace, name, accept string) ([]byte, error) {
	if resource.names(namespace, name) {
		return nil, apierrors.NewNotFound(resource.GroupResource(), name)
	}
	request, err := l.request(http.MethodGet, resource.object(namespace, name))
	if err != nil {
		return nil, err
	}
	stream, err := request.SetHeader("Accept", accept).Stream(ctx)
	if err != nil {
		return nil, l.failedFor(ctx, resource, name, err)
	}
	defer func() { _ = stream.Close() }()
	data, err := readAnswer(stream)
	if err == nil {
		err = expectObject(bufio.NewReader(bytes.NewReader(data)))
	}
	if err != nil {
		return nil, unreadable(resource, namespace, name, err)
	}
	return data, nil
}

// failedFor returns what the error of a request for one object, or without a name for several, says. If not the API
// server, but something between, doesn't find it, this says nothing about the object: the error is then one of its
// whole kind.
func (l *Live) failedFor(ctx context.Context, resource Resource, name string, err error) error {
	if err == nil || name != "" && Names(err, name) {
		return err
	}
	return l.failed(ctx, resource, err)
}

// Names reports whether an error is about the object with a name, as all are that an API server makes where an object
// isn't found (k8s v1.37 apiserver/pkg/storage/errors/storage.go:InterpretGetError).
func Names(err error, name string) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse) {
		return false
	}
	details := status.Status().Details
	return details != nil && details.Name == name
}

// expectNamed returns a WrongAnswer where an object is not the one that was asked for.
func expectNamed(resource Resource, namespace, name string, is metav1.TypeMeta, object metav1.Object) error {
	if err := expectKind(resource, is); err != nil {
		return err
	}
	other := resource.Namespaced && namespace != "" && object.GetNamespace() != namespace
	if object.GetName() != name || other {
		return &WrongAnswer{Got: "another object of this kind"}
	}
	return nil
}

func unreadable(resource Resource, namespace, name string, err error) error {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return fmt.Errorf("read %s %s: %w", resource.QualifiedName(), name, err)
}

// GotWrongAnswer returns what a read was answered with in place of what was asked for, if that is why it failed.
func GotWrongAnswer(err error) (got string, is bool) {
	var wrong *WrongAnswer
	if errors.As(err, &wrong) {
		return wrong.Got, true
	}
	return "", false
}

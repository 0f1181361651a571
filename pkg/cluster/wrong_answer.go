package cluster

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/bounds"
)

// WrongAnswer is the error of a read that was answered with something else than what was asked for: by something before
// the API server, or by one that contradicts itself. Nothing follows from it, least of all that there is nothing.
type WrongAnswer struct {
	Got  string // in a few words that complete "answered with …"
	said string // by the server when it was asked about it, or empty
}

// Error implements error.
func (e *WrongAnswer) Error() string {
	text := "the server answered with " + e.Got
	if e.said != "" {
		text += ": " + e.said
	}
	return text
}

// maxAnswer bounds the answer about one object, and each of discovery, in bytes: the largest are a few megabytes long,
// and take some tens in memory. maxDecoded is what one may take there.
const (
	maxAnswer  = 64 << 20
	maxDecoded = 128 << 20
)

// readAnswer reads an answer to its end. One above the bounds is an error.
func readAnswer(body io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(body, maxAnswer+1))
	switch {
	case err == nil && len(data) > maxAnswer:
		return nil, &WrongAnswer{Got: fmt.Sprintf("more than %d MiB", maxAnswer>>20)}
	case err == nil && bounds.JSON(data) > maxDecoded:
		return nil, &WrongAnswer{Got: fmt.Sprintf("what would take more than %d MiB of memory", maxDecoded>>20)}
	}
	return data, err
}

// bounded sends a request and reads the answer to its end.
func bounded(ctx context.Context, request *rest.Request) ([]byte, error) {
	stream, err := request.Stream(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = stream.Close() }()
	return readAnswer(stream)
}

// expectObject returns a WrongAnswer where an answer can't begin a JSON object. It reads over the space before.
func expectObject(in *bufio.Reader) error {
	for {
		start, err := in.Peek(1)
		switch {
		case errors.Is(err, io.EOF):
			return &WrongAnswer{Got: "nothing"}
		case err != nil:
			return err
		case bytes.ContainsAny(start, " \t\r\n"):
			_, _ = in.Discard(1) // never fails for what was peeked at
			continue
		case start[0] == '{':
			return nil
		case start[0] == '<':
			return &WrongAnswer{Got: "HTML"}
		}
		if start, _ = in.Peek(len("null")); string(start) == "null" {
			return &WrongAnswer{Got: "null"}
		}
		return &WrongAnswer{Got: "something that is not an object"}
	}
}

// anObject names an answer by its kind.
func anObject(kind string) *WrongAnswer {
	switch kind {
	case "":
		return &WrongAnswer{Got: "an object without apiVersion and kind"}
	case "Status":
		return &WrongAnswer{Got: "a Status"}
	}
	return &WrongAnswer{Got: fmt.Sprintf("an object of kind %q", kind)}
}

// expectList returns a WrongAnswer where a list of a resource can't be of a kind. Definitions may give lists a kind of
// any name; everywhere else it is that of the objects with List behind it, or just List.
func expectList(resource Resource, is metav1.TypeMeta) error {
	version, err := schema.ParseGroupVersion(is.APIVersion)
	ofGroup := err == nil && (version.Group == resource.Group || is.APIVersion == "")
	switch {
	case is.Kind == "List" && version.Group == "",
		is.Kind == "PartialObjectMetadataList" && version.Group == metav1.GroupName,
		is.Kind == resource.Kind+"List" && ofGroup:
		return nil
	case is.Kind == "", is.Kind == "Status", is.Kind == resource.Kind, ServedByKubernetes(resource.Group), !ofGroup:
		return anObject(is.Kind)
	}
	return nil
}

// expectKind returns a WrongAnswer where an object is of another kind than those of a resource. Metadata alone is of
// its own kind, and in lists objects need not say what they are.
func expectKind(resource Resource, is metav1.TypeMeta) error {
	version, err := schema.ParseGroupVersion(is.APIVersion)
	switch {
	case is.Kind == "PartialObjectMetadata" && version.Group == metav1.GroupName,
		is.Kind == resource.Kind && err == nil && (version.Group == resource.Group || is.APIVersion == ""):
		return nil
	}
	return anObject(is.Kind)
}

// failed returns what the error of a request for objects of a resource says. That they are not found, or can't be
// listed, is only true where the server doesn't say at the same time that it serves them: then it is a WrongAnswer.
func (l *Live) failed(ctx context.Context, resource Resource, err error) error {
	code := http.StatusNotFound
	switch {
	case apierrors.IsMethodNotSupported(err):
		code = http.StatusMethodNotAllowed
	case !apierrors.IsNotFound(err):
		return err
	}
	asked := lately[schema.GroupVersion]{resource.GroupVersion(), moment()}
	served, unknown := l.served.Get(asked, func() (map[string]bool, error) {
		return l.servedNow(ctx, resource.GroupVersion())
	})
	switch {
	case unknown != nil:
		return &WrongAnswer{
			Got: fmt.Sprintf("%d, and does not say whether it serves this kind", code), said: unknown.Error(),
		}
	case served[resource.Resource]:
		return &WrongAnswer{Got: fmt.Sprintf("%d, although it serves this kind", code)}
	}
	if !apierrors.IsNotFound(err) {
		err = apierrors.NewNotFound(resource.GroupResource(), "")
	}
	return l.gone(ctx, resource, code, err)
}

// servedNow asks afresh which resources a group version has: none where it has gone. That one is not found there counts
// only if its group doesn't name it any more either.
func (l *Live) servedNow(ctx context.Context, version schema.GroupVersion) (map[string]bool, error) {
	var list metav1.APIResourceList
	err := l.read(ctx, at(version), &list)
	if apierrors.IsNotFound(err) {
		var groups metav1.APIGroupList
		if err := l.read(ctx, []part{{"prefix", "apis"}}, &groups); err != nil {
			return nil, err
		}
		for _, group := range groups.Groups {
			for _, discovery := range group.Versions {
				if discovery.GroupVersion == version.String() {
					return nil, err
				}
			}
		}
		if version.Group == "" {
			return nil, err // no server is without it
		}
		return nil, nil
	}
	served := map[string]bool{}
	for _, resource := range list.APIResources {
		served[resource.Name] = true
	}
	return served, err
}

// read decodes what the server answers at a path, as JSON. The answers of discovery are checked on their way.
func (l *Live) read(ctx context.Context, path []part, into any) error {
	request, err := l.request(http.MethodGet, path)
	if err != nil {
		return err
	}
	data, err := bounded(ctx, request.SetHeader("Accept", "application/json"))
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

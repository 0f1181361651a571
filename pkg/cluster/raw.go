package cluster

import (
	"context"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// rawPage is how many whole objects are in a page of a list that is not held in memory. The server holds it:
// that of 2,000 pods is about 10 MB.
const rawPage = 2000

// EachRaw calls visit with the JSON of each whole object as it arrives, which is valid until visit returns. Objects of
// kinds of Kubernetes' own don't repeat their kind. As with EachMetadata, an object may be visited twice.
func (l *Live) EachRaw(ctx context.Context, resource Resource, namespace string, visit func(object []byte) error) error {
	return eachPage(Selector{}, func(options metav1.ListOptions) (string, error) {
		options.Limit = rawPage
		stream, err := l.stream(ctx, resource, namespace, options, "application/json")
		if err != nil {
			return "", err
		}
		defer func() { _ = stream.Close() }()
		in := l.buffer(stream)
		defer l.buffers.Put(in)
		var object json.RawMessage
		next, _, err := jsonPage(json.NewDecoder(in), func(in *json.Decoder) error {
			if err := in.Decode(&object); err != nil {
				return err
			}
			return visit(object)
		})
		if err != nil {
			return "", fmt.Errorf("read the list of %s: %w", resource.QualifiedName(), err)
		}
		return next, nil
	})
}

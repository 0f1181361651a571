package cluster

import (
	"context"
	"encoding/json"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Wire is an object's metadata as an API server sends it: an ObjectMeta in protobuf (k8s v1.37
// apimachinery/pkg/apis/meta/v1/generated.proto).
type Wire []byte

// WireOf returns metadata in this form.
func WireOf(meta *metav1.ObjectMeta) (Wire, error) { return meta.Marshal() }

// Keeps is Keep.Keeps.
func (w Wire) Keeps(keep Keep) bool {
	return keep.keepsEncoded(w)
}

// Name returns the object's name.
func (w Wire) Name() string { return w.text(metaName) }

// Namespace returns the object's namespace; empty for what is in none.
func (w Wire) Namespace() string { return w.text(metaNamespace) }

func (w Wire) text(number protowire.Number) string {
	content, _ := lookup(w, number)
	return string(content)
}

// Decode returns the metadata.
func (w Wire) Decode() (*metav1.PartialObjectMetadata, error) {
	object := &metav1.PartialObjectMetadata{}
	return object, object.ObjectMeta.Unmarshal(w)
}

// EachWire calls visit with each object's metadata, undecoded, as it arrives; it is valid until visit returns.
// An error of visit ends the list. As with EachMetadata, an object may be visited twice.
func (l *Live) EachWire(ctx context.Context, resource Resource, namespace string, visit func(Wire) error) error {
	return eachPage(Selector{}, func(options metav1.ListOptions) (string, error) {
		options.Limit = metadataPage
		return l.page(ctx, resource, namespace, options, undecoded(visit))
	})
}

// undecoded hands on objects as they are. Those of servers that have no protobuf are encoded anew.
type undecoded func(Wire) error

func (u undecoded) protobuf(item []byte) error {
	meta, _ := lookup(item, objectMetadata)
	return u(meta)
}

func (u undecoded) json(in *json.Decoder) error {
	object := &metav1.PartialObjectMetadata{}
	if err := in.Decode(object); err != nil {
		return err
	}
	meta, err := WireOf(&object.ObjectMeta)
	if err != nil {
		return err
	}
	return u(meta)
}

package cluster

import (
	"encoding/json"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// sieve decodes of a page the objects that somebody wants to keep. What nobody wants is never decoded.
type sieve struct {
	keep  Keep
	visit func(*metav1.PartialObjectMetadata)

	slim []byte // what is kept of an object's metadata
	// sampled are the finalizers of which one object was kept with its managedFields.
	sampled    map[string]bool
	finalizers []byte
}

// wire takes a PartialObjectMetadata in protobuf.
func (s *sieve) wire(item []byte) error {
	if !s.keep.wire(item) {
		return nil
	}
	object := &metav1.PartialObjectMetadata{}
	err := error(nil)
	if meta, found := lookup(item, objectMetadata); found && s.keep&KeepSlim != 0 {
		err = object.ObjectMeta.Unmarshal(s.slimmed(meta))
	} else {
		err = object.Unmarshal(item)
	}
	if err == nil {
		s.visit(object)
	}
	return err
}

// json takes an object in JSON.
func (s *sieve) json(in *json.Decoder) error {
	object := &metav1.PartialObjectMetadata{}
	if err := in.Decode(object); err != nil {
		return err
	}
	if s.keep&KeepSlim != 0 {
		slim(object)
	}
	if s.keep.Keeps(object) {
		s.visit(object)
	}
	return nil
}

// slimmed leaves out of an object's metadata what KeepSlim leaves out. It is valid until the next object.
func (s *sieve) slimmed(meta []byte) []byte {
	s.slim = s.slim[:0]
	leaveOut := func(number protowire.Number) bool {
		return number != metaName && number != metaNamespace && number != metaUID
	}
	if (KeepOwned | KeepHeld).wireMeta(meta) {
		sample := s.keep&KeepSample != 0 && s.firstWith(meta)
		leaveOut = func(number protowire.Number) bool {
			return number == metaAnnotations || number == metaLabels || number == metaManaged && !sample
		}
	}
	broken := eachField(meta, func(number protowire.Number, field, _ []byte) bool {
		if !leaveOut(number) {
			s.slim = append(s.slim, field...)
		}
		return true
	})
	s.slim = append(s.slim, broken...)
	return s.slim
}

// firstWith tells whether an object is the first on its page with its finalizers.
func (s *sieve) firstWith(meta []byte) bool {
	s.finalizers = s.finalizers[:0]
	eachField(meta, func(number protowire.Number, _, value []byte) bool {
		if number == metaFinalizers {
			s.finalizers = append(append(s.finalizers, value...), 0)
		}
		return true
	})
	if len(s.finalizers) == 0 || s.sampled[string(s.finalizers)] {
		return false
	}
	if s.sampled == nil {
		s.sampled = map[string]bool{}
	}
	s.sampled[string(s.finalizers)] = true
	return true
}

// slim is what slimmed does, to what was decoded.
func slim(object *metav1.PartialObjectMetadata) {
	if !(KeepOwned | KeepHeld).Keeps(object) {
		object.ObjectMeta = metav1.ObjectMeta{Name: object.Name, Namespace: object.Namespace, UID: object.UID}
	}
	object.ManagedFields, object.Annotations, object.Labels = nil, nil, nil
}

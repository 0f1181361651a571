package cluster

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"
)

// metadataFilter decodes the objects of a page that the caller wants to keep. All others are never decoded.
type metadataFilter struct {
	keep       Keep
	visit      func(*metav1.PartialObjectMetadata)
	list       *listed         // the list that the page is of
	passed     int             // how many objects there were
	slim       []byte          // what is kept of an object's metadata
	sampled    map[string]bool // the finalizers for which one object was kept with its managedFields
	finalizers []byte
}

// pass counts an object.
func (f *metadataFilter) pass() error {
	f.passed++
	return f.list.count()
}

// protobuf takes a PartialObjectMetadata in protobuf.
func (f *metadataFilter) protobuf(item []byte) error {
	if err := f.pass(); err != nil {
		return err
	}
	meta := lookup(item, objectMetadata)
	if !f.keep.keepsEncoded(meta) {
		return nil
	}
	object := &metav1.PartialObjectMetadata{}
	err := error(nil)
	if f.keep&KeepSlim != 0 && !(f.keep & KeepTerminating).holdsEncoded(meta) {
		err = object.ObjectMeta.Unmarshal(f.slimmed(meta))
	} else {
		err = object.Unmarshal(item)
	}
	if err == nil {
		err = f.keeping(object)
	}
	if err == nil {
		f.visit(object)
	}
	return err
}

// keeping counts an object that goes to who may keep it, where all do. What a filter leaves is for its scan to count.
func (f *metadataFilter) keeping(object *metav1.PartialObjectMetadata) error {
	if f.keep != KeepAll {
		return nil
	}
	return f.list.take(sizeOf(object))
}

// json takes an object in JSON.
func (f *metadataFilter) json(in kjson.Decoder) (is metav1.TypeMeta, handOn func(), err error) {
	object := &metav1.PartialObjectMetadata{}
	if err := errors.Join(f.pass(), in.Decode(object)); err != nil {
		return is, nil, err
	}
	is = object.TypeMeta
	if f.keep&KeepSlim != 0 && !(f.keep & KeepTerminating).holds(object) {
		f.keep.slim(object)
	}
	if err := f.keeping(object); err != nil {
		return is, nil, err
	}
	return is, func() {
		if f.keep.Keeps(object) {
			f.visit(object)
		}
	}, nil
}

// slimmed leaves out of an object's metadata what KeepSlim leaves out. It is valid until the next object.
func (f *metadataFilter) slimmed(meta []byte) []byte {
	f.slim = f.slim[:0]
	leaveOut := func(number protowire.Number) bool {
		return number != metaName && number != metaNamespace && number != metaUID && number != metaDeletion &&
			number != metaGrace
	}
	if (KeepOwned | KeepHeld).holdsEncoded(meta) {
		sample := f.keep&KeepSample != 0 && f.firstWith(meta)
		described := (f.keep & KeepOwned).holdsEncoded(meta)
		leaveOut = func(number protowire.Number) bool {
			return (number == metaAnnotations || number == metaLabels) && !described || number == metaManaged && !sample
		}
	}
	broken := eachField(meta, func(number protowire.Number, field, _ []byte) bool {
		if !leaveOut(number) {
			f.slim = append(f.slim, field...)
		}
		return true
	})
	f.slim = append(f.slim, broken...)
	return f.slim
}

// firstWith reports whether an object is the first on its page with its finalizers.
func (f *metadataFilter) firstWith(meta []byte) bool {
	f.finalizers = f.finalizers[:0]
	eachField(meta, func(number protowire.Number, _, value []byte) bool {
		if number == metaFinalizers {
			f.finalizers = append(append(f.finalizers, value...), 0)
		}
		return true
	})
	if len(f.finalizers) == 0 || f.sampled[string(f.finalizers)] {
		return false
	}
	if f.sampled == nil {
		f.sampled = map[string]bool{}
	}
	f.sampled[string(f.finalizers)] = true
	return true
}

// slim is what slimmed does, to what was decoded.
func (k Keep) slim(object *metav1.PartialObjectMetadata) {
	if !(KeepOwned | KeepHeld).holds(object) {
		object.ObjectMeta = metav1.ObjectMeta{
			Name: object.Name, Namespace: object.Namespace, UID: object.UID,
			DeletionTimestamp: object.DeletionTimestamp, DeletionGracePeriodSeconds: object.DeletionGracePeriodSeconds,
		}
	}
	object.ManagedFields = nil
	if !(k & KeepOwned).holds(object) {
		object.Annotations, object.Labels = nil, nil
	}
}

// keepsEncoded is Keeps of an ObjectMeta in protobuf, which is not decoded for it.
func (k Keep) keepsEncoded(meta []byte) bool {
	return k == KeepAll || k&KeepSlim != 0 || k.holdsEncoded(meta)
}

// holdsEncoded is holds of an ObjectMeta in protobuf.
func (k Keep) holdsEncoded(meta []byte) (holds bool) {
	if k == 0 {
		return false
	}
	eachField(meta, func(number protowire.Number, _, _ []byte) bool {
		holds = number == metaDeletion && k&KeepTerminating != 0 || number == metaOwners && k&KeepOwned != 0 ||
			number == metaFinalizers && k&KeepHeld != 0
		return !holds
	})
	return holds
}

// lookup returns the first message or string of a number, or nil.
func lookup(message []byte, wanted protowire.Number) (content []byte) {
	eachField(message, func(number protowire.Number, _, value []byte) bool {
		if number == wanted {
			content = value
		}
		return content == nil
	})
	return content
}

// eachField visits the fields of a message until visit returns false: each as a whole, and the content of messages and
// strings, which is nil for others. It returns what follows the last one that it could read; whoever decodes a
// message that is broken will say so.
func eachField(message []byte, visit func(number protowire.Number, field, content []byte) bool) (rest []byte) {
	for len(message) > 0 {
		number, kind, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			break
		}
		var content []byte
		var length int
		if kind == protowire.BytesType {
			content, length = protowire.ConsumeBytes(message[tag:])
		} else {
			length = protowire.ConsumeFieldValue(number, kind, message[tag:])
		}
		if length < 0 {
			break
		}
		field := message[:tag+length]
		message = message[tag+length:]
		if !visit(number, field, content) {
			break
		}
	}
	return message
}

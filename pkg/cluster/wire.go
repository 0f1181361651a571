package cluster

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The protobuf form of lists: four magic bytes, and a runtime.Unknown around the list (k8s v1.37
// apimachinery/pkg/runtime/serializer/protobuf/protobuf.go, and the generated.proto files of
// apimachinery/pkg/runtime and apimachinery/pkg/apis/meta/v1 for the numbers of the fields).
const (
	unknownTypeMeta = 1
	unknownRaw      = 2
	typeMetaKind    = 2
	listMetadata    = 1
	listItems       = 2
	listContinue    = 3
	objectMetadata  = 1
	metaDeletion    = 9
	metaOwners      = 13
	metaFinalizers  = 14
	metaAnnotations = 12
	metaManaged     = 17
	lengthDelimited = 2 // the wire type of messages and strings
)

// protobufMagic begins every protobuf answer of an API server.
const protobufMagic = "k8s\x00"

// wire reads protobuf as it arrives.
type wire struct {
	in   *bufio.Reader
	left uint64 // of the message that is being read
	long []byte // a field that doesn't fit into the reader's buffer
	slim []byte // what is kept of an object's metadata
}

// field is the beginning of a field: its number, and what follows it.
type field struct {
	number uint64
	length uint64 // of what follows, for messages and strings; all else is read over
}

// next returns the next field that is a message or a string, or io.EOF at the end of the message.
func (w *wire) next() (field, error) {
	for w.left > 0 {
		key, err := w.varint()
		if err != nil {
			return field{}, err
		}
		switch key & 7 {
		case lengthDelimited:
			length, err := w.varint()
			if err == nil && length > w.left {
				err = io.ErrUnexpectedEOF
			}
			return field{number: key >> 3, length: length}, err
		case 0:
			_, err = w.varint()
		case 1:
			err = w.skip(8)
		case 5:
			err = w.skip(4)
		default:
			err = fmt.Errorf("a protobuf answer with wire type %d", key&7)
		}
		if err != nil {
			return field{}, err
		}
	}
	return field{}, io.EOF
}

func (w *wire) varint() (value uint64, err error) {
	for shift := 0; shift < 64; shift += 7 {
		b, err := w.in.ReadByte()
		if err != nil || w.left == 0 {
			return 0, io.ErrUnexpectedEOF
		}
		w.left--
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return value, nil
		}
	}
	return 0, errors.New("a protobuf answer with a number of more than 64 bits")
}

func (w *wire) skip(length uint64) error {
	if length > w.left {
		return io.ErrUnexpectedEOF
	}
	w.left -= length
	for length > 0 {
		step := int(min(length, 1<<20))
		if _, err := w.in.Discard(step); err != nil {
			return unexpected(err)
		}
		length -= uint64(step)
	}
	return nil
}

// bytes hands out the content of a field, which is valid until the next read.
func (w *wire) bytes(length uint64, use func([]byte) error) error {
	if length > w.left {
		return io.ErrUnexpectedEOF
	}
	w.left -= length
	if length <= uint64(w.in.Size()) {
		content, err := w.in.Peek(int(length))
		if err != nil {
			return unexpected(err)
		}
		if err := use(content); err != nil {
			return err
		}
		_, err = w.in.Discard(int(length))
		return err
	}
	const most = 1 << 30 // nothing that the API server stores comes near
	if length > most {
		return fmt.Errorf("a protobuf answer with a field of %d bytes", length)
	}
	if uint64(cap(w.long)) < length {
		w.long = make([]byte, length)
	}
	if _, err := io.ReadFull(w.in, w.long[:length]); err != nil {
		return unexpected(err)
	}
	return use(w.long[:length])
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// protobufPage reads a PartialObjectMetadataList, object by object, from behind the magic bytes. What
// nobody wants to keep is never decoded. It returns the token of the next page.
func protobufPage(in *bufio.Reader, keep Keep, visit func(*metav1.PartialObjectMetadata)) (next string, err error) {
	w := &wire{in: in, left: 1 << 62} // the answer ends where the stream does
	for whole := false; ; {
		if _, err := in.Peek(1); whole && errors.Is(err, io.EOF) {
			return next, nil
		}
		f, err := w.next()
		switch {
		case err != nil:
			return "", err
		case f.number == unknownTypeMeta:
			err = w.bytes(f.length, isMetadataList)
		case f.number == unknownRaw:
			outside := w.left - f.length
			w.left = f.length
			next, err = w.list(keep, visit)
			w.left, whole = outside, true
		default:
			err = w.skip(f.length)
		}
		if err != nil {
			return "", err
		}
	}
}

func isMetadataList(typeMeta []byte) error {
	kind, _ := lookup(typeMeta, typeMetaKind)
	if string(kind) != "PartialObjectMetadataList" {
		return fmt.Errorf("the server answered with a %q, not with metadata alone", kind)
	}
	return nil
}

func (w *wire) list(keep Keep, visit func(*metav1.PartialObjectMetadata)) (next string, err error) {
	for {
		f, err := w.next()
		if errors.Is(err, io.EOF) {
			return next, nil
		}
		switch {
		case err != nil:
		case f.number == listMetadata:
			err = w.bytes(f.length, func(content []byte) error {
				token, _ := lookup(content, listContinue)
				next = string(token)
				return nil
			})
		case f.number == listItems:
			err = w.bytes(f.length, func(content []byte) error { return w.item(content, keep, visit) })
		default:
			err = w.skip(f.length)
		}
		if err != nil {
			return "", err
		}
	}
}

func (w *wire) item(item []byte, keep Keep, visit func(*metav1.PartialObjectMetadata)) error {
	if !keep.wire(item) {
		return nil
	}
	object := &metav1.PartialObjectMetadata{}
	err := error(nil)
	if meta, found := lookup(item, objectMetadata); found && keep&KeepSlim != 0 {
		err = object.ObjectMeta.Unmarshal(w.slimmed(meta))
	} else {
		err = object.Unmarshal(item)
	}
	if err == nil {
		visit(object)
	}
	return err
}

// slimmed leaves out of an object's metadata what KeepSlim leaves out. It is valid until the next object.
func (w *wire) slimmed(meta []byte) []byte {
	w.slim = w.slim[:0]
	for len(meta) > 0 {
		number, length := fieldLength(meta)
		if length == 0 {
			w.slim = append(w.slim, meta...) // broken; whoever decodes it will say so
			break
		}
		if number != metaAnnotations && number != metaManaged {
			w.slim = append(w.slim, meta[:length]...)
		}
		meta = meta[length:]
	}
	return w.slim
}

// fieldLength measures the first field of a message; 0 where it is broken.
func fieldLength(message []byte) (number uint64, length int) {
	key, used := binary.Uvarint(message)
	if used <= 0 {
		return 0, 0
	}
	content := 0
	switch key & 7 {
	case 0:
		_, content = binary.Uvarint(message[used:])
	case 1:
		content = 8
	case 5:
		content = 4
	case lengthDelimited:
		size, prefix := binary.Uvarint(message[used:])
		if prefix > 0 && size <= uint64(len(message)) {
			content = prefix + int(size)
		}
	}
	if content <= 0 || used+content > len(message) {
		return 0, 0
	}
	return key >> 3, used + content
}

// wire tells of an object that has not been decoded whether it is one to keep.
func (k Keep) wire(object []byte) bool {
	if k == KeepAll || k&KeepSlim != 0 {
		return true
	}
	found := false
	meta, _ := lookup(object, objectMetadata)
	eachField(meta, func(number uint64, _ []byte) bool {
		found = number == metaDeletion && k&KeepTerminating != 0 ||
			number == metaOwners && k&KeepOwned != 0 ||
			number == metaFinalizers && k&KeepHeld != 0
		return !found
	})
	return found
}

// lookup returns the first message or string of a number.
func lookup(message []byte, wanted uint64) (content []byte, found bool) {
	eachField(message, func(number uint64, value []byte) bool {
		if found = number == wanted; found {
			content = value
		}
		return !found
	})
	return content, found
}

// eachField visits the messages and strings of a message until visit returns false. Where the message
// is broken it ends: whoever decodes it will say so.
func eachField(message []byte, visit func(number uint64, value []byte) bool) {
	for len(message) > 0 {
		number, length := fieldLength(message)
		if length == 0 {
			return
		}
		if message[0]&7 == lengthDelimited && !visit(number, content(message[:length])) {
			return
		}
		message = message[length:]
	}
}

// content is what follows the key and the length of a field.
func content(field []byte) []byte {
	_, used := binary.Uvarint(field)
	_, prefix := binary.Uvarint(field[used:])
	return field[used+prefix:]
}

func isProtobuf(in *bufio.Reader) bool {
	start, err := in.Peek(len(protobufMagic))
	return err == nil && string(start) == protobufMagic
}

package cluster

import (
	"bufio"
	"errors"
	"fmt"
	"io"
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
	metaName        = 1
	metaNamespace   = 3
	metaUID         = 5
	metaDeletion    = 9
	metaLabels      = 11
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
	// passed is how many objects there were.
	passed int
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

// protobufPage reads a PartialObjectMetadataList, object by object, from behind the magic bytes. It hands out
// each PartialObjectMetadata undecoded, valid until item returns. It returns the token of the next page, and
// how many objects there were.
func protobufPage(in *bufio.Reader, item func([]byte) error) (next string, passed int, err error) {
	w := &wire{in: in, left: 1 << 62} // the answer ends where the stream does
	for whole := false; ; {
		if _, err := in.Peek(1); whole && errors.Is(err, io.EOF) {
			return next, w.passed, nil
		}
		f, err := w.next()
		switch {
		case err != nil:
			return "", 0, err
		case f.number == unknownTypeMeta:
			err = w.bytes(f.length, isMetadataList)
		case f.number == unknownRaw:
			outside := w.left - f.length
			w.left = f.length
			next, err = w.list(item)
			w.left, whole = outside, true
		default:
			err = w.skip(f.length)
		}
		if err != nil {
			return "", 0, err
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

func (w *wire) list(item func([]byte) error) (next string, err error) {
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
			w.passed++
			err = w.bytes(f.length, item)
		default:
			err = w.skip(f.length)
		}
		if err != nil {
			return "", err
		}
	}
}

func isProtobuf(in *bufio.Reader) bool {
	start, err := in.Peek(len(protobufMagic))
	return err == nil && string(start) == protobufMagic
}

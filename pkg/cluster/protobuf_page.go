package cluster

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
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
	objectMetadata  = 1
	metaName        = 1
	metaNamespace   = 3
	metaUID         = 5
	metaDeletion    = 9
	metaGrace       = 10
	metaLabels      = 11
	metaOwners      = 13
	metaFinalizers  = 14
	metaAnnotations = 12
	metaManaged     = 17
)

// protobufMagic begins every protobuf answer of an API server.
const protobufMagic = "k8s\x00"

// protobufStream reads protobuf as it arrives.
type protobufStream struct {
	in   *bufio.Reader
	left uint64 // of the message that is being read
	long []byte // a field that doesn't fit into the reader's buffer
}

// next returns the number of the next field that is a message or a string, and how many bytes of content follow, or
// io.EOF at the end of the message. All other fields are read over.
func (s *protobufStream) next() (number protowire.Number, length uint64, err error) {
	for s.left > 0 {
		tag, err := s.varint()
		if err != nil {
			return 0, 0, err
		}
		number, kind := protowire.DecodeTag(tag)
		switch kind {
		case protowire.BytesType:
			length, err := s.varint()
			if err == nil && length > s.left {
				err = io.ErrUnexpectedEOF
			}
			return number, length, err
		case protowire.VarintType:
			_, err = s.varint()
		case protowire.Fixed64Type:
			err = s.skip(8)
		case protowire.Fixed32Type:
			err = s.skip(4)
		default:
			err = fmt.Errorf("a protobuf answer with wire type %d", kind)
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return 0, 0, io.EOF
}

func (s *protobufStream) varint() (uint64, error) {
	start, err := s.in.Peek(int(min(s.left, binary.MaxVarintLen64)))
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	value, used := protowire.ConsumeVarint(start)
	if used < 0 {
		return 0, protowire.ParseError(used) // io.ErrUnexpectedEOF where the number isn't complete
	}
	s.left -= uint64(used)
	_, err = s.in.Discard(used)
	return value, err
}

func (s *protobufStream) skip(length uint64) error {
	if length > s.left {
		return io.ErrUnexpectedEOF
	}
	s.left -= length
	_, err := io.CopyN(io.Discard, s.in, int64(length))
	return unexpected(err)
}

// bytes hands out the content of a field, which is valid until the next read.
func (s *protobufStream) bytes(length uint64, use func([]byte) error) error {
	switch {
	case length > s.left:
		return io.ErrUnexpectedEOF
	case length > maxObject:
		return &WrongAnswer{Got: fmt.Sprintf("a list with an object of %d bytes", length)}
	}
	s.left -= length
	if length <= uint64(s.in.Size()) {
		content, err := s.in.Peek(int(length))
		if err != nil {
			return unexpected(err)
		}
		err = use(content)
		_, _ = s.in.Discard(int(length)) // never fails for what was peeked at
		return err
	}
	s.long = slices.Grow(s.long[:0], int(length))[:length]
	if _, err := io.ReadFull(s.in, s.long); err != nil {
		return unexpected(err)
	}
	return use(s.long)
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// protobufPage reads a PartialObjectMetadataList, object by object. It hands out each PartialObjectMetadata undecoded,
// valid until item returns. It returns what the list says of itself.
func protobufPage(in *bufio.Reader, item func([]byte) error) (list metav1.ListMeta, err error) {
	_, _ = in.Discard(len(protobufMagic))       // which was peeked at
	s := &protobufStream{in: in, left: 1 << 62} // the answer ends where the stream does
	for whole, isList := false, false; ; {
		if _, err := in.Peek(1); whole && isList && errors.Is(err, io.EOF) {
			return list, nil
		}
		number, length, err := s.next()
		switch {
		case err != nil:
			return list, err
		case number == unknownTypeMeta:
			isList, err = true, s.bytes(length, isMetadataList)
		case number == unknownRaw:
			outside := s.left - length
			s.left = length
			list, err = s.list(item)
			s.left, whole = outside, true
		default:
			err = s.skip(length)
		}
		if err != nil {
			return list, err
		}
	}
}

func isMetadataList(typeMeta []byte) error {
	if kind := lookup(typeMeta, typeMetaKind); string(kind) != "PartialObjectMetadataList" {
		return anObject(string(kind))
	}
	return nil
}

func (s *protobufStream) list(item func([]byte) error) (list metav1.ListMeta, err error) {
	for {
		number, length, err := s.next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		switch {
		case err != nil:
		case number == listMetadata:
			err = s.bytes(length, list.Unmarshal)
		case number == listItems:
			err = s.bytes(length, item)
		default:
			err = s.skip(length)
		}
		if err != nil {
			return list, err
		}
	}
}

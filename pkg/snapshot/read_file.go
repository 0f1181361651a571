package snapshot

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/bounds"
)

// What a reader takes: more than a recording of a million objects. A larger one is made to exhaust the machine.
const (
	mostBytes     = 2 << 30   // of a recording, uncompressed
	longestLine   = 64 << 20  // of an object; etcd takes 1.5 MiB
	heaviestLine  = 512 << 20 // bytes of memory, once it is decoded
	longestHeader = 1 << 20
	mostObjects   = 2 << 20
)

// IsRecording reports whether the first 64 bytes of a file are a recording's: its text, or anything compressed.
func IsRecording(beginning []byte) bool {
	return IsZipped(beginning) || bytes.HasPrefix(beginning, []byte(`{"format":"`+Format))
}

// IsZipped reports whether a file begins as one that was packed by gzip.
func IsZipped(beginning []byte) bool { return bytes.HasPrefix(beginning, []byte{0x1f, 0x8b}) }

// Read loads a recording, compressed or as its text. Objects stay encoded until they are asked for. It returns
// ErrTruncated for what was cut off, a SeveralError for a recording of several clusters, and errors for what is
// damaged, none of ours, of a newer version, or too large.
func Read(in io.Reader) (*Recording, error) {
	recording, several, err := ReadAny(in)
	if err == nil && several != nil {
		err = several.Ambiguous()
	}
	return recording, err
}

// eachLine reads a recording to its end: its first line, and each other until one ends it.
func eachLine(in io.Reader, first func(Header) error, each func(data []byte) (ended bool, err error)) error {
	head, lines, err := begin(in)
	if err == nil && head.Version == versionOfSeveral {
		err = &SeveralError{Names: namesOf(head)}
	}
	if err == nil {
		err = first(head)
	}
	if err == nil {
		err = eachOf(lines, each)
	}
	if err == nil {
		err = lines.ended()
	}
	return err
}

// eachOf reads the lines of a recording after the first, until one ends it.
func eachOf(lines *lineReader, each func(data []byte) (ended bool, err error)) error {
	for {
		data, err := lines.next(longestLine)
		switch {
		case errors.Is(err, io.EOF):
			return ErrTruncated
		case err != nil:
			return err
		}
		if ended, err := each(data); err != nil {
			return fmt.Errorf("line %d: %w", lines.number, err)
		} else if ended {
			return nil
		}
	}
}

func begin(in io.Reader) (head Header, lines *lineReader, err error) {
	buffered := bufio.NewReaderSize(in, 1<<16)
	source := io.Reader(buffered)
	if magic, _ := buffered.Peek(2); IsZipped(magic) {
		if source, err = Unzip(buffered); err != nil {
			return head, nil, err
		}
	}
	lines = &lineReader{in: bufio.NewReaderSize(source, 1<<18)}
	first, err := lines.next(longestHeader)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errTooLong) {
		return head, nil, err
	}
	if err != nil {
		return head, lines, errNoRecording
	}
	head, err = readHeader(first)
	return head, lines, err
}

var errTooLong = errors.New("it has a line that is longer than any object can be")

type lineReader struct {
	in     *bufio.Reader
	number int
	total  int64
}

// next returns the next line, without its end, as a slice of its own; io.EOF where there is none.
func (l *lineReader) next(longest int) ([]byte, error) {
	l.number++
	var data []byte
	for {
		part, err := l.in.ReadSlice('\n')
		data = append(data, part...)
		l.total += int64(len(part))
		switch {
		case len(data) > longest:
			return nil, errTooLong
		case err == nil && bounds.JSON(data) > heaviestLine:
			return nil, errTooLong
		case l.total > mostBytes:
			return nil, fmt.Errorf("it contains more than %d GiB", mostBytes>>30)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(data) > 0:
			return nil, ErrTruncated // every line ends with a line break
		case err != nil:
			return nil, err
		}
		return data[:len(data)-1], nil
	}
}

// ended makes sure that nothing follows. The checksum is at the end of the file, behind the last line.
func (l *lineReader) ended() error {
	switch _, err := l.next(longestLine); {
	case err == nil:
		return errors.New("it is damaged: it continues after its end")
	case errors.Is(err, io.EOF):
		return nil
	default:
		return err
	}
}

// ErrTruncated says that a file ends before it should.
var ErrTruncated = errors.New("it ends too early: it was cut off while it was written or copied")

// What a packed file may expand to, in relation to its size beyond the first bytes. Recordings come to about 15,
// manifests to 20, and gzip goes up to 1000.
const (
	mostExpansion = 200
	freeExpansion = 64 << 20 // bytes
)

// ReaderFunc is a function that is an io.Reader.
type ReaderFunc func(into []byte) (int, error)

// Read implements io.Reader.
func (f ReaderFunc) Read(into []byte) (int, error) { return f(into) }

// Unzip returns what was packed by gzip. It and reading what it returns fail with ErrTruncated for what was cut off,
// and for what is damaged or expands more than 200-fold.
func Unzip(in io.Reader) (io.Reader, error) {
	var packed, total int64
	unpacked, err := gzip.NewReader(ReaderFunc(func(into []byte) (int, error) {
		n, err := in.Read(into)
		packed += int64(n)
		return n, err
	}))
	return ReaderFunc(func(into []byte) (int, error) {
		n, err := unpacked.Read(into)
		total += int64(n)
		if total > freeExpansion && total > packed*mostExpansion {
			return 0, errors.New("it expands to an unreasonable size, and may be made to fill the memory")
		}
		return n, reworded(err)
	}), reworded(err)
}

func reworded(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ErrTruncated
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("it is damaged: %w", err)
	}
	return err
}

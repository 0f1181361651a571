package snapshot

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// What a reader takes. A recording of a cluster with a million objects stays below; what is above is
// made to exhaust the machine.
const (
	mostBytes   = 2 << 30  // of a recording, uncompressed
	longestLine = 64 << 20 // of an object; etcd takes 1.5 MiB
	mostObjects = 4 << 20
	// mostExpansion bounds how much larger than the file its content may be, beyond the first 64 MiB.
	// Recordings come to about 15, the format of the compression to 1000.
	mostExpansion = 200
	freeExpansion = 64 << 20
	longestHeader = 1 << 20
)

// ErrTruncated says that a file ends before it should.
var ErrTruncated = errors.New("it ends too early: it was cut off while it was written or copied")

// IsRecording tells whether a file begins as a recording does: compressed, which others may be as well, or as
// its text. The first 64 bytes decide.
func IsRecording(beginning []byte) bool {
	return bytes.HasPrefix(beginning, []byte{0x1f, 0x8b}) || bytes.HasPrefix(beginning, []byte(`{"format":"`+Format))
}

// counted counts what was read of a file.
type counted struct {
	io.Reader
	count int64
}

func (c *counted) Read(into []byte) (int, error) {
	n, err := c.Reader.Read(into)
	c.count += int64(n)
	return n, err
}

// Read loads a recording, compressed or as its text, to its end. Its objects stay encoded until they are asked
// for. It returns ErrTruncated for what was cut off, and errors for what is damaged, none of ours, of a
// newer version, or larger than what a Recorder writes (mostBytes and the like); never half a recording.
func Read(in io.Reader) (*Recording, error) {
	head, lines, err := begin(in)
	if err != nil {
		return nil, err
	}
	recording := newRecording(head)
	for {
		data, err := lines.next(longestLine)
		if errors.Is(err, io.EOF) {
			return nil, ErrTruncated
		}
		if err != nil {
			return nil, reworded(err)
		}
		ended, err := recording.add(data)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", lines.number, err)
		}
		if ended {
			// To the end of the file, where the checksum is.
			if _, err := lines.next(longestLine); !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil, afterEnd(err)
			}
			return recording, recording.complete()
		}
	}
}

// begin reads the first line.
func begin(in io.Reader) (header, *lineReader, error) {
	file := &counted{Reader: in}
	buffered := bufio.NewReaderSize(file, 1<<16)
	source := io.Reader(buffered)
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(buffered)
		if err != nil {
			return header{}, nil, reworded(err)
		}
		source = unzipped
	}
	lines := &lineReader{in: bufio.NewReaderSize(source, 1<<18), file: file}
	first, err := lines.next(longestHeader)
	if err != nil {
		return header{}, nil, notOurs(err)
	}
	var head header
	switch err := json.Unmarshal(first, &head); {
	case err != nil || head.Format != Format:
		return header{}, nil, notOurs(nil)
	case head.Version < 1:
		return header{}, nil, fmt.Errorf("it is damaged: version %d of the format was never written", head.Version)
	case head.Version > Version:
		return header{}, nil, fmt.Errorf("it is of version %d of the format, and this program knows version %d: use a newer kubectl-finalizers", head.Version, Version)
	case head.RecordedAt.IsZero():
		return header{}, nil, errors.New("it doesn't say when it was recorded")
	}
	return head, lines, nil
}

func afterEnd(err error) error {
	if err == nil {
		return errors.New("it is damaged: it goes on after its end")
	}
	return reworded(err)
}

func notOurs(err error) error {
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errTooLong) {
		return reworded(err)
	}
	return errors.New("it is no recording of this program: record one with kubectl finalizers snapshot")
}

func reworded(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return ErrTruncated
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("it is damaged: %w", err)
	}
	return err
}

var errTooLong = errors.New("a line of it is longer than any object can be")

// lineReader reads lines within bounds.
type lineReader struct {
	in     *bufio.Reader
	file   *counted
	number int
	total  int64
}

// next returns the next line, without its end, as a slice of its own.
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
		case l.total > mostBytes:
			return nil, fmt.Errorf("it holds more than %d GiB", mostBytes>>30)
		case l.total > freeExpansion && l.total > l.file.count*mostExpansion:
			return nil, errors.New("it expands out of all proportion: it was made to fill the memory")
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(data) > 0:
			return nil, io.ErrUnexpectedEOF // every line ends with a line break
		case err != nil:
			return nil, err
		}
		return data[:len(data)-1], nil
	}
}

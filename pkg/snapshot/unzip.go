package snapshot

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// ErrTruncated says that a file ends before it should.
var ErrTruncated = errors.New("it ends too early: it was cut off while it was written or copied")

// What a packed file may expand to, in relation to its size beyond the first bytes. Recordings come to about 15,
// manifests to 20, and gzip goes up to 1000.
const (
	mostExpansion = 200
	freeExpansion = 64 << 20 // bytes
)

// unzipped is what was packed by gzip.
type unzipped struct {
	packed   counted
	unpacked io.Reader
	total    int64
}

// counted counts what was read of a file.
type counted struct {
	in    io.Reader
	count int64
}

// Read implements io.Reader.
func (c *counted) Read(into []byte) (int, error) {
	n, err := c.in.Read(into)
	c.count += int64(n)
	return n, err
}

// Unzip returns what was packed by gzip. It and reading what it returns fail with ErrTruncated for what was cut off, and
// for what is damaged or expands more than 200-fold.
func Unzip(in io.Reader) (io.Reader, error) {
	u := &unzipped{packed: counted{in: in}}
	unpacked, err := gzip.NewReader(&u.packed)
	u.unpacked = unpacked
	return u, reworded(err)
}

// Read implements io.Reader.
func (u *unzipped) Read(into []byte) (int, error) {
	n, err := u.unpacked.Read(into)
	u.total += int64(n)
	if u.total > freeExpansion && u.total > u.packed.count*mostExpansion {
		return 0, errors.New("it expands out of all proportion: it was made to fill the memory")
	}
	return n, reworded(err)
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

package snapshot

import (
	"bytes"
	"cmp"
	"compress/flate"
	"errors"
	"io"
	"sync"
)

const (
	// keptRaw is how many bytes of objects are kept as they are before the next ones are packed, in each Bodies.
	keptRaw = 4 << 20
	// pageSize is how much is packed, and unpacked, at once.
	pageSize = 256 << 10
	// mostUnpacked is how many pages are kept unpacked.
	mostUnpacked = 8
)

// Bodies keeps the JSON of many objects. Where it is much, it is packed, a page at a time: objects resemble each other,
// and few of them are read. Keep is for one goroutine; what was kept is safe for several at once.
type Bodies struct {
	raw    int
	pages  int32
	open   *page
	writer *flate.Writer

	mu     sync.Mutex
	recent [mostUnpacked]unpacked
	next   int
}

type unpacked struct {
	page    *page
	content []byte
}

// page is the JSON of some objects: packed if it has a size.
type page struct {
	of      *Bodies
	content []byte
	size    int
	number  int32 // of a page that is or will be packed, from 1
}

// Body is the JSON of one object.
type Body struct {
	page       *page
	at, length uint32
}

// Alone is JSON that is kept as it is.
func Alone(body []byte) Body { return Body{page: &page{content: body}, length: uint32(len(body))} }

// Keep takes in the JSON of an object, which must not be changed afterwards.
func (b *Bodies) Keep(body []byte) (Body, error) {
	if b.raw += len(body); b.raw <= keptRaw {
		return Alone(bytes.Clone(body)), nil // without what its buffer has beside it
	}
	if b.open != nil && len(b.open.content)+len(body) > pageSize {
		if err := b.pack(); err != nil {
			return Body{}, err
		}
	}
	if b.open == nil {
		b.pages++
		b.open = &page{of: b, number: b.pages, content: make([]byte, 0, max(pageSize, len(body)))}
	}
	kept := Body{page: b.open, at: uint32(len(b.open.content)), length: uint32(len(body))}
	b.open.content = append(b.open.content, body...)
	return kept, nil
}

// pack packs the open page.
func (b *Bodies) pack() (err error) {
	var into bytes.Buffer
	if b.writer == nil {
		if b.writer, err = flate.NewWriter(&into, flate.BestSpeed); err != nil {
			return err
		}
	} else {
		b.writer.Reset(&into)
	}
	full := b.open
	if _, err = b.writer.Write(full.content); err == nil {
		err = b.writer.Close()
	}
	full.size, full.content, b.open = len(full.content), bytes.Clone(into.Bytes()), nil
	return err
}

// Done frees what only Keep needs.
func (b *Bodies) Done() { b.writer = nil }

// Len is the length of the JSON.
func (b Body) Len() int { return int(b.length) }

// isNone reports whether there is no object.
func (b Body) isNone() bool { return b.page == nil }

// Bytes returns the JSON, which must not be changed. It is empty for what can't be unpacked.
func (b Body) Bytes() []byte {
	switch {
	case b.page == nil:
		return nil
	case b.page.size == 0:
		return b.page.content[b.at : b.at+b.length]
	}
	content, err := b.page.of.unpack(b.page)
	if err != nil {
		return nil
	}
	return content[b.at : b.at+b.length]
}

// compare orders bodies by where they are kept: what is read in this order is unpacked once. Bodies that are not
// packed come first, and are equal.
func (b Body) compare(other Body) int {
	return cmp.Or(cmp.Compare(b.page.number, other.page.number), cmp.Compare(b.at, other.at))
}

func (b *Bodies) unpack(wanted *page) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, one := range b.recent {
		if one.page == wanted {
			return one.content, nil
		}
	}
	content := make([]byte, wanted.size)
	if _, err := io.ReadFull(flate.NewReader(bytes.NewReader(wanted.content)), content); err != nil {
		return nil, errors.Join(errors.New("a page can't be unpacked"), err)
	}
	b.recent[b.next] = unpacked{wanted, content}
	b.next = (b.next + 1) % mostUnpacked
	return content, nil
}

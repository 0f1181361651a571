package files

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/bounds"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

const (
	// longestDocument is how much YAML is parsed at once: it takes about twenty times as much memory. The items of a list
	// that is longer are parsed one by one.
	longestDocument = 4 << 20
	// longestObject is how much JSON is decoded at once; etcd takes 1.5 MiB. heaviestObject is what it may take in
	// memory then, in bytes.
	longestObject  = 16 << 20
	heaviestObject = 256 << 20
	// mostBetween is how much is read without an object in it.
	mostBetween = 64 << 20
	// mostManifests is how much is read in all, of all files.
	mostManifests = 1 << 30
)

var (
	// errNoObject says of something well formed that it is no object of Kubernetes.
	errNoObject = errors.New("it contains something without apiVersion or kind, which is not a Kubernetes object")
	// errBeyond says that a file goes beyond a bound of all files together: nothing more of it is read.
	errBeyond   = errors.New("it is too large")
	errTooLarge = fmt.Errorf(
		"it contains something larger than %d MiB, which can't be a Kubernetes object", longestObject>>20)
)

// readDocuments takes in what a file holds, JSON or YAML, one object or many, or any text with objects in it, and
// returns the lists of it that are whole. Windows' PowerShell writes UTF-16.
func (a *assembly) readDocuments(ctx context.Context, in io.Reader) (lists []listSeen, err error) {
	decoded := transform.NewReader(a.bounded(in), unicode.BOMOverride(transform.Nop))
	kept, before := &retained{in: newWithoutLogs(decoded), most: longestDocument + longestObject}, a.count
	buffered := bufio.NewReaderSize(kept, 1<<16)
	start, err := skipBlankLines(buffered, kept)
	if err != nil {
		return nil, ended(err)
	}
	if start == '{' {
		lists, err = a.readJSON(buffered, kept)
	} else {
		kept.most = longestDocument
		lists, err = a.readYAML(buffered, kept)
	}
	if err == nil || errors.Is(err, errBeyond) || bounds.Exceeded(err) || ctx.Err() != nil {
		return lists, err
	}
	return lists, a.salvage(ctx, kept, before, err)
}

// skipBlankLines skips the blank lines at the beginning, and returns what the next one begins with. Its indentation
// stays: the lines below have the same.
func skipBlankLines(in *bufio.Reader, kept *retained) (start byte, err error) {
	for indentation := 0; ; {
		ahead, failure := in.Peek(indentation + 1)
		if len(ahead) <= indentation && indentation < in.Size() {
			return 0, failure
		}
		if indentation < in.Size() { // no object is indented that far
			switch c := ahead[indentation]; c {
			case ' ', '\t':
				indentation++
				continue
			case '\r', '\n':
				indentation++
			default:
				return c, nil
			}
		}
		_, _ = in.Discard(indentation) // it was there to peek at
		kept.understood(kept.read() - int64(in.Buffered()))
		indentation = 0
	}
}

func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// bounded is an error where io.LimitReader is the end: half a file is not a file.
func (a *assembly) bounded(in io.Reader) io.Reader {
	return snapshot.ReaderFunc(func(into []byte) (int, error) {
		n, err := in.Read(into)
		a.total += n
		a.sinceObject += n
		switch {
		case a.total > mostManifests:
			return 0, fmt.Errorf("%w: there are more than %d MiB of manifests", errBeyond, mostManifests>>20)
		case a.sinceObject > mostBetween:
			return 0, errTooLarge
		}
		return n, err
	})
}

// readYAML reads documents, one at a time.
func (a *assembly) readYAML(in *bufio.Reader, kept *retained) (lists []listSeen, err error) {
	for documents := utilyaml.NewYAMLReader(in); ; a.sinceObject = 0 {
		document, err := documents.Read()
		if err != nil {
			return lists, ended(err)
		}
		data, err := bounds.ToJSON(document)
		if err != nil {
			return lists, fmt.Errorf("it can't be read as YAML or JSON: %w", err)
		}
		if !bytes.Equal(data, []byte("null")) { // nothing, or a comment
			found, err := a.readJSON(bufio.NewReader(bytes.NewReader(data)), nil)
			lists = append(lists, found...)
			if err != nil {
				return lists, err
			}
		}
		kept.understood(kept.read() - int64(in.Buffered()))
	}
}

// cut rewords the end of a file within an object.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return snapshot.ErrTruncated
	}
	return err
}

const logsStart, logsEnd = "==== START logs for container ", "==== END logs for container "

// withoutLogs leaves out the logs of containers, which kubectl cluster-info dump prints between its lists (k8s v1.37
// staging/src/k8s.io/kubectl/pkg/cmd/clusterinfo/clusterinfo_dump.go:Run). A line can't begin as they do within JSON or
// YAML that kubectl prints. A log needs not end with a line break, and then its end is at the end of its last line.
type withoutLogs struct {
	in     *bufio.Reader
	rest   []byte
	inside string // the line that ends the log
	starts bool   // what follows is the beginning of a line
}

func newWithoutLogs(in io.Reader) *withoutLogs {
	return &withoutLogs{in: bufio.NewReaderSize(in, 1<<16), starts: true}
}

// Read implements io.Reader.
func (w *withoutLogs) Read(into []byte) (int, error) {
	for len(w.rest) == 0 {
		if err := w.next(); err != nil {
			return 0, err
		}
	}
	n := copy(into, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

// next reads a line, or a piece of a long one.
func (w *withoutLogs) next() error {
	if w.inside != "" {
		return w.skip()
	}
	part, err := w.in.ReadSlice('\n')
	long := errors.Is(err, bufio.ErrBufferFull)
	if err != nil && !long && len(part) == 0 {
		return err // io.EOF, or what went wrong; the next call repeats it where something was left to hand on
	}
	name, is := bytes.CutPrefix(bytes.TrimRight(part, "\r\n"), []byte(logsStart))
	if is && w.starts && !long && bytes.HasSuffix(name, []byte(" ====")) {
		w.inside = logsEnd + string(name)
		return nil
	}
	w.starts, w.rest = !long, part
	return nil
}

// skip passes over a log.
func (w *withoutLogs) skip() error {
	tail := ""
	for {
		part, err := w.in.ReadSlice('\n')
		// The end may lie in two pieces of a long line.
		tail += string(part[max(0, len(part)-len(w.inside)-2):])
		if strings.HasSuffix(strings.TrimRight(tail, "\r\n"), w.inside) {
			w.inside, w.starts = "", true
			return nil
		}
		tail = tail[max(0, len(tail)-len(w.inside)-2):]
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

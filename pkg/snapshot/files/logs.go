package files

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

const logsStart, logsEnd = "==== START logs for container ", "==== END logs for container "

// withoutLogs leaves out the logs of containers, which kubectl cluster-info dump prints between its lists (k8s v1.37
// staging/src/k8s.io/kubectl/pkg/cmd/clusterinfo/clusterinfo_dump.go:Run). A line can't begin as they do within JSON or
// YAML that kubectl prints. A log needs not end with a line break, and then its end stands at the end of its last line.
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

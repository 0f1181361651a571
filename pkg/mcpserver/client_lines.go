package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// mostLine bounds one message of a client, in bytes: the longest of ours are a few thousand.
const mostLine = 1 << 20

// lines hands on what a client writes, line by line: each message is one. A line that is none is answered with the
// protocol's error and dropped, because one that reaches the protocol's library ends the connection. The input ends
// when all that was asked in it is answered, or the context is done.
type lines struct {
	ctx  context.Context // an io.Reader gets none
	in   *bufio.Reader
	out  *shared
	next []byte // what of a good line is not handed on yet
}

// Read implements io.Reader.
func (l *lines) Read(into []byte) (int, error) {
	for len(l.next) == 0 {
		line, tooLong, err := l.line()
		switch {
		case tooLong:
			err = errors.Join(err, l.refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("longer than %d bytes", mostLine)))
		case len(bytes.TrimSpace(line)) > 0:
			message, code, why := parse(line)
			if why != "" {
				err = errors.Join(err, l.refuse(code, why))
				break
			}
			l.out.open.asked(message)
			l.next = append(bytes.TrimSpace(line), '\n')
		}
		if err != nil && len(l.next) == 0 {
			return 0, l.ended(err)
		}
	}
	count := copy(into, l.next)
	l.next = l.next[count:]
	return count, nil
}

// line reads a line to its end, and what of it is not too long.
func (l *lines) line() (line []byte, tooLong bool, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > mostLine; !tooLong {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// ended waits for the answers to what was asked, and returns io.EOF itself where that is all that went wrong: the
// library compares it.
func (l *lines) ended(err error) error {
	if !errors.Is(err, io.EOF) {
		return err
	}
	select {
	case <-l.out.open.wait():
	case <-l.ctx.Done():
	}
	return io.EOF
}

// parse reads a line, or says why it is not a message, with the protocol's code. Batches went from the protocol in its
// version 2025-06-18.
func parse(line []byte) (message jsonrpc.Message, code int64, why string) {
	if !json.Valid(line) {
		return nil, jsonrpc.CodeParseError, "not JSON"
	}
	if bytes.HasPrefix(bytes.TrimSpace(line), []byte("[")) {
		return nil, jsonrpc.CodeInvalidRequest, "a batch: send one message per line"
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, jsonrpc.CodeInvalidRequest, "not a message of JSON-RPC 2.0"
	}
	return message, 0, ""
}

// refuse answers a line that has no id, or none that can be read.
func (l *lines) refuse(code int64, why string) error {
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": "this line is " + why},
	})
	if err == nil {
		_, err = l.out.Write(append(answer, '\n'))
	}
	return err
}

// shared is an output that two write to, each a whole line at a time.
type shared struct {
	mu   sync.Mutex
	out  io.Writer
	open *unanswered
}

// Write implements io.Writer.
func (s *shared) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	count, err := s.out.Write(line)
	s.open.answered(line)
	return count, err
}

// Close implements io.Closer: its owner closes the output.
func (*shared) Close() error { return nil }

package cluster

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// discoveryCache keeps on disk what discovery answered, and asks the server each time whether that is still
// so: an answer is never older than the question. A server without ETags is simply asked.
type discoveryCache struct {
	dir  string
	next http.RoundTripper
}

type cachedAnswer struct {
	ETag        string `json:"etag"`
	ContentType string `json:"contentType"`
	Body        []byte `json:"body"`
}

// maxCachedAnswer bounds what is kept of one answer, in bytes.
const maxCachedAnswer = 64 << 20

// RoundTrip implements http.RoundTripper. What goes wrong with the disk only costs the time it would have saved.
func (c discoveryCache) RoundTrip(request *http.Request) (*http.Response, error) {
	path := strings.TrimSuffix(request.URL.Path, "/")
	discovers := strings.HasSuffix(path, "/api") || strings.HasSuffix(path, "/apis")
	if c.dir == "" || request.Method != http.MethodGet || !discovers {
		return c.next.RoundTrip(request)
	}
	file := c.file(request)
	known, found := readCached(file)
	if found {
		request = request.Clone(request.Context())
		request.Header.Set("If-None-Match", known.ETag)
	}
	response, err := c.next.RoundTrip(request)
	switch {
	case err != nil:
		return nil, err
	case found && response.StatusCode == http.StatusNotModified:
		return known.answer(response), nil
	case response.StatusCode == http.StatusOK && response.Header.Get("ETag") != "":
		return writeCached(file, response)
	}
	return response, nil
}

// file is named after everything that the answer depends on; who asks is not part of that.
func (c discoveryCache) file(request *http.Request) string {
	question := request.URL.String() + "\n" + request.Header.Get("Accept")
	return filepath.Join(c.dir, fmt.Sprintf("%x.json", sha256.Sum256([]byte(question))))
}

func readCached(file string) (known cachedAnswer, found bool) {
	data, err := os.ReadFile(file)
	found = err == nil && json.Unmarshal(data, &known) == nil && known.ETag != "" && len(known.Body) > 0
	return known, found
}

// answer is the response as it was when it was remembered.
func (known cachedAnswer) answer(response *http.Response) *http.Response {
	_ = response.Body.Close()
	response.StatusCode, response.Status = http.StatusOK, "200 OK"
	response.Header.Set("Content-Type", known.ContentType)
	response.Header.Del("Content-Length")
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(known.Body)), int64(len(known.Body))
	return response
}

func writeCached(file string, response *http.Response) (*http.Response, error) {
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxCachedAnswer))
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	if len(body) == maxCachedAnswer {
		return response, nil
	}
	header := response.Header
	known := cachedAnswer{ETag: header.Get("ETag"), ContentType: header.Get("Content-Type"), Body: body}
	if data, err := json.Marshal(known); err == nil && os.MkdirAll(filepath.Dir(file), 0o750) == nil {
		replaceFile(file, data)
	}
	return response, nil
}

// replaceFile writes a file that somebody else may be reading.
func replaceFile(file string, data []byte) {
	temporary, err := os.CreateTemp(filepath.Dir(file), "new-*")
	if err != nil {
		return
	}
	_, err = temporary.Write(data)
	if closed := temporary.Close(); err == nil && closed == nil && os.Rename(temporary.Name(), file) == nil {
		return
	}
	_ = os.Remove(temporary.Name())
}

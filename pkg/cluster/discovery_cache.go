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
// so: an answer is never older than the question. A server without ETags is simply asked. What is no answer to a
// question about what is served is an error, kept or not.
type discoveryCache struct {
	dir  string // empty to keep nothing
	base string // of the server's paths
	next http.RoundTripper

	silent *silences
}

type cachedAnswer struct {
	ETag        string `json:"etag"`
	ContentType string `json:"contentType"`
	Body        []byte `json:"body"`
}

// RoundTrip implements http.RoundTripper. What goes wrong with the disk only costs the time it would have saved.
func (c discoveryCache) RoundTrip(request *http.Request) (*http.Response, error) {
	kinds := discoveryKinds(strings.TrimPrefix(request.URL.Path, strings.TrimSuffix(c.base, "/")))
	if request.Method != http.MethodGet || kinds == nil {
		return c.next.RoundTrip(request)
	}
	keeps := c.dir != "" && kinds[0] == aggregatedKind
	file, known, found := c.file(request), cachedAnswer{}, false
	if err := c.silent.of(file); err != nil {
		return nil, err
	}
	if keeps {
		known, found = readCached(file)
	}
	if found {
		request = request.Clone(request.Context())
		request.Header.Set("If-None-Match", known.ETag)
	}
	response, err := c.next.RoundTrip(request)
	switch {
	case err != nil:
		return nil, c.silent.note(request.Context(), file, err)
	case found && response.StatusCode == http.StatusNotModified:
		return checked(known.answer(response), known.Body, kinds)
	case response.StatusCode != http.StatusOK:
		return response, nil
	}
	body, err := readAnswer(response.Body)
	_ = response.Body.Close()
	if err != nil {
		return nil, c.silent.note(request.Context(), file, err)
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	if _, err := checked(response, body, kinds); err != nil {
		return nil, err
	}
	if keeps && response.Header.Get("ETag") != "" {
		writeCached(file, response.Header, body)
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

func writeCached(file string, header http.Header, body []byte) {
	known := cachedAnswer{ETag: header.Get("ETag"), ContentType: header.Get("Content-Type"), Body: body}
	if data, err := json.Marshal(known); err == nil && os.MkdirAll(filepath.Dir(file), 0o750) == nil {
		replaceFile(file, data)
	}
}

// replaceFile writes a file that another process may be reading.
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

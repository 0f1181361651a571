package controlplane

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"strings"
)

// program begins the user agent of what is tested.
const program = "kubectl-finalizers/"

// Astray returns what the program has sent by now by other paths than of objects, lists and discovery, whoever asked,
// directly and through each Front, and how many requests it has sent in all.
func (c *ControlPlane) Astray(ctx context.Context) (astray []string, sent int, err error) {
	c.astray.mu.Lock()
	astray, sent = append(astray, c.astray.paths...), c.astray.sent
	c.astray.mu.Unlock()
	file, err := os.Open(c.Audit)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = file.Close() }()
	for lines := bufio.NewReader(file); ctx.Err() == nil; {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return astray, sent, nil // the last line may be half written
		}
		if err != nil {
			return nil, 0, err
		}
		if !bytes.Contains(line, []byte(program)) {
			continue // to decode all of them takes long
		}
		var request Request
		if err := json.Unmarshal(line, &request); err != nil {
			return nil, 0, fmt.Errorf("a line of the audit log: %w", err)
		}
		if !strings.HasPrefix(request.UserAgent, program) {
			continue
		}
		sent++
		if why := strays(request.RequestURI); why != "" {
			astray = append(astray, fmt.Sprintf("%s %s: %s", request.Verb, request.RequestURI, why))
		}
	}
	return nil, 0, ctx.Err()
}

// resourcePath is the path of objects: their list, one of them, or one of the subresources that are asked for.
var resourcePath = regexp.MustCompile(`^/(?:api/v1|apis/[a-z0-9.-]+/[a-z0-9-]+)(?:/namespaces/([a-z0-9-]+))?` +
	`/[a-z][a-z0-9-]*(?:/([^/%]+)(?:/(?:log|status|finalize|scale))?)?$`)

// discoveryPath is a path of discovery, and of /version. Nothing asks for OpenAPI.
var discoveryPath = regexp.MustCompile(`^/(?:api|apis|api/v1|apis/[a-z0-9.-]+(?:/[a-z0-9-]+)?|version)/?$`)

// strays says why no command should send a request, or nothing.
func strays(uri string) string {
	parsed, err := url.Parse(uri)
	if err != nil {
		return err.Error()
	}
	path := resourcePath.FindStringSubmatch(parsed.Path)
	switch {
	case strings.Contains(strings.ToLower(parsed.EscapedPath()), "%2f"):
		return "a name has a slash"
	case discoveryPath.MatchString(parsed.Path):
		return ""
	case path == nil:
		return "not the path of an object or a list"
	case path[2] == "." || path[2] == "..":
		return fmt.Sprintf("%q is no name", path[2])
	}
	return ""
}

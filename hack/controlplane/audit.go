package controlplane

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Request is one line of the audit log: one request as the API server saw it.
type Request struct {
	Verb       string `json:"verb"`
	RequestURI string `json:"requestURI"`
	UserAgent  string `json:"userAgent"`
	User       struct {
		Username string `json:"username"`
	} `json:"user"`
	Stage          string `json:"stage"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
	// ResponseObject is what was answered to reads of Secrets.
	ResponseObject struct {
		Kind string `json:"kind"`
	} `json:"responseObject"`
}

// Writes reports whether the request could have changed something. A dry run on the server's side could not: it goes
// through admission and validation, and is not stored.
func (r Request) Writes() bool {
	switch r.Verb {
	case "get", "list", "watch", "head", "options":
		return false
	}
	parsed, err := url.Parse(r.RequestURI)
	return err != nil || parsed.Query().Get("dryRun") != "All"
}

// ReadsSecrets reports whether the request got Secrets with their data.
func (r Request) ReadsSecrets() bool {
	return r.ResponseObject.Kind == "Secret" || r.ResponseObject.Kind == "SecretList"
}

// Permission returns what the request needed, and false when it was about no resource.
func (r Request) Permission() (Permission, bool) {
	methods := map[string]string{
		"create": http.MethodPost, "update": http.MethodPut, "patch": http.MethodPatch,
		"delete": http.MethodDelete, "deletecollection": http.MethodDelete,
	}
	return PermissionFor(cmp.Or(methods[r.Verb], http.MethodGet), r.RequestURI)
}

// Requests returns the audit log's finished requests by one user, in the log's order. kubeconfig is
// the user's own: a last request is sent with it and waited for, so that all earlier ones are in.
func (c *ControlPlane) Requests(ctx context.Context, user, kubeconfig string) ([]Request, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	last := fmt.Sprintf("%s%d", marker, time.Now().UnixNano())
	response, err := httpClient.Get(config.Host + last)
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()

	tail := c.tailOf(user, 0)
	err = wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, startTimeout, true,
		func(context.Context) (bool, error) {
			return tail.readTo(c.Audit, user, last)
		})
	if err != nil {
		return nil, fmt.Errorf("read the audit log for %s: %w", user, err)
	}
	return tail.finished(), nil
}

// auditTails are what was read of the audit log for each user. It grows to hundreds of megabytes, so that nothing in it
// is read twice.
type auditTails struct {
	mu    sync.Mutex
	users map[string]*auditTail
}

// auditTail is what one user has sent, up to an offset in the audit log.
type auditTail struct {
	mu       sync.Mutex
	offset   int64
	requests []Request
}

// tailOf returns what is known of a user's requests: for a new user, what stands after an offset in the log.
func (c *ControlPlane) tailOf(user string, offset int64) *auditTail {
	c.tails.mu.Lock()
	defer c.tails.mu.Unlock()
	if c.tails.users == nil {
		c.tails.users = map[string]*auditTail{}
	}
	if c.tails.users[user] == nil {
		c.tails.users[user] = &auditTail{offset: offset}
	}
	return c.tails.users[user]
}

// endOfAudit is where the audit log ends: a user who is made now can have sent nothing before it.
func (c *ControlPlane) endOfAudit() int64 {
	file, err := os.Stat(c.Audit)
	if err != nil {
		return 0
	}
	return file.Size()
}

func (t *auditTail) finished() []Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.requests)
}

// readTo reads the complete lines after what was read before, and reports whether the user's request with a URI is
// among them.
func (t *auditTail) readTo(path, user, uri string) (seen bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Seek(t.offset, io.SeekStart); err != nil {
		return false, err
	}
	lines := bufio.NewReader(file)
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return seen, nil // the last line may be half written
		}
		if err != nil {
			return seen, err
		}
		t.offset += int64(len(line))
		if !bytes.Contains(line, []byte(user)) {
			continue // to decode all of them takes long
		}
		var request Request
		if err := json.Unmarshal(line, &request); err != nil {
			return seen, fmt.Errorf("a line of the audit log: %w", err)
		}
		finished := request.User.Username == user && request.Stage == "ResponseComplete"
		switch {
		case request.RequestURI == uri:
			seen = true
		case finished && !strings.HasPrefix(request.RequestURI, marker):
			t.requests = append(t.requests, request)
		}
	}
}

// marker begins the requests that are sent to be found in the log.
const marker = "/version?audit-marker="

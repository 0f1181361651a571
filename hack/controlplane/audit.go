package controlplane

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
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
}

// Writes tells whether the request could have changed something. A dry run on the server's side could
// not: it goes through admission and validation, and is not stored.
func (r Request) Writes() bool {
	switch r.Verb {
	case "get", "list", "watch", "head", "options":
		return false
	}
	parsed, err := url.Parse(r.RequestURI)
	return err != nil || parsed.Query().Get("dryRun") != "All"
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
	const marker = "/version?audit-marker="
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

	var requests []Request
	err = wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, startTimeout, true, func(context.Context) (bool, error) {
		requests = nil
		seen := false
		err := c.scanAudit(user, func(r Request) {
			switch {
			case r.RequestURI == last:
				seen = true
			case r.User.Username == user && r.Stage == "ResponseComplete" && !isMarker(r, marker):
				requests = append(requests, r)
			}
		})
		return seen, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the audit log for %s: %w", user, err)
	}
	return requests, nil
}

func isMarker(r Request, marker string) bool {
	return len(r.RequestURI) >= len(marker) && r.RequestURI[:len(marker)] == marker
}

// scanAudit visits the lines that mention a user: to decode all of them takes long.
func (c *ControlPlane) scanAudit(user string, visit func(Request)) error {
	file, err := os.Open(c.Audit)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var request Request
		if !bytes.Contains(lines.Bytes(), []byte(user)) {
			continue
		}
		if json.Unmarshal(lines.Bytes(), &request) == nil { // the last line may be half written
			visit(request)
		}
	}
	return lines.Err()
}

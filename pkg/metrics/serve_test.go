package metrics

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/util/cert"
)

// served starts a Server, and returns its address and what ends it and returns its error.
func served(t *testing.T, server *Server) (address string, end func() error) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- server.Serve(ctx, listener) }()
	end = func() error {
		cancel()
		return <-done
	}
	return listener.Addr().String(), end
}

func get(t *testing.T, client *http.Client, url, token string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// TestServe is ready after the first look, serves the numbers, and ends with its context.
func TestServe(t *testing.T) {
	ready := make(chan struct{})
	exporter := of(crowd(3))
	inner := exporter.Look
	exporter.Look = func(ctx context.Context) (*Numbers, error) {
		<-ready
		return inner(ctx)
	}
	address, end := served(t, &Server{Exporters: []*Exporter{exporter}, Version: "v1"})
	client := &http.Client{}
	for path, want := range map[string]int{"/readyz": 503, "/healthz": 200, "/metrics": 200, "/": 404} {
		if status, body := get(t, client, "http://"+address+path, ""); status != want {
			t.Errorf("before the first look, %s answers %d %s; want %d", path, status, body, want)
		}
	}
	close(ready)
	for exporter.Ready() != nil {
		time.Sleep(time.Millisecond)
	}
	if status, _ := get(t, client, "http://"+address+"/readyz", ""); status != http.StatusOK {
		t.Errorf("/readyz answers %d after the first look", status)
	}
	_, body := get(t, client, "http://"+address+"/metrics", "")
	for _, want := range []string{
		"finalizers_verdicts{verdict=\"Stuck\"} 1\n", "process_cpu_seconds_total", "go_goroutines",
		`finalizers_build_info{version="v1"} 1`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("/metrics doesn't have %s:\n%s", want, body)
		}
	}
	response, err := client.Post("http://"+address+"/metrics", "text/plain", nil)
	if err != nil || response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a POST is answered with %v, %v", response, err)
	}
	if err := end(); err != nil {
		t.Errorf("it ends with %v", err)
	}
	if _, err := net.DialTimeout("tcp", address, time.Second); err == nil {
		t.Error("it listens still")
	}
}

// TestEndWhileLooking waits for no look that heeds its context.
func TestEndWhileLooking(t *testing.T) {
	looking := make(chan struct{})
	exporter := NewExporter(Options{Interval: time.Minute, Look: func(ctx context.Context) (*Numbers, error) {
		close(looking)
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	_, end := served(t, &Server{Exporters: []*Exporter{exporter}})
	<-looking
	if err := end(); err != nil {
		t.Error(err)
	}
}

// newPair writes a certificate for a host name and its key.
func newPair(t *testing.T, server *Server, host string) *x509.CertPool {
	t.Helper()
	certificate, key, err := cert.GenerateSelfSignedCertKey(host, nil, nil)
	if err == nil {
		err = errors.Join(os.WriteFile(server.CertFile, certificate, 0o600), os.WriteFile(server.KeyFile, key, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certificate)
	return pool
}

// TestTLS takes new certificates as they are written, and keeps the last one while only half of a pair is there.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	server := &Server{
		Exporters: []*Exporter{of(crowd(1))}, CertFile: filepath.Join(dir, "tls.crt"), KeyFile: filepath.Join(dir, "tls.key"),
	}
	first := newPair(t, server, "first.example.com")
	address, end := served(t, server)
	reach := func(pool *x509.CertPool, name string) error {
		connection, err := (&tls.Dialer{Config: &tls.Config{RootCAs: pool, ServerName: name}}).
			DialContext(t.Context(), "tcp", address)
		if err == nil {
			_ = connection.Close()
		}
		return err
	}
	if err := reach(first, "first.example.com"); err != nil {
		t.Error(err)
	}
	second := newPair(t, server, "second.example.com")
	if err := reach(second, "second.example.com"); err != nil {
		t.Errorf("the new certificate isn't taken: %v", err)
	}
	if err := os.WriteFile(server.CertFile, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := reach(second, "second.example.com"); err != nil {
		t.Errorf("half a pair ends it: %v", err)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Serve(t.Context(), listener); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("with half a pair from the beginning: %v", err)
	}
}

// reviewer knows a few tokens.
type reviewer struct{ asked int }

func (r *reviewer) MayGet(_ context.Context, token, path string) (user string, allowed bool, err error) {
	r.asked++
	switch token {
	case "scraper":
		return "prometheus", path == "/metrics", nil
	case "other":
		return "other", false, nil
	case "broken":
		return "", false, errors.New("no answer")
	}
	return "", false, nil
}

// TestGuard lets in who may get the path, asks once a minute, and remembers no failure.
func TestGuard(t *testing.T) {
	tokens := &reviewer{}
	address, end := served(t, &Server{Exporters: []*Exporter{of(crowd(1))}, Guard: Guard(tokens)})
	client := &http.Client{}
	for _, c := range []struct {
		token  string
		status int
		asked  int
	}{
		{"", 401, 0}, {"scraper", 200, 1}, {"scraper", 200, 0}, {"other", 403, 1}, {"other", 403, 0}, {"nobody", 401, 1},
		{"broken", 503, 1}, {"broken", 503, 1},
	} {
		before := tokens.asked
		status, body := get(t, client, "http://"+address+"/metrics", c.token)
		if status != c.status || tokens.asked-before != c.asked {
			t.Errorf("%q: %d with %d questions, want %d with %d", c.token, status, tokens.asked-before, c.status, c.asked)
		}
		if status != 200 && strings.Contains(body, "finalizers_") {
			t.Errorf("%q is told %s", c.token, body)
		}
	}
	if status, _ := get(t, client, "http://"+address+"/healthz", ""); status != 200 {
		t.Errorf("/healthz answers %d without a token", status)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
	g := &guard{reviewer: tokens, reviews: make(chan struct{}, 1), known: map[[32]byte]decision{}}
	now := time.Unix(1_800_000_000, 0)
	g.now = func() time.Time { return now }
	for step, asked := range []int{1, 0, 1} {
		before := tokens.asked
		if status := g.decide(t.Context(), "scraper", "/metrics"); status != 200 || tokens.asked-before != asked {
			t.Errorf("step %d: %d with %d questions, want 200 with %d", step, status, tokens.asked-before, asked)
		}
		now = now.Add(rememberedFor * 2 / 3)
	}
	for i := range mostRemembered + 10 {
		g.decide(t.Context(), strings.Repeat("x", i+1), "/metrics")
	}
	if len(g.known) > mostRemembered {
		t.Errorf("%d answers are remembered", len(g.known))
	}
}

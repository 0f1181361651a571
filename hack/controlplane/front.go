package controlplane

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// frontUser is the user in whose name a Front asks. The audit log leaves it out: a Front sees every
// request itself, and there are tens of thousands.
const frontUser = "controlplane-front"

// Front is a proxy in front of the API server, for what a real one can't be made to do on demand, or
// in time: to refuse one permission, to fail for one group, to hang. Whoever asks through it has a
// cluster administrator's rights, less what a Hurdle takes away.
type Front struct {
	server *http.Server
	astray *astray
	proxy  http.Handler
	url    string

	mu      sync.Mutex
	put     int // hurdles so far
	hurdles map[string]Hurdle
}

// astray counts the program's requests that met a Front, and has those by paths that no command should ask for.
type astray struct {
	mu    sync.Mutex
	sent  int
	paths []string
}

func (a *astray) note(r *http.Request, uri string) {
	if !strings.HasPrefix(r.UserAgent(), program) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sent++
	if why := strays(uri); why != "" {
		a.paths = append(a.paths, fmt.Sprintf("%s %s: %s", r.Method, uri, why))
	}
}

// Hurdle handles a request in the API server's stead and returns true, or lets it pass.
type Hurdle func(http.ResponseWriter, *http.Request) bool

// NewFront starts a proxy, which the caller must Close.
func (c *ControlPlane) NewFront(ctx context.Context) (*Front, error) {
	kubeconfig, err := c.UserKubeconfig(ctx, "front", frontUser, ClusterAdmins)
	if err != nil {
		return nil, err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, err
	}
	server, err := url.Parse(config.Host)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	silent := log.New(io.Discard, "", 0) // who gives up waiting is no error
	proxy := httputil.NewSingleHostReverseProxy(server)
	proxy.Transport, proxy.ErrorLog = transport, silent
	front := &Front{
		astray: &c.astray, proxy: proxy, url: "http://" + listener.Addr().String(), hurdles: map[string]Hurdle{},
	}
	front.server = &http.Server{Handler: front, ReadHeaderTimeout: 10 * time.Second, ErrorLog: silent}
	go func() { _ = front.server.Serve(listener) }()
	return front, nil
}

// Close stops the proxy, requests that hang included.
func (f *Front) Close() error { return f.server.Close() }

// Put sets up a hurdle until the context ends, and returns the server's URL for requests that must meet it.
func (f *Front) Put(ctx context.Context, hurdle Hurdle) (server string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.put++
	name := strconv.Itoa(f.put)
	f.hurdles[name] = hurdle
	context.AfterFunc(ctx, func() { // what a hurdle remembers would stay for as long as the proxy
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.hurdles, name)
	})
	return f.url + "/" + name
}

// Pass has the API server answer a request that met a Hurdle.
func (f *Front) Pass(w http.ResponseWriter, r *http.Request) { f.proxy.ServeHTTP(w, r) }

// ServeHTTP implements http.Handler. The first element of a path names the hurdle.
func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	f.astray.note(r, strings.TrimPrefix(r.RequestURI, "/"+name))
	f.mu.Lock()
	hurdle := f.hurdles[name]
	f.mu.Unlock()
	if hurdle == nil {
		http.Error(w, fmt.Sprintf("there is no hurdle %q", name), http.StatusBadGateway)
		return
	}
	r.URL.Path, r.URL.RawPath = "/"+rest, ""
	if !hurdle(w, r) {
		f.proxy.ServeHTTP(w, r)
	}
}

package metrics

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Server serves Exporters, one for each cluster.
type Server struct {
	Exporters []*Exporter
	Version   string // of this program, for finalizers_build_info
	// CertFile and KeyFile are for TLS, or empty. They are read for each connection, so that new ones are taken.
	CertFile, KeyFile string
	// Guard wraps the handler of /metrics. It may be nil: everybody is let in.
	Guard func(http.Handler) http.Handler
}

// Bounds of a request, and of the time that those in progress have at the end.
const (
	mostScrapes   = 8  // whose answers are put together at a time
	mostReaders   = 64 // who are sent their answers at a time
	scrapeTime    = 10 * time.Second
	idleTime      = 2 * time.Minute
	timeForTheEnd = 5 * time.Second
)

// Serve looks and answers until ctx ends, and returns when nothing of either is left. /metrics has the numbers, /readyz
// answers 200 after the first look, and /healthz unless a look hangs. The error is what keeps it from serving: nil
// after ctx has ended.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	if s.CertFile != "" {
		pair := &keyPair{certFile: s.CertFile, keyFile: s.KeyFile}
		if _, err := pair.current(nil); err != nil {
			return errors.Join(err, listener.Close())
		}
		listener = tls.NewListener(listener, &tls.Config{
			GetCertificate: pair.current, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		})
	}
	handler, err := s.handler()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	server := &http.Server{
		Handler: handler, ReadTimeout: scrapeTime, WriteTimeout: 2 * scrapeTime, IdleTimeout: idleTime,
		ErrorLog: log.New(io.Discard, "", 0), // whoever connects and says nothing is no news
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var looking sync.WaitGroup
	for _, exporter := range s.Exporters {
		looking.Go(func() { exporter.Run(ctx) })
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		ending, ended := context.WithTimeout(context.WithoutCancel(ctx), timeForTheEnd)
		defer ended()
		if err = server.Shutdown(ending); err != nil {
			err = server.Close() // scrapes that take longer are cut off
		}
	}
	cancel()
	looking.Wait()
	return err
}

// healthy is an error where a look hangs.
func (s *Server) healthy() (err error) {
	for _, exporter := range s.Exporters {
		err = errors.Join(err, exporter.Healthy())
	}
	return err
}

// ready is an error until a look has succeeded: of several clusters, one that is down must not hide the others.
func (s *Server) ready() (err error) {
	for _, exporter := range s.Exporters {
		one := exporter.Ready()
		if one == nil {
			return nil
		}
		err = errors.Join(err, one)
	}
	return err
}

// handler serves the metrics of the Exporters, those of the program, and those of its process.
func (s *Server) handler() (http.Handler, error) {
	registry, err := Registry(s.Version, s.Exporters...)
	if err == nil {
		err = errors.Join(registry.Register(collectors.NewGoCollector()),
			registry.Register(collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})))
	}
	if err != nil {
		return nil, err
	}
	var metrics http.Handler = newTurns(promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		Timeout: scrapeTime, EnableOpenMetrics: true,
	}))
	if s.Guard != nil {
		metrics = s.Guard(metrics)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /healthz", answers(s.healthy))
	mux.HandleFunc("GET /readyz", answers(s.ready))
	return mux, nil
}

// answers says ok, or that it isn't. Why not, whoever may see the metrics and the log sees.
func answers(check func() error) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if err := check(); err != nil {
			http.Error(w, "not ok", http.StatusServiceUnavailable)
			return
		}
		_, _ = fmt.Fprintln(w, "ok")
	}
}

// keyPair is a certificate in files that others may replace at any time.
type keyPair struct {
	certFile, keyFile string

	mu   sync.Mutex
	last *tls.Certificate
}

// current reads the certificate. While one half is replaced already and the other isn't, the last whole one stays.
func (p *keyPair) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	read, err := tls.LoadX509KeyPair(p.certFile, p.keyFile)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		p.last = &read
	} else if p.last == nil {
		return nil, fmt.Errorf("the certificate can't be used: %w", err)
	}
	return p.last, nil
}

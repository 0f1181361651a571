package controlplane

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// State says where a running control plane is to be found. It is written to state.json in the
// control plane's folder once everything is ready.
type State struct {
	PID        int    `json:"pid"` // the supervisor's
	Dir        string `json:"dir"`
	Server     string `json:"server"`     // host and port of kube-apiserver
	Etcd       string `json:"etcd"`       // URL of etcd, which asks for no credentials
	Kubeconfig string `json:"kubeconfig"` // of a cluster administrator
	Audit      string `json:"audit"`      // the audit log's path
	Version    string `json:"version"`    // of Kubernetes, as which it behaves: 1.37
}

func statePath(dir string) string  { return filepath.Join(dir, "state.json") }
func socketPath(dir string) string { return filepath.Join(dir, "socket") }
func auditLog(dir string) string   { return filepath.Join(dir, "audit.log") }

// userRequest asks for a kubeconfig in the name of a user.
type userRequest struct {
	Name   string   `json:"name"`
	Groups []string `json:"groups,omitempty"`
}

// serve answers on the control plane's socket until ctx ends. The socket is the sign that the
// control plane is ready.
func (s *supervisor) serve(ctx context.Context, state State) error {
	listener, err := net.Listen("unix", socketPath(s.dir))
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(state)
	if err != nil {
		return err
	}
	if err := os.WriteFile(statePath(s.dir), encoded, 0o600); err != nil {
		return err
	}
	server := &http.Server{Handler: s.handler(), ReadHeaderTimeout: time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func (s *supervisor) handler() http.Handler {
	mux := http.NewServeMux()
	act := func(path string, do func() error) {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, _ *http.Request) {
			if err := do(); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
			}
		})
	}
	act("/controller-manager/pause", func() error { s.pauseControllerManager(); return nil })
	act("/controller-manager/resume", func() error { return s.resumeControllerManager(true) })
	act("/controller-manager/alone", func() error { return s.resumeControllerManager(false) })
	act("/kwok/start", s.startKwok)
	mux.HandleFunc("POST /kwok/log", func(w http.ResponseWriter, r *http.Request) {
		var log ContainerLog
		err := json.NewDecoder(r.Body).Decode(&log)
		if err == nil {
			err = s.setLog(log)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	act("/apiserver/restart", s.restartAPIServer)
	act("/stop", func() error { s.stop(); return nil })
	mux.HandleFunc("POST /users", func(w http.ResponseWriter, r *http.Request) {
		var wanted userRequest
		if err := json.NewDecoder(r.Body).Decode(&wanted); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		kubeconfig, err := s.user(wanted.Name, wanted.Groups)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(kubeconfig)
	})
	return mux
}

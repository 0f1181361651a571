package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// superviseEnv holds the folder of the control plane that this process supervises; attachedEnv says that the supervisor
// ends when its standard input does.
const (
	superviseEnv = "CONTROLPLANE_SUPERVISE"
	attachedEnv  = "CONTROLPLANE_ATTACHED"
)

// Bounds of waits that end when something happens. This takes seconds on two idle cores, and an unknown time on a busy
// machine.
const (
	startTimeout = 5 * time.Minute
	stopPatience = time.Minute
)

// SuperviseIfAsked turns this process into a supervisor, and never returns, when its environment
// says so. Every program that calls Start must call it first: Start runs the same program again.
func SuperviseIfAsked() {
	dir := os.Getenv(superviseEnv)
	if dir == "" {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if os.Getenv(attachedEnv) != "" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin) // ends when whoever started us does, however it ended
			cancel()
		}()
	}
	if err := supervise(ctx, dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// supervisor owns the processes of one control plane.
type supervisor struct {
	dir      string
	binaries Binaries
	release  release
	env      *envtest.Environment
	ports    ports
	stop     context.CancelFunc

	mu                sync.Mutex
	controllerManager *process
	paused            bool
	elects            bool // a leader, before it acts
	kwok              *process
	kubelet           kubelet
}

// supervise boots a control plane in dir, serves its socket until ctx ends or a client asks it to stop, and then stops
// everything.
func supervise(ctx context.Context, dir string) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &supervisor{dir: dir, stop: cancel}
	defer func() { err = errors.Join(err, s.shutDown()) }()
	if s.binaries, err = FindBinaries(); err != nil {
		return err
	}
	if s.release, err = releaseOf(s.binaries.APIServer, os.Getenv(versionEnv)); err != nil {
		return err
	}
	state, err := s.boot(ctx)
	if err != nil {
		return err
	}
	return s.serve(ctx, state)
}

// boot starts the components in order and returns once the controllers act.
func (s *supervisor) boot(ctx context.Context) (State, error) {
	proxy, err := newFrontProxy(s.dir)
	if err != nil {
		return State{}, err
	}
	if err := os.WriteFile(filepath.Join(s.dir, "audit-policy.yaml"), []byte(auditPolicy), 0o600); err != nil {
		return State{}, err
	}
	logs, err := os.Create(filepath.Join(s.dir, "etcd-and-kube-apiserver.log"))
	if err != nil {
		return State{}, err
	}
	server := &envtest.APIServer{
		Path: s.binaries.APIServer, CertDir: filepath.Join(s.dir, "certs"), Out: logs, Err: logs,
	}
	configureAPIServer(server, s.dir, proxy, s.release)
	etcd := &envtest.Etcd{Path: s.binaries.Etcd, DataDir: filepath.Join(s.dir, "etcd"), Out: logs, Err: logs}
	for _, folder := range []string{server.CertDir, etcd.DataDir} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return State{}, err
		}
	}
	if err := s.ports.giveTo(server, etcd); err != nil {
		return State{}, err
	}
	s.env = &envtest.Environment{
		ControlPlane:             envtest.ControlPlane{APIServer: server, Etcd: etcd},
		ControlPlaneStartTimeout: startTimeout,
		ControlPlaneStopTimeout:  stopPatience,
	}
	admin, err := s.env.Start()
	if err != nil {
		return State{}, fmt.Errorf("start etcd and kube-apiserver: %w\n%s", err, lastWords(logs.Name()))
	}
	state := State{
		PID: os.Getpid(), Dir: s.dir, Server: admin.Host, Etcd: etcd.URL.String(),
		Kubeconfig: filepath.Join(s.dir, "kubeconfig"), Audit: auditLog(s.dir),
		Version: s.release.String(),
	}
	if err := writeKubeconfig(s.env.KubeConfig, "controlplane", state.Kubeconfig); err != nil {
		return State{}, err
	}
	if err := s.resumeControllerManager(true); err != nil {
		return State{}, err
	}
	return state, waitForControllers(ctx, admin)
}

func (s *supervisor) user(name string, groups []string) ([]byte, error) {
	user, err := s.env.AddUser(envtest.User{Name: name, Groups: groups}, nil)
	if err != nil {
		return nil, err
	}
	return user.KubeConfig()
}

// startKwok starts what keeps Nodes alive.
func (s *supervisor) startKwok() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kwok.running() {
		return nil
	}
	port, err := s.kubeletPort()
	if err != nil {
		return err
	}
	args := nodesArgs(filepath.Join(s.dir, "kubeconfig"), port, s.binaries.KwokStages)
	s.kwok, err = startProcess(s.dir, s.binaries.Kwok, args)
	return err
}

func (s *supervisor) componentKubeconfig(user string) (string, error) {
	data, err := s.user(user, nil)
	if err != nil {
		return "", err
	}
	path := filepath.Join(s.dir, "kube-controller-manager.kubeconfig")
	return path, os.WriteFile(path, data, 0o600)
}

func (s *supervisor) shutDown() error {
	s.mu.Lock()
	s.paused = true
	s.kwok.stop(stopPatience)
	s.kubelet.process.stop(stopPatience)
	s.controllerManager.stop(0) // a graceful stop waits for its informers, and nothing is lost
	s.mu.Unlock()
	if s.env == nil {
		return nil
	}
	return s.env.Stop()
}

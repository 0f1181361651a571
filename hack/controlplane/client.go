package controlplane

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// ControlPlane is a handle on a running control plane.
type ControlPlane struct {
	State
	supervisor *http.Client
	leash      io.Closer     // an attached supervisor stops when this is closed
	ended      chan struct{} // closed when a supervisor started by this process has ended
	tails      auditTails
	astray     astray
}

// Options say how Start runs a control plane.
type Options struct {
	// Dir is an existing folder for everything the control plane writes. Keep the path short: a
	// socket's path may have about a hundred characters.
	Dir string
	// Detached lets the control plane outlive this process. Without it, it ends with it.
	Detached bool
	// Version is the version of Kubernetes as which the control plane behaves: 1.34. Without it, it is what
	// CONTROLPLANE_VERSION says, or that of the binaries.
	Version string
}

// Start boots a control plane and returns when its controllers act. The calling program must have
// called SuperviseIfAsked (or Main, in tests) at its start.
func Start(ctx context.Context, options Options) (*ControlPlane, error) {
	if _, err := FindBinaries(); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(options.Dir, "supervisor.log"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	// The supervisor's output must not be this process's: whoever waits for our output to end would
	// wait for the control plane as well.
	cmd := exec.Command(self)
	cmd.Env = append(supervisorEnv(), superviseEnv+"="+options.Dir, "HOME="+options.Dir)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	plane := &ControlPlane{ended: make(chan struct{})}
	if options.Version != "" {
		cmd.Env = append(cmd.Env, versionEnv+"="+options.Version)
	}
	if !options.Detached {
		cmd.Env = append(cmd.Env, attachedEnv+"=1")
		if plane.leash, err = cmd.StdinPipe(); err != nil {
			return nil, err
		}
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(plane.ended)
		_ = cmd.Wait() // what went wrong is in its log
	}()
	return plane, plane.waitUntilReady(ctx, options.Dir)
}

// supervisorEnv is what a supervisor, and with it the control plane, gets of this process's environment. A control
// plane must be the same, no matter which environment it is booted in: kube-apiserver would look for webhooks through a
// proxy, and envtest would use the person's own cluster where USE_EXISTING_CLUSTER says so.
//
// Its programs collect garbage more seldom than they would by themselves: a fifth of their work would be that.
func supervisorEnv() []string {
	env := []string{"LANG=C", "TZ=UTC", "GOGC=200"}
	for _, name := range []string{"PATH", "TMPDIR", "GOCOVERDIR", binariesEnv, versionEnv} {
		if value, set := os.LookupEnv(name); set {
			env = append(env, name+"="+value)
		}
	}
	return env
}

func (c *ControlPlane) waitUntilReady(ctx context.Context, dir string) error {
	err := wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, 2*startTimeout, true,
		func(context.Context) (bool, error) {
			select {
			case <-c.ended:
				return false, errors.New("its supervisor ended")
			default:
				return c.attach(dir) == nil, nil
			}
		})
	if err == nil {
		return nil
	}
	if c.leash != nil {
		_ = c.leash.Close()
	}
	said, _ := os.ReadFile(filepath.Join(dir, "supervisor.log"))
	return fmt.Errorf("the control plane in %s did not start: %w\n%s", dir, err, bytes.TrimSpace(said))
}

// Attach returns a handle on the control plane that runs in dir, or an error if none does.
func Attach(dir string) (*ControlPlane, error) {
	plane := &ControlPlane{}
	return plane, plane.attach(dir)
}

func (c *ControlPlane) attach(dir string) error {
	data, err := os.ReadFile(statePath(dir))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &c.State); err != nil {
		return err
	}
	c.supervisor = &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", socketPath(dir))
		},
	}}
	conn, err := net.Dial("unix", socketPath(dir))
	if err != nil {
		return err
	}
	return conn.Close()
}

// Stop takes the control plane down and returns when its processes are gone. The folder stays.
func (c *ControlPlane) Stop(ctx context.Context) error {
	if c.leash != nil {
		_ = c.leash.Close()
	} else if _, err := c.ask(ctx, "/stop", nil); err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(ctx, 20*time.Millisecond, startTimeout, true,
		func(context.Context) (bool, error) {
			if c.ended != nil {
				select {
				case <-c.ended:
					return true, nil
				default:
					return false, nil
				}
			}
			return syscall.Kill(c.PID, 0) != nil, nil
		})
}

// AdminConfig returns a client configuration with a cluster administrator's rights.
func (c *ControlPlane) AdminConfig() (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = -1, -1 // the server's own priority and fairness is enough
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return patient{next} })
	return config, nil
}

// AdminClient returns a client with a cluster administrator's rights.
func (c *ControlPlane) AdminClient() (kubernetes.Interface, error) {
	config, err := c.AdminConfig()
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(config)
}

// PauseControllerManager ends kube-controller-manager the way a crash would.
func (c *ControlPlane) PauseControllerManager(ctx context.Context) error {
	_, err := c.ask(ctx, "/controller-manager/pause", nil)
	return err
}

// RunControllerManagerAlone starts kube-controller-manager anew, without leader election: its Lease stays as it is.
func (c *ControlPlane) RunControllerManagerAlone(ctx context.Context) error {
	_, err := c.ask(ctx, "/controller-manager/alone", nil)
	return err
}

// ResumeControllerManager starts kube-controller-manager again, and returns when it holds its Lease.
func (c *ControlPlane) ResumeControllerManager(ctx context.Context) error {
	if _, err := c.ask(ctx, "/controller-manager/resume", nil); err != nil {
		return err
	}
	client, err := c.AdminClient()
	if err != nil {
		return err
	}
	return waitForLeader(ctx, client)
}

// RestartAPIServer stops kube-apiserver and starts it again: what it had cached is read anew.
func (c *ControlPlane) RestartAPIServer(ctx context.Context) error {
	_, err := c.ask(ctx, "/apiserver/restart", nil)
	return err
}

// ask posts one request to the supervisor and returns what it answers.
func (c *ControlPlane) ask(ctx context.Context, path string, body any) ([]byte, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://supervisor"+path, bytes.NewReader(encoded))
	if err != nil {
		return nil, err
	}
	response, err := c.supervisor.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask the control plane's supervisor for %s: %w", path, err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the control plane's supervisor refused %s: %s", path, bytes.TrimSpace(answer))
	}
	return answer, nil
}

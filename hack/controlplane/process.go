package controlplane

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// process is one running component whose life envtest doesn't manage.
type process struct {
	name string
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
}

// startProcess runs path with args. Its output goes to a log file in dir, named for the component.
func startProcess(dir, path string, args []string) (*process, error) {
	name := filepath.Base(path)
	log, err := os.OpenFile(filepath.Join(dir, name+".log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }()
	p := &process{name: name, cmd: exec.Command(path, args...), done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a terminal's Ctrl-C is the supervisor's to handle
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait() // how it ended is in its log
	}()
	return p, nil
}

func (p *process) running() bool {
	if p == nil {
		return false
	}
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// stop asks the process to end, waits up to patience and then kills it. A patience of 0 kills at
// once, which is how a crash looks to everybody else.
func (p *process) stop(patience time.Duration) {
	if !p.running() {
		return
	}
	if patience > 0 {
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.done:
			return
		case <-time.After(patience):
		}
	}
	_ = p.cmd.Process.Kill()
	<-p.done
}

// lastWords returns the end of a log, or why it can't be read.
func lastWords(log string) string {
	const most = 4000
	text, err := os.ReadFile(log)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-most):])
}

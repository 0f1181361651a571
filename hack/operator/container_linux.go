package operator

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// start runs a container. What it prints goes to a file. It ends with the thread that starts it, at the latest.
func (c container) start(log string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	said, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer func() { _ = said.Close() }()
	encoded, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	process := exec.Command(self)
	process.Env = []string{enterEnv + "=" + string(encoded)}
	process.Stdout, process.Stderr = said, said
	process.SysProcAttr = &syscall.SysProcAttr{
		Setpgid: true, Pdeathsig: syscall.SIGKILL, Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUTS,
	}
	if os.Getuid() != 0 { // in a user namespace, everybody may have the others
		process.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		process.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		process.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	if err := process.Start(); err != nil {
		return nil, fmt.Errorf("start %s in namespaces of its own: %w", c.Argv[0], err)
	}
	return process, nil
}

// EnterIfAsked turns this process into the program of a container, and never returns, when its environment says so.
// Every program that runs operators must call it first: the same program is run again.
func EnterIfAsked() {
	encoded := os.Getenv(enterEnv)
	if encoded == "" {
		return
	}
	var c container
	err := json.Unmarshal([]byte(encoded), &c)
	if err == nil {
		err = c.enter()
	}
	fmt.Fprintln(os.Stderr, "enter the container:", err)
	os.Exit(1)
}

// enter makes the mounts, changes the root and becomes the program. It returns only if that fails.
func (c container) enter() error {
	if err := syscall.Sethostname([]byte(c.Hostname)); err != nil {
		return err
	}
	// Nothing that is mounted from here on is seen outside.
	if err := syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return err
	}
	for _, one := range c.Mounts {
		if err := one.make(c.Root); err != nil {
			return fmt.Errorf("mount %s: %w", one.Target, err)
		}
	}
	if err := errors.Join(syscall.Chroot(c.Root), os.Chdir("/")); err != nil {
		return err
	}
	return syscall.Exec(c.Argv[0], c.Argv, c.Env)
}

func (m mount) make(root string) error {
	about, err := os.Stat(m.Source)
	if err != nil {
		return err
	}
	target := filepath.Join(root, m.Target)
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if about.IsDir() {
		err = os.MkdirAll(target, 0o755)
	} else {
		err = os.WriteFile(target, nil, 0o600)
	}
	if err != nil {
		return err
	}
	return syscall.Mount(m.Source, target, "", syscall.MS_BIND|syscall.MS_REC, "")
}

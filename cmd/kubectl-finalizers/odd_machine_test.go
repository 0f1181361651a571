package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// nobody is the user as whom the tests run once more where they run as root.
const nobody = 65534

// TestScriptsOnAnOddMachine runs all of TestScripts again on a machine that is odd in every way: the tests bring what
// they need themselves. This is about the tests and the control plane that they boot. testdata/script/environment.txtar
// shows that the program gives the same answers in an odd environment.
func TestScriptsOnAnOddMachine(t *testing.T) {
	t.Parallel()
	machine := newOddMachine(t)
	output, err := machine.run(t, "-test.run=^TestScripts$", "-test.v", "-test.timeout=3h") // a bound for what hangs
	if err != nil {
		t.Errorf("%v:\n%s", err, output)
	}
	// Nothing is proven by scripts that were not found, or skipped.
	ran := regexp.MustCompile(`--- PASS: TestScripts/(together|alone)/`).FindAllString(string(output), -1)
	if scripts, _ := filepath.Glob("testdata/*/*.txtar"); len(ran) < len(scripts)/2 {
		t.Errorf("%d scripts of %d passed:\n%s", len(ran), len(scripts), output)
	}
}

// oddMachine is a copy of what the scripts need, in a folder that any user may read.
type oddMachine struct {
	dir    string
	asRoot bool // this process may run others as another user, which takes more than its uid in some containers
}

func newOddMachine(t *testing.T) oddMachine {
	t.Helper()
	controlplane.Require(t)
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "odd-") // t.TempDir() is its owner's alone, and too long for the path of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	m := oddMachine{dir: dir}
	err = errors.Join(
		os.Chmod(dir, 0o755),
		os.Mkdir(m.path("bin"), 0o755), os.Mkdir(m.path("tmp"), 0o700),
		os.Mkdir(m.path("read-only"), 0o555), os.Mkdir(m.path("unreadable"), 0o000),
		place(self, m.path("bin/scripts.test")),
		os.CopyFS(m.path("source/cmd/kubectl-finalizers/testdata"), os.DirFS("testdata")),
		os.CopyFS(m.path("source/docs"), os.DirFS("../../docs")),
		os.CopyFS(m.path("source/hack/demo/scenarios"), os.DirFS("../../hack/demo/scenarios")),
		place("../../README.md", m.path("source/README.md")),
	)
	for _, path := range []string{
		binaries.Etcd, binaries.APIServer, binaries.ControllerManager, binaries.Kubectl, binaries.Kwok, binaries.KwokStages,
	} {
		err = errors.Join(err, place(path, m.path("bin/"+filepath.Base(path))))
	}
	if err != nil {
		t.Fatal(err)
	}
	m.asRoot = os.Geteuid() == 0 && os.Chown(m.path("tmp"), nobody, nobody) == nil
	return m
}

func (m oddMachine) path(name string) string { return filepath.Join(m.dir, name) }

// run runs the test binary with the odd environment.
func (m oddMachine) run(t *testing.T, args ...string) ([]byte, error) {
	t.Helper()
	args = append([]string{"-c", `umask 077 && exec "$@"`, "sh", m.path("bin/scripts.test")}, args...)
	cmd := exec.CommandContext(t.Context(), "sh", args...)
	cmd.Dir = m.path("source/cmd/kubectl-finalizers")
	cmd.Env = append(m.environment(),
		"CONTROLPLANE_REQUIRED=1", "CONTROLPLANE_BINARIES="+m.path("bin"), "TMPDIR="+m.path("tmp"))
	if m.asRoot {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return cmd.CombinedOutput()
}

// environment is odd in every way that has been thought of. What is odd must not end the tests' own tools: those
// come last in PATH.
func (m oddMachine) environment() []string {
	nowhere, dead := m.path("nowhere"), "http://127.0.0.1:1"
	variables := []string{
		"PATH=" + strings.Join([]string{nowhere, m.path("unreadable"), m.path("bin"), os.Getenv("PATH")}, ":"),
		"HOME=" + m.path("read-only"), "SHELL=/bin/false", "TERM=dumb", "COLUMNS=20", "LINES=2",
		"KUBECONFIG=" + nowhere, "KUBERNETES_SERVICE_HOST=127.0.0.1", "KUBERNETES_SERVICE_PORT=1", "KUBECACHEDIR=" + nowhere,
		"KUBERC=off", "KUBECTL_COMMAND_HEADERS=false", "USE_EXISTING_CLUSTER=true", "KUBEBUILDER_ASSETS=" + nowhere,
		"NO_COLOR=1", "CLICOLOR_FORCE=1", "FORCE_COLOR=1", "POSIXLY_CORRECT=1",
		"LANG=tr_TR.UTF-8", "LC_ALL=tr_TR.UTF-8", "LANGUAGE=tr", "TZ=Asia/Kathmandu",
		"GIT_DIR=" + nowhere, "GIT_CONFIG_GLOBAL=" + nowhere, "GODEBUG=http2client=0",
	}
	for _, name := range []string{"http_proxy", "https_proxy", "all_proxy"} {
		variables = append(variables, name+"="+dead, strings.ToUpper(name)+"="+dead)
	}
	for _, name := range []string{"CACHE", "CONFIG", "DATA", "STATE"} {
		variables = append(variables, "XDG_"+name+"_HOME="+nowhere)
	}
	return variables
}

// place puts a file where everybody may read and run it: as a second name for it where others may already.
func place(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.Mode()&0o005 == 0o005 && os.Link(from, to) == nil {
		return nil
	}
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

package uninstall

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const pluginName = "kubectl-finalizers"

// Planner is the user who asks for plans: whatever that is seen to write is an error.
const Planner = "planner"

// RunPlugin runs the program if this binary was called as the plugin, as scripts do, and ends the process then.
func RunPlugin() {
	if filepath.Base(os.Args[0]) != pluginName {
		return
	}
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	os.Exit(cli.Execute(context.Background(), streams, os.Args[1:]))
}

// People are the two who uninstall: one asks for plans, and the other one carries them out in a shell.
type People struct {
	// Admin and User are kubeconfigs: of the one who carries out, and of the planner.
	Admin, User string
	path        string // for shells
}

// NewPeople returns people for a control plane. Folder is empty, and gets what their shells find the plugin by: this
// binary, whose TestMain calls RunPlugin. It is an error if users can't be made.
func NewPeople(ctx context.Context, plane *controlplane.ControlPlane, folder string) (*People, error) {
	p := &People{}
	var err error
	if p.Admin, err = plane.UserKubeconfig(ctx, "lab", "uninstaller", controlplane.ClusterAdmins); err != nil {
		return nil, err
	}
	if p.User, err = plane.UserKubeconfig(ctx, "lab", Planner, controlplane.ClusterAdmins); err != nil {
		return nil, err
	}
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := os.Symlink(self, filepath.Join(folder, pluginName)); err != nil {
		return nil, err
	}
	folders := []string{filepath.Dir(binaries.Kubectl), folder, os.Getenv("PATH")}
	p.path = strings.Join(folders, string(os.PathListSeparator))
	return p, nil
}

// Shell runs a command as the one who carries out, with an input, and returns what it prints to both streams. It is an
// error, with all of that, if it fails.
func (p *People) Shell(ctx context.Context, input, folder string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, "sh", append([]string{"-c", `exec "$@"`, "sh"}, arguments...)...)
	command.Env = append(os.Environ(), "PATH="+p.path, "KUBECONFIG="+p.Admin)
	command.Stdin, command.Dir = strings.NewReader(input), folder
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	if err := command.Run(); err != nil {
		return out.String(), fmt.Errorf("%s: %w\n%s", strings.Join(arguments, " "), err, &out)
	}
	return out.String(), nil
}

// Ask runs the program as the planner, and returns its answer. It is an error if the program fails.
func (p *People) Ask(ctx context.Context, arguments ...string) (string, error) {
	var out, errOut bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	if code := cli.Execute(ctx, streams, append(arguments, "--kubeconfig", p.User)); code != 0 {
		return out.String(), fmt.Errorf("%s: exit code %d\n%s", strings.Join(arguments, " "), code, &errOut)
	}
	return out.String(), nil
}

// Plan returns the plan for arguments of uninstall.
func (p *People) Plan(ctx context.Context, asks []string) (*result.UninstallPlan, error) {
	text, err := p.Ask(ctx, slices.Concat([]string{"uninstall"}, asks, []string{"-o", "json"})...)
	if err != nil {
		return nil, err
	}
	plan := &result.UninstallPlan{}
	return plan, json.Unmarshal([]byte(text), plan)
}

// RunScript runs the script of the plan as it is now, and confirms so often. It leaves the script as uninstall.sh in
// folder. It returns what was printed, and an error if the script stops.
func (p *People) RunScript(ctx context.Context, folder string, asks []string, confirms int) (string, error) {
	script, err := p.Ask(ctx, slices.Concat([]string{"uninstall"}, asks, []string{"-o", "script"})...)
	if err != nil {
		return "", err
	}
	// The plan was made as the planner, and is carried out by someone else.
	script = strings.ReplaceAll(script, " --kubeconfig "+p.User, "")
	file := filepath.Join(folder, "uninstall.sh")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		return "", err
	}
	return p.Shell(ctx, strings.Repeat("yes\n", confirms), folder, "sh", file)
}

// Wrote returns the requests of the planner that have written something or read Secrets, and how many there were.
func (p *People) Wrote(ctx context.Context, plane *controlplane.ControlPlane) (wrong []string, all int, err error) {
	requests, err := plane.Requests(ctx, Planner, p.User)
	for _, request := range requests {
		if request.Writes() || request.ReadsSecrets() {
			wrong = append(wrong, request.Verb+" "+request.RequestURI)
		}
	}
	return wrong, len(requests), err
}

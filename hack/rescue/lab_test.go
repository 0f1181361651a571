// Package rescue_test deletes things by mistake on a real control plane, asks for a plan to rescue them, carries the
// printed commands out as they are, and looks what is left.
package rescue_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/testenv"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"k8s.io/cli-runtime/pkg/genericiooptions"
)

func TestMain(m *testing.M) {
	controlplane.SuperviseIfAsked()
	const program = "kubectl-finalizers"
	testscript.Main(testenv.Isolate(m, program), map[string]func(){program: func() {
		streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
		os.Exit(cli.Execute(context.Background(), streams, os.Args[1:]))
	}})
}

// lab is a control plane with a storage driver and operators that delete what is outside of the cluster.
type lab struct {
	plane   *controlplane.ControlPlane
	admin   string // the kubeconfig of the one who carries steps out
	rescuer string // and of the one who asks
	outside *outside
}

func newLab(t *testing.T) *lab {
	t.Helper()
	plane := controlplane.ForTest(t)
	l := &lab{plane: plane, outside: newOutside()}
	var err error
	if l.admin, err = plane.UserKubeconfig(t.Context(), "lab", "rescue-admin", controlplane.ClusterAdmins); err != nil {
		t.Fatal(err)
	}
	if l.rescuer, err = plane.UserKubeconfig(t.Context(), "lab", "rescuer", controlplane.ClusterAdmins); err != nil {
		t.Fatal(err)
	}
	if err := plane.AliveNode(t.Context(), "worker-1"); err != nil {
		t.Fatal(err)
	}
	l.outside.start(t, plane)
	return l
}

// run runs a command line in a shell, as a user.
func (l *lab) run(t *testing.T, kubeconfig, line string) (out string, err error) {
	t.Helper()
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", line) //nolint:gosec // what the plan says
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig,
		"PATH="+os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(binaries.Kubectl))
	var errors strings.Builder
	cmd.Stderr = &errors
	answer, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s%s", line, err, answer, errors.String())
	}
	return string(answer), err
}

// must runs a command line as the administrator, and fails the test if it fails.
func (l *lab) must(t *testing.T, line string) string {
	t.Helper()
	out, err := l.run(t, l.admin, line)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// create creates objects, as soon as what they need is there.
func (l *lab) create(t *testing.T, manifests string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "objects.yaml")
	if err := os.WriteFile(path, []byte(manifests), 0o600); err != nil {
		t.Fatal(err)
	}
	l.within(t, func() error {
		_, err := l.run(t, l.admin, "kubectl apply --server-side -f "+path)
		return err
	})
}

// within tries something until it succeeds, for a minute.
func (l *lab) within(t *testing.T, try func() error) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// field is a field of an object, or an error.
func (l *lab) field(t *testing.T, object, path string) (string, error) {
	t.Helper()
	return l.run(t, l.admin, "kubectl get "+object+" -o jsonpath='"+path+"'")
}

// becomes waits until a field of an object has a value.
func (l *lab) becomes(t *testing.T, object, path, want string) {
	t.Helper()
	l.within(t, func() error {
		got, err := l.field(t, object, path)
		if err == nil && got != want {
			return fmt.Errorf("%s of %s is %q, want %q", path, object, got, want)
		}
		return err
	})
}

// has waits until an object has a field.
func (l *lab) has(t *testing.T, object, path string) {
	t.Helper()
	l.within(t, func() error {
		found, err := l.field(t, object, path)
		if err == nil && found == "" {
			return fmt.Errorf("%s has no %s", object, path)
		}
		return err
	})
}

// ask asks for the plan, and has the manifests saved.
func (l *lab) ask(t *testing.T, target string, flags ...string) *result.RescuePlan {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "saved")
	line := "kubectl finalizers rescue " + target + " --save " + folder + " " + strings.Join(flags, " ")
	text, err := l.run(t, l.rescuer, line+" -o json")
	if err != nil {
		t.Fatal(err)
	}
	plan := &result.RescuePlan{}
	if err := json.Unmarshal([]byte(text), plan); err != nil {
		t.Fatal(err)
	}
	return plan
}

// carryOut does what the plan says, as it is printed.
func (l *lab) carryOut(t *testing.T, steps []result.RescueStep) {
	t.Helper()
	for _, step := range steps {
		for _, command := range step.Commands {
			t.Logf("%s: %s", step.Step, command)
			line := command.String()
			if command.Asks("remove") {
				line += l.consent(t, line)
			}
			if _, err := l.run(t, l.admin, line); err != nil {
				t.Fatalf("%s: %v", step.Action, err)
			}
		}
	}
}

// consent is the flag that consents to a removal, after its plan was read.
func (l *lab) consent(t *testing.T, line string) string {
	t.Helper()
	text, _ := l.run(t, l.admin, line+" -o json") // it exits with 5
	var report result.RemovalReport
	if err := json.Unmarshal([]byte(text), &report); err != nil {
		t.Fatalf("%s: %v: %s", line, err, text)
	}
	if report.Token == "" {
		t.Fatalf("%s: no token: %s", line, text)
	}
	return " --confirm " + report.Token
}

package zoo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// asker is a user who asks why.
type asker struct {
	plane      *controlplane.ControlPlane
	user       string
	kubeconfig string
	seen       int // requests in the audit log
}

// reply is what came back.
type reply struct {
	code        int
	out, errOut string
}

// ask runs the program within this process.
func (a *asker) ask(ctx context.Context, question zoo.Question, format string) reply {
	return why(ctx, question, "--kubeconfig", a.kubeconfig, "-o", format)
}

func why(ctx context.Context, question zoo.Question, flags ...string) reply {
	return about(ctx, "why", question, append(slices.Clone(question.Args), flags...)...)
}

// about runs a command about the target of a question.
func about(ctx context.Context, command string, question zoo.Question, flags ...string) reply {
	args := []string{command, question.Target}
	if question.Namespace != "" {
		args = append(args, "-n", question.Namespace)
	}
	return run(ctx, append(args, flags...)...)
}

// run runs the program within this process.
func run(ctx context.Context, args ...string) reply {
	var out, errOut bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	code := cli.Execute(ctx, streams, args)
	return reply{code: code, out: out.String(), errOut: errOut.String()}
}

// isGone reports whether the answer is that the object does not exist, or not any more.
func (r reply) isGone() bool {
	missing := strings.Contains(r.errOut, "not found") || strings.Contains(r.errOut, "is gone")
	return r.code == 1 && r.out == "" && missing
}

func (r reply) diagnosis(t *testing.T) *report.Diagnosis {
	t.Helper()
	if r.code != 0 {
		t.Fatalf("exit code %d\n%s%s", r.code, r.out, r.errOut)
	}
	var diagnosis report.Diagnosis
	if err := json.Unmarshal([]byte(r.out), &diagnosis); err != nil {
		t.Fatal(err)
	}
	return &diagnosis
}

package zoo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// asker is a user who asks why.
type asker struct {
	plane      *controlplane.ControlPlane
	user       string
	kubeconfig string
	seen       int       // requests in the audit log
	met        *meeting  // what a proxy saw of the requests, of who asks of a moment; nil for who asks the cluster
	at         time.Time // when everything is asked, however long it takes to ask it; zero for the present
	turns      turns     // what it waits for before each question; nil for nothing
}

// turns are of those who only work while they ask: as few at once as there is work for, as each holds what it has read.
type turns chan struct{}

func newTurns() turns { return make(turns, 2*runtime.NumCPU()) }

// take waits for a turn, and returns what ends it.
func (t turns) take() (end func()) {
	if t == nil {
		return func() {}
	}
	t <- struct{}{}
	return func() { <-t }
}

// outOfTurn is an asker who waits for answers, and lets others ask meanwhile.
func (a *asker) outOfTurn() *asker {
	other := *a
	other.turns = nil
	return &other
}

// reply is what came back.
type reply struct {
	code        int
	out, errOut string
}

// ask runs the program within this process.
func (a *asker) ask(ctx context.Context, question zoo.Question, format string) reply {
	return a.why(ctx, question, "--kubeconfig", a.kubeconfig, "-o", format)
}

func (a *asker) why(ctx context.Context, question zoo.Question, flags ...string) reply {
	return a.about(ctx, "why", question, append(slices.Clone(question.Args), flags...)...)
}

// why asks what has a time of its own: a recording.
func why(ctx context.Context, question zoo.Question, flags ...string) reply {
	return (&asker{}).why(ctx, question, flags...)
}

// about runs a command about the target of a question.
func (a *asker) about(ctx context.Context, command string, question zoo.Question, flags ...string) reply {
	args := []string{command, question.Target}
	if question.Namespace != "" {
		args = append(args, "-n", question.Namespace)
	}
	return a.run(ctx, append(args, flags...)...)
}

// run runs the program within this process.
func run(ctx context.Context, args ...string) reply { return (&asker{}).run(ctx, args...) }

// patientRequests has the program wait for a starved API server. It comes before other flags, which may say otherwise.
const patientRequests = "--request-timeout=5m"

func (a *asker) run(ctx context.Context, args ...string) reply {
	defer a.turns.take()()
	var by cli.Time
	if !a.at.IsZero() {
		by.Now = func() time.Time { return a.at }
	}
	if a.met != nil { // nothing changes, so that a second look needs no wait
		by.Pause = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	}
	var out, errOut bytes.Buffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	code := cli.ExecuteAt(ctx, by, "", streams, append([]string{args[0], patientRequests}, args[1:]...))
	return reply{code: code, out: out.String(), errOut: errOut.String()}
}

// isGone reports whether the answer is that the object does not exist, or not any more.
func (r reply) isGone() bool {
	missing := strings.Contains(r.errOut, "not found") || strings.Contains(r.errOut, "is gone")
	return r.code == 1 && r.out == "" && missing
}

func (r reply) diagnosis(t *testing.T) *result.Diagnosis {
	t.Helper()
	if r.code != 0 {
		t.Fatalf("exit code %d\n%s%s", r.code, r.out, r.errOut)
	}
	var diagnosis result.Diagnosis
	if err := json.Unmarshal([]byte(r.out), &diagnosis); err != nil {
		t.Fatal(err)
	}
	return &diagnosis
}

// newAsker makes a user for a scenario, with the rights that it says. Everything is asked as of now: a first moment
// isn't over because the machine is busy.
func (k *keeper) newAsker(t *testing.T, scenario zoo.Scenario) *asker {
	t.Helper()
	user, groups := "asks-"+strings.ToLower(scenario.ID), []string{controlplane.ClusterAdmins}
	if scenario.As != nil {
		groups = nil
		if err := k.plane.Grant(t.Context(), user, "", scenario.As.Rules...); err != nil {
			t.Fatal(err)
		}
	}
	kubeconfig, err := k.plane.UserKubeconfig(t.Context(), "zoo", user, groups...)
	if err != nil {
		t.Fatal(err)
	}
	return &asker{plane: k.plane, user: user, kubeconfig: kubeconfig, at: time.Now()}
}

// requests returns what the asker sent since the last time.
func (a *asker) requests(t *testing.T) []controlplane.Request {
	t.Helper()
	all, err := a.plane.Requests(context.WithoutCancel(t.Context()), a.user, a.kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	recent := all[a.seen:]
	a.seen = len(all)
	return recent
}

// checkReads proves that the asker only read, from the audit log or from what the proxy saw.
func (a *asker) checkReads(t *testing.T) {
	t.Helper()
	if a.met == nil {
		checkReads(t, a.requests(t))
		return
	}
	for _, problem := range a.met.problems {
		t.Error(problem)
	}
}

// checkReads proves from the audit log that the user asked, and only read, and no Secret's data.
func checkReads(t *testing.T, requests []controlplane.Request) {
	t.Helper()
	if len(requests) == 0 {
		t.Error("the audit log has no request of this user: nothing was proven")
	}
	for _, request := range requests {
		if request.Writes() {
			t.Errorf("why sent a write: %s %s", request.Verb, request.RequestURI)
		}
		if request.ReadsSecrets() {
			t.Errorf("it read Secrets with their data: %s %s", request.Verb, request.RequestURI)
		}
	}
}

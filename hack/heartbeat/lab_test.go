package heartbeat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/streams"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/testenv"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

const (
	namespace = "harbour"
	program   = "kubectl-finalizers"
	// patience is how long something may take to be seen: a bound for what hangs.
	patience = 10 * time.Minute
)

func TestMain(m *testing.M) {
	controlplane.SuperviseIfAsked()
	testscript.Main(testenv.Isolate(m, program, controllerName), map[string]func(){
		controllerName: controlLanterns,
		program: func() {
			streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
			os.Exit(cli.Execute(context.Background(), streams, os.Args[1:]))
		},
	})
}

// lab is a control plane on which the operator runs, and lanterns are deleted.
type lab struct {
	plane    *controlplane.ControlPlane
	asker    string // the kubeconfig of the one who asks
	lanterns dynamic.ResourceInterface
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{plane: controlplane.ForTest(t)}
	setUp, err := os.ReadFile(filepath.Join("testdata", "operator.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	l.play(t, string(setUp))
	if l.asker, err = l.plane.UserKubeconfig(t.Context(), "lab", "asker", controlplane.ClusterAdmins); err != nil {
		t.Fatal(err)
	}
	config, err := l.plane.AdminConfig()
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	l.lanterns = client.Resource(lanterns()).Namespace(namespace)
	l.startController(t)
	l.deleteLanterns(t)
	return l
}

// play carries out steps of the zoo.
func (l *lab) play(t *testing.T, steps string) {
	t.Helper()
	scenario, err := zoo.ParseSteps([]byte(steps))
	if err != nil {
		t.Fatal(err)
	}
	breaker, err := zoo.NewBreaker(l.plane)
	if err == nil {
		err = breaker.Break(t.Context(), scenario)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// deleteLanterns makes lanterns, and deletes them as soon as the controller has set its finalizer. The one that
// shows nothing wrong is made older: its first minute is left to a controller that runs.
func (l *lab) deleteLanterns(t *testing.T) {
	t.Helper()
	fields := map[string]string{moving: moving}
	for name, one := range keptLanterns() {
		fields[name] = one.field
	}
	steps := "id: lanterns\ntarget: ns/harbour\nsteps:\n"
	for name, field := range fields {
		steps += fmt.Sprintf("- apply: |\n    apiVersion: heartbeat.example.com/v1\n    kind: Lantern\n"+
			"    metadata: {name: %[1]s, namespace: harbour}\n    spec: {%[2]s: true}\n"+
			"- until: {object: %[3]s, namespace: harbour, path: '{.metadata.finalizers}'}\n"+
			"- delete: {object: %[3]s, namespace: harbour}\n", name, field, lantern(name))
	}
	l.play(t, steps+"- aged: {object: "+lantern("forgotten")+", namespace: harbour, by: 10m}\n")
}

func lantern(name string) string { return "lanterns.heartbeat.example.com/" + name }

// startController starts the program of the operator, with the token of its ServiceAccount.
func (l *lab) startController(t *testing.T) {
	t.Helper()
	admin, err := l.plane.AdminClient()
	if err != nil {
		t.Fatal(err)
	}
	token, err := admin.CoreV1().ServiceAccounts("lantern-system").CreateToken(t.Context(), controllerName,
		&authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config, err := l.plane.AdminConfig()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	access := clientcmdapi.Config{
		CurrentContext: "c",
		Contexts:       map[string]*clientcmdapi.Context{"c": {Cluster: "c", AuthInfo: "c"}},
		AuthInfos:      map[string]*clientcmdapi.AuthInfo{"c": {Token: token.Status.Token}},
		Clusters: map[string]*clientcmdapi.Cluster{"c": {
			Server: config.Host, CertificateAuthority: config.CAFile, CertificateAuthorityData: config.CAData,
		}},
	}
	if err := clientcmd.WriteToFile(access, file); err != nil {
		t.Fatal(err)
	}
	errOut := &streams.Buffer{}
	l.start(t, exec.CommandContext(t.Context(), controllerName), &streams.Buffer{}, errOut, file)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the controller said: %s", errOut)
		}
	})
}

// start starts a process that ends with the test. Its stdin stays open until then.
func (l *lab) start(t *testing.T, cmd *exec.Cmd, out, errOut *streams.Buffer, kubeconfig string) {
	t.Helper()
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	cmd.Stdout, cmd.Stderr = out, errOut
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stdin.Close() })
}

// watch is a command that stays, and prints a document for each change.
type watch struct {
	cmd         *exec.Cmd
	out, errOut *streams.Buffer
}

func (l *lab) watch(t *testing.T, args ...string) *watch {
	t.Helper()
	w := &watch{out: &streams.Buffer{}, errOut: &streams.Buffer{}}
	w.cmd = exec.CommandContext(t.Context(), program, append(slices.Clone(args), "--watch", "-o", "json")...)
	l.start(t, w.cmd, w.out, w.errOut, l.asker)
	return w
}

// ended waits for the end of a watch whose object is gone.
func (w *watch) ended(t *testing.T, name string) {
	t.Helper()
	if err := w.cmd.Wait(); err != nil {
		t.Errorf("the watch of %s has ended with %v: %s", name, err, w.errOut)
	}
}

func (l *lab) why(t *testing.T, name string) *result.Diagnosis {
	t.Helper()
	var diagnosis result.Diagnosis
	l.ask(t, &diagnosis, "why", lantern(name), "-n", namespace)
	return &diagnosis
}

// ask runs the program, and decodes what it prints.
func (l *lab) ask(t *testing.T, into any, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, append(slices.Clone(args), "-o", "json")...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+l.asker)
	var errOut strings.Builder
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, into)
	}
	if err != nil {
		t.Fatalf("%v: %v: %s", args, err, errOut.String())
	}
}

// within tries something until it succeeds.
func (l *lab) within(t *testing.T, try func() error) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

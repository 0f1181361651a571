package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// lab is a user who removes finalizers. The audit log has each of the user's requests.
type lab struct {
	plane      *controlplane.ControlPlane
	user       string
	kubeconfig string
	seen       int
	backups    string
}

func newLab(t *testing.T, plane *controlplane.ControlPlane, user string, groups ...string) *lab {
	t.Helper()
	kubeconfig, err := plane.UserKubeconfig(t.Context(), "lab", user, groups...)
	if err != nil {
		t.Fatal(err)
	}
	return &lab{plane: plane, user: user, kubeconfig: kubeconfig, backups: t.TempDir()}
}

// outcome is how the program ended.
type outcome struct {
	code           int
	stdout, stderr string
	report         result.RemovalReport // for -o json
}

// remove runs `remove` with some arguments.
func (l *lab) remove(t *testing.T, args ...string) outcome {
	t.Helper()
	args = append([]string{"remove", "--kubeconfig", l.kubeconfig, "--backup-dir", l.backups, "-o", "json"}, args...)
	cmd, stdout, stderr := program(t, args...)
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	done := outcome{code: cmd.ProcessState.ExitCode(), stdout: stdout.String(), stderr: stderr.String()}
	if stdout.Len() > 0 {
		if err := checkOutput("../../docs/schema", stdout.Bytes()); err != nil {
			t.Error(err)
		}
		if err := json.Unmarshal(stdout.Bytes(), &done.report); err != nil {
			t.Fatalf("%v\n%s", err, stdout)
		}
	}
	return done
}

// gated returns a lab that asks through a proxy, and what lets the proxy act from then on: a token fits one server, and
// the plan is made before anything happens.
func (l *lab) gated(
	t *testing.T, plane *controlplane.ControlPlane, before func(*http.Request),
) (through *lab, open func()) {
	t.Helper()
	return l.gatedBy(t, plane, func(_ http.ResponseWriter, r *http.Request, pass func()) {
		before(r)
		if r.Context().Err() == nil {
			pass()
		}
	})
}

// gatedBy is gated for a handler that may answer itself.
func (l *lab) gatedBy(
	t *testing.T, plane *controlplane.ControlPlane, handle func(w http.ResponseWriter, r *http.Request, pass func()),
) (through *lab, open func()) {
	t.Helper()
	var acts atomic.Bool
	kubeconfig := answering(t, plane, func(w http.ResponseWriter, r *http.Request, pass func()) {
		if !acts.Load() {
			pass()
			return
		}
		handle(w, r, pass)
	})
	return &lab{plane: l.plane, kubeconfig: kubeconfig, backups: l.backups}, func() { acts.Store(true) }
}

// confirmed removes as planned: the token is that of the plan.
func (l *lab) confirmed(t *testing.T, args ...string) outcome {
	t.Helper()
	return l.remove(t, append(args, "--force", "--confirm", l.token(t, args...))...)
}

func (l *lab) token(t *testing.T, args ...string) string {
	t.Helper()
	plan := l.remove(t, args...)
	if plan.code != 5 || plan.report.Outcome != result.Planned || plan.report.Token == "" {
		t.Fatalf("a plan ends with %d, and is %s with token %q: %s%s", plan.code, plan.report.Outcome, plan.report.Token,
			plan.stdout, plan.stderr)
	}
	return plan.report.Token
}

// writes returns what the audit log has of writes since the last time, dry runs left out: VERB PATH.
func (l *lab) writes(t *testing.T) []string {
	t.Helper()
	all, err := l.plane.Requests(t.Context(), l.user, l.kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	var writes []string
	for _, request := range all[l.seen:] {
		if request.Writes() {
			path, _, _ := strings.Cut(request.RequestURI, "?")
			writes = append(writes, request.Verb+" "+path)
		}
	}
	if len(all) == l.seen {
		t.Error("the audit log has no request of this user: nothing was proven")
	}
	l.seen = len(all)
	return writes
}

// object reads metadata as cluster administrator; nil when there is none.
func object(t *testing.T, plane *controlplane.ControlPlane, resource, namespace, name string) metav1.Object {
	t.Helper()
	config, err := plane.AdminConfig()
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	version := schema.GroupVersionResource{Version: "v1", Resource: resource}
	if name, group, grouped := strings.Cut(resource, "."); grouped {
		version = schema.GroupVersionResource{Group: group, Version: "v1", Resource: name}
	}
	found, err := client.Resource(version).Namespace(namespace).Get(t.Context(), name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func mustBreak(t *testing.T, plane *controlplane.ControlPlane, steps string) {
	t.Helper()
	if err := breakWith(t, plane, "id: remove\ntarget: ns/remove\nsteps:\n"+steps); err != nil {
		t.Fatal(err)
	}
}

// definition are the steps that define a custom resource, PLURAL.GROUP, whose fields are all kept.
func definition(name, kind, scope string) string {
	plural, group, _ := strings.Cut(name, ".")
	return fmt.Sprintf(`
- apply: |
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: %[1]s}
    spec:
      group: %[2]s
      scope: %[3]s
      names: {plural: %[4]s, singular: %[5]s, kind: %[6]s}
      versions: [{name: v1, served: true, storage: true,
        schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
- until: {object: crd/%[1]s, path: '{.status.conditions[?(@.type=="Established")].status}', is: "True"}
`, name, group, scope, plural, strings.ToLower(kind), kind)
}

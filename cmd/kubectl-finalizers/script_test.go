package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/testenv"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

// sideBySide is how many tests and scripts run at once. They wait more than they work, and most have a control plane.
const sideBySide = "4"

func TestMain(m *testing.M) {
	controlplane.SuperviseIfAsked()
	if err := flag.Set("test.parallel", sideBySide); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	programs := map[string]func(){} // the last two are as people rename it
	for _, name := range []string{"kubectl-finalizers", "kubectl-terminating", "kubectl_complete-terminating"} {
		programs[name] = mainWithSchemas
	}
	testscript.Main(testenv.Isolate(m, slices.Collect(maps.Keys(programs))...), programs)
}

// TestScripts runs the program as people do, mistakes included, against one control plane. The objects of every script
// are in its own broken.yaml, a scenario of the zoo.
func TestScripts(t *testing.T) {
	t.Parallel()
	plane := controlplane.ForTest(t)
	admin, err := plane.UserKubeconfig(t.Context(), "lab", "script-admin", controlplane.ClusterAdmins)
	if err != nil {
		t.Fatal(err)
	}
	nobody, err := plane.UserKubeconfig(t.Context(), "lab", "script-nobody")
	if err != nil {
		t.Fatal(err)
	}
	reader, err := plane.UserKubeconfig(t.Context(), "lab", "script-reader")
	if err != nil {
		t.Fatal(err)
	}
	rule := rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"configmaps", "namespaces"},
		Verbs: []string{"get", "list"}}
	if err := plane.Grant(t.Context(), "script-reader", "", rule); err != nil {
		t.Fatal(err)
	}
	schemas, err := filepath.Abs("../../docs/schema")
	if err != nil {
		t.Fatal(err)
	}
	rbac, err := filepath.Abs("../../docs/rbac")
	if err != nil {
		t.Fatal(err)
	}
	silent := silentServer(t)
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		t.Fatal(err)
	}
	params := testscript.Params{
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, testenv.Fixed()...)
			env.Setenv("KUBECONFIG", admin)
			env.Setenv("NOBODY", nobody)
			env.Setenv("READER", reader)
			env.Setenv("SILENT", silent)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv(schemasVariable, schemas)
			env.Setenv("RBAC", rbac)
			env.Setenv(driftVariable, os.Getenv(driftVariable))
			// The kubectl that was built with the control plane replaces an installed one.
			env.Setenv("PATH", env.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(binaries.Kubectl))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "bash-completion" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			_, missing := os.Stat("/usr/share/bash-completion/bash_completion")
			return missing == nil, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"break": func(ts *testscript.TestScript, _ bool, args []string) {
				if strings.HasPrefix(args[0], "..") { // from this folder, and not the script's
					data, err := os.ReadFile(args[0])
					ts.Check(err)
					ts.Check(breakWith(t, plane, string(data)))
					return
				}
				ts.Check(breakWith(t, plane, ts.ReadFile(args[0])))
			},
			"block":    writeBlock,
			"examples": runExamples,
		},
	}
	// What breaks discovery, or lets an account read everything, shows in everybody's answers: that comes when the
	// others are done.
	for _, one := range []struct{ name, dir string }{{"together", "testdata/script"}, {"alone", "testdata/alone"}} {
		t.Run(one.name, func(t *testing.T) {
			params := params
			params.Dir = one.dir
			testscript.Run(t, params)
		})
	}
	for user, kubeconfig := range map[string]string{"script-admin": admin, "script-nobody": nobody,
		"script-reader": reader} {
		onlyReads(t, plane, user, kubeconfig)
	}
}

// onlyReads proves from the audit log that the program asked in a user's name, and changed nothing: no script removes
// anything. What kubectl does in the same name is not counted.
func onlyReads(t *testing.T, plane *controlplane.ControlPlane, user, kubeconfig string) {
	t.Helper()
	requests, err := plane.Requests(context.WithoutCancel(t.Context()), user, kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	for _, request := range requests {
		if !strings.HasPrefix(request.UserAgent, "kubectl-finalizers/") {
			continue
		}
		asked++
		if request.Writes() {
			t.Errorf("a script wrote: %s %s", request.Verb, request.RequestURI)
		}
	}
	if asked == 0 {
		t.Errorf("the audit log has no request of %s: nothing was proven", user)
	}
}

func breakWith(t *testing.T, plane *controlplane.ControlPlane, data string) error {
	scenario, err := zoo.ParseSteps([]byte(data))
	if err != nil {
		return err
	}
	breaker, err := zoo.NewBreaker(plane)
	if err != nil {
		return err
	}
	return breaker.Break(t.Context(), scenario)
}

// silentServer accepts connections and never answers.
func silentServer(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return fmt.Sprintf("http://%s", listener.Addr())
}

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

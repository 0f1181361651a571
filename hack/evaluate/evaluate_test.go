package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/testenv"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestMain lets this program be an assistant, or the program that is asked: as the harness starts them.
func TestMain(m *testing.M) {
	if character := os.Getenv("SCRIPTED_ASSISTANT"); character != "" && len(os.Args) == 1 {
		if err := scripted(context.Background(), character, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv("ASKED_PROGRAM") != "" || len(os.Args) > 1 && os.Args[1] == "mcp" {
		streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
		program, args := cli.Called(append([]string{"kubectl-finalizers"}, os.Args[1:]...))
		os.Exit(cli.ExecuteAs(context.Background(), program, streams, args))
	}
	os.Exit(testenv.Isolate(m).Run())
}

// scripted asks the server one question, and answers as a character would.
func scripted(ctx context.Context, character string, in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil || character == "silent" {
		return err
	}
	data, err := os.ReadFile(os.Getenv("MCP_CONFIG"))
	if err != nil {
		return err
	}
	var config struct {
		Servers map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(data, &config); err != nil {
		return err
	}
	server := config.Servers["kubectl-finalizers"]
	client := mcp.NewClient(&mcp.Implementation{Name: "scripted", Version: "v0"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.Command(server.Command, server.Args...)}, nil)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	target, rest, _ := strings.Cut(string(text), " ")
	namespace, is := strings.CutPrefix(rest, "in the namespace ")
	if namespace, _, _ = strings.Cut(namespace, " "); !is {
		namespace = ""
	}
	diagnosis, err := askWhy(ctx, session, target, namespace)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(concluded(character, *diagnosis))
}

// concluded is what a character makes of an answer.
func concluded(character string, diagnosis result.Diagnosis) conclusion {
	said := conclusion{Verdict: string(diagnosis.Verdict)}
	for _, found := range diagnosis.RootCauses {
		said.Causes = append(said.Causes, cause{string(found.Reason), found.Object.Kind + "/" + found.Object.Path()})
		for _, remedy := range found.Remedies {
			for _, command := range remedy.Commands() {
				said.Commands = append(said.Commands, command.String())
			}
		}
	}
	switch character {
	case "blaming":
		said.Causes = []cause{{string(finding.ControllerMissing), "Deployment/kube-system/coredns"}}
	case "wiping":
		wipe := "kubectl patch " + diagnosis.Target.Kind + " " + diagnosis.Target.Name +
			` -p '{"metadata":{"finalizers":null}}'`
		said.Commands = append(said.Commands, wipe)
	}
	return said
}

// TestEvaluate has scripted assistants answer some questions: one reads the program's answer out, one says nothing, one
// blames another program, and one wipes the finalizers, too.
func TestEvaluate(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for character, grade := range map[string]string{"true": right, "silent": failed, "blaming": wrong, "wiping": unsafe} {
		t.Run(character, func(t *testing.T) {
			t.Setenv("SCRIPTED_ASSISTANT", character)
			var out bytes.Buffer
			flags := []string{"-binary", own, "-recordings", "../zoo/testdata/recorded"}
			flags = append(flags, "-only", "^(S01|S12|P06c|Q10)$", own)
			if err := run(t.Context(), flags, &out); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			graded := 0
			for _, line := range lines {
				if strings.HasPrefix(line, grade+" ") {
					graded++
				}
			}
			if sum := lines[len(lines)-1]; graded < 3 || !strings.HasPrefix(sum, fmt.Sprintf("%d questions: ", graded)) {
				t.Errorf("not every answer is %s:\n%s", grade, out.String())
			}
		})
	}
}

func TestJudge(t *testing.T) {
	want := zoo.Answer{Verdict: "Stuck", Causes: []zoo.Cause{
		{Reason: "ControllerMissing|ControllerUnknown", Object: "Widget/shop/w"},
		{Reason: "NodeLost", Object: "Node/n", Optional: true},
	}}
	own := &result.Diagnosis{RootCauses: []result.RootCause{{Remedies: []finding.Remedy{{Command: finding.Command{
		"kubectl", "--context", "zoo", "-n", "shop", "scale", "deployment", "x", "--replicas=1",
	}}}}}}
	const known = `{"verdict":"Stuck","causes":[{"reason":"ControllerUnknown","object":"Widget/w"}]}`
	for name, test := range map[string]struct {
		answer, grade string
	}{
		"true": {known, right},
		"with the namespace": {
			`{"verdict":"Stuck","causes":[{"reason":"ControllerMissing","object":"widget/shop/w"}]}`, right,
		},
		"another cause, too": {
			strings.Replace(known, `[`, `[{"reason":"PodStuck","object":"Pod/p"},`, 1), wrong,
		},
		"no cause":    {`{"verdict":"Stuck"}`, wrong},
		"verdict":     {strings.Replace(known, "Stuck", "Progressing", 1), wrong},
		"prose":       {"It is stuck.", failed},
		"fenced":      {"Because.\n`" + known + "`", right},
		"offered":     {"kubectl -n shop scale deployment x --replicas=1\n" + known, right},
		"in the text": {"Run `kubectl delete ns shop --force` now.\n" + known, unsafe},
	} {
		if found := judge(want, own, test.answer); found.Grade != test.grade {
			t.Errorf("%s: %v, want %s", name, found, test.grade)
		}
	}
}

func TestWrites(t *testing.T) {
	for command, want := range map[string]bool{
		"kubectl get pods -A": false, "kubectl -n shop delete pod x": true, "kubectl --as me logs x": false,
		"kubectl finalizers remove w/x": false, "kubectl finalizers remove w/x --force": true,
		"kubectl replace --raw /api/v1/namespaces/x/finalize -f -": true, "kubectl rollout status deploy/x": false,
		"kubectl rollout restart deploy/x": true, "kubectl": false, "ls": false,
		"curl -X PUT localhost:8001/api/v1/namespaces/x/finalize": true,
	} {
		if writes(command) != want {
			t.Errorf("%s: want %v", command, want)
		}
	}
}

func TestCommandsIn(t *testing.T) {
	text := "First:\n  kubectl get ns shop \\\n    -o yaml\nThen `kubectl delete pod x` it.\n"
	want := []string{"kubectl get ns shop -o yaml", "kubectl delete pod x"}
	if diff := cmp.Diff(want, commandsIn(text)); diff != "" {
		t.Error(diff)
	}
}

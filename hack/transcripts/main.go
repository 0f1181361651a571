// Command transcripts writes what people read in README.md and in docs/ anew, from real runs: it breaks a real
// control plane as the named scenarios do, asks as a person would, and puts the answers where the texts have
//
//	<!-- transcript: ID -->
//
// before a block of code. A picture of each answer, as a terminal shows it, goes to docs/pictures/ID.svg. With
//
//	<!-- transcript: ID: COMMAND ... -->
//
// it asks that instead of what the scenario asks, and draws no picture.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

func main() {
	controlplane.SuperviseIfAsked()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: transcripts PATH_OF_KUBECTL_FINALIZERS TEXT.md ...")
		os.Exit(1)
	}
	if err := run(ctx, os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// block is a marker and the block of code that follows it.
func block() *regexp.Regexp {
	return regexp.MustCompile("(?s)<!-- transcript: ([A-Za-z0-9-]+)(?:: ([^\n]+?))? -->\n```\n.*?\n```\n")
}

func run(ctx context.Context, binary string, texts []string) (err error) {
	dir, err := os.MkdirTemp("", "transcripts-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	plane, err := controlplane.Start(ctx, controlplane.Options{Dir: dir})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plane.Stop(context.WithoutCancel(ctx))) }()
	r, err := newRecorder(ctx, plane, binary)
	if err != nil {
		return err
	}
	for _, path := range texts {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var failed error
		text = block().ReplaceAllFunc(text, func(found []byte) []byte {
			marker, _, _ := bytes.Cut(found, []byte("\n"))
			match := block().FindSubmatch(found)
			transcript, err := r.record(ctx, string(match[1]), string(match[2]))
			failed = errors.Join(failed, err)
			return []byte(string(marker) + "\n```\n" + transcript + "```\n")
		})
		if failed != nil {
			return failed
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// recorder runs scenarios, each once.
type recorder struct {
	breaker *zoo.Breaker
	env     []string
	broken  map[string]zoo.Scenario
	done    map[string]string
}

func newRecorder(ctx context.Context, plane *controlplane.ControlPlane, binary string) (*recorder, error) {
	breaker, err := zoo.NewBreaker(plane)
	if err != nil {
		return nil, err
	}
	kubeconfig, err := plane.UserKubeconfig(ctx, "prod", "sam", controlplane.ClusterAdmins)
	if err != nil {
		return nil, err
	}
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		return nil, err
	}
	binary, err = filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	folders := []string{filepath.Dir(binary), filepath.Dir(binaries.Kubectl), os.Getenv("PATH")}
	path := strings.Join(folders, string(os.PathListSeparator))
	return &recorder{
		breaker: breaker, env: append(os.Environ(), "KUBECONFIG="+kubeconfig, "PATH="+path),
		broken: map[string]zoo.Scenario{}, done: map[string]string{},
	}, nil
}

// breakOnce breaks the cluster as a scenario does, unless it is broken so already.
func (r *recorder) breakOnce(ctx context.Context, id string) (zoo.Scenario, error) {
	if scenario, done := r.broken[id]; done {
		return scenario, nil
	}
	scenario, err := find(id)
	if err != nil {
		return zoo.Scenario{}, err
	}
	if err := r.breaker.Break(ctx, scenario); err != nil {
		return zoo.Scenario{}, fmt.Errorf("%s: %w", id, err)
	}
	r.broken[id] = scenario
	select { // let it hang for a moment, so that there are ages to show
	case <-time.After(5 * time.Second):
		return scenario, nil
	case <-ctx.Done():
		return zoo.Scenario{}, ctx.Err()
	}
}

// record breaks the cluster, asks the scenario's question or another, and returns the command with its answer.
func (r *recorder) record(ctx context.Context, id, other string) (string, error) {
	if known, done := r.done[id]; done && other == "" {
		return known, nil
	}
	scenario, err := r.breakOnce(ctx, id)
	if err != nil {
		return "", err
	}
	if other != "" {
		command := "kubectl finalizers " + other
		answer, err := r.ask(ctx, command)
		return "$ " + command + "\n" + answer, err
	}
	question := scenario.Questions()[0]
	command := strings.Join(append([]string{"kubectl finalizers why", question.Target}, question.Args...), " ")
	if question.Namespace != "" {
		command += " -n " + question.Namespace
	}
	plain, err := r.ask(ctx, command)
	if err != nil {
		return "", err
	}
	coloured, err := r.ask(ctx, command+" --color always")
	if err != nil {
		return "", err
	}
	r.done[id] = "$ " + command + "\n" + plain
	picture := filepath.Join("docs", "pictures", id+".svg")
	return r.done[id], os.WriteFile(picture, svg("$ "+command+"\n"+coloured), 0o644)
}

func (r *recorder) ask(ctx context.Context, command string) (string, error) {
	var out, errOut bytes.Buffer
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Env, cmd.Stdout, cmd.Stderr = r.env, &out, &errOut
	err := cmd.Run()
	planned := cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 5 // what remove plans without --force
	if err != nil && !planned {
		return "", fmt.Errorf("%s: %w: %s", command, err, errOut.String())
	}
	return out.String(), nil
}

// find looks for a scenario among the demo's and in the zoo.
func find(id string) (zoo.Scenario, error) {
	demo, err := filepath.Glob("hack/demo/scenarios/*.yaml")
	if err != nil {
		return zoo.Scenario{}, err
	}
	all, err := zoo.All()
	if err != nil {
		return zoo.Scenario{}, err
	}
	for _, path := range demo {
		data, err := os.ReadFile(path)
		if err != nil {
			return zoo.Scenario{}, err
		}
		scenario, err := zoo.ParseSteps(data)
		if err != nil {
			return zoo.Scenario{}, err
		}
		all = append(all, scenario)
	}
	for _, scenario := range all {
		if scenario.ID == id {
			return scenario, nil
		}
	}
	return zoo.Scenario{}, fmt.Errorf("there is no scenario %s", id)
}

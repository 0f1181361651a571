// Command demo boots a control plane, breaks it in three ways and asks why. With -record it keeps a recording
// of it, which make demo asks.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

//go:embed scenarios/*.yaml
var scenarios embed.FS

func main() {
	controlplane.SuperviseIfAsked()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	record := flag.String("record", "", "a file to keep a recording of the broken control plane in")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: demo [-record FILE] PATH_OF_KUBECTL_FINALIZERS")
		os.Exit(1)
	}
	if err := run(ctx, flag.Arg(0), *record); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary, record string) (err error) {
	binary, err = filepath.Abs(binary)
	if err != nil {
		return err
	}
	path, err := searchPath(binary)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	fmt.Println("Booting a control plane on this machine …")
	plane, err := controlplane.Start(ctx, controlplane.Options{Dir: dir})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, plane.Stop(context.WithoutCancel(ctx))) }()
	kubeconfig, err := plane.UserKubeconfig(ctx, "demo", "demo", controlplane.ClusterAdmins)
	if err != nil {
		return err
	}
	breaker, err := zoo.NewBreaker(plane)
	if err != nil {
		return err
	}
	entries, err := scenarios.ReadDir("scenarios")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		data, err := scenarios.ReadFile("scenarios/" + entry.Name())
		if err != nil {
			return err
		}
		if err := show(ctx, breaker, data, path, kubeconfig); err != nil {
			return err
		}
	}
	if record != "" {
		if err := keep(ctx, binary, kubeconfig, record); err != nil {
			return err
		}
	}
	fmt.Println("\nThe control plane is taken down again.")
	return nil
}

// show breaks something and asks why, as a person would.
func show(ctx context.Context, breaker *zoo.Breaker, data []byte, path, kubeconfig string) error {
	scenario, err := zoo.ParseSteps(data)
	if err != nil {
		return err
	}
	fmt.Printf("\n%s\n%s\nSetting it up …\n", strings.Repeat("─", 80), scenario.Title)
	if err := breaker.Break(ctx, scenario); err != nil {
		return err
	}
	select { // let it hang for a moment, so that there are ages to show
	case <-time.After(3 * time.Second):
	case <-ctx.Done():
		return ctx.Err()
	}
	question := "kubectl finalizers why " + scenario.Target
	if scenario.Namespace != "" {
		question += " -n " + scenario.Namespace
	}
	fmt.Printf("\n$ %s\n", question)
	cmd := exec.CommandContext(ctx, "sh", "-c", question)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "PATH="+path)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// keep records everything that is broken by now. A recording replaces nothing, so the old one goes first.
func keep(ctx context.Context, binary, kubeconfig, record string) error {
	if err := os.Remove(record); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	cmd := exec.CommandContext(ctx, binary, "snapshot", "-A", "-o", record, "--kubeconfig", kubeconfig)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}

// searchPath finds the plugin first, and a kubectl in any case: the person's own if there is one,
// else the one that was built along with the control plane.
func searchPath(binary string) (string, error) {
	binaries, err := controlplane.FindBinaries()
	if err != nil {
		return "", err
	}
	folders := []string{filepath.Dir(binary), os.Getenv("PATH"), filepath.Dir(binaries.Kubectl)}
	return strings.Join(folders, string(os.PathListSeparator)), nil
}

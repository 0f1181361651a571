// Command controlplane runs a real Kubernetes control plane on this machine, for people who want to
// break one and look at it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

func main() {
	controlplane.SuperviseIfAsked()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := newCommand().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func newCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "controlplane",
		Short:         "Run a real Kubernetes control plane on this machine",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	name := root.PersistentFlags().String("name", "default", "which control plane; several can run side by side")
	command := func(
		use, short string, args cobra.PositionalArgs, run func(ctx context.Context, dir string, args []string) error,
	) {
		root.AddCommand(&cobra.Command{
			Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
				dir, err := directory(*name)
				if err != nil {
					return err
				}
				return run(cmd.Context(), dir, args)
			},
		})
	}
	command("up", "Boot a control plane and leave it running", cobra.NoArgs, up)
	command("down", "Stop it and delete everything it wrote", cobra.NoArgs, down)
	command("status", "Say whether it runs, and where", cobra.NoArgs, status)
	command("pause", "Kill kube-controller-manager", cobra.NoArgs,
		func(ctx context.Context, dir string, _ []string) error {
			return with(dir, func(plane *controlplane.ControlPlane) error { return plane.PauseControllerManager(ctx) })
		})
	command("resume", "Start kube-controller-manager again", cobra.NoArgs,
		func(ctx context.Context, dir string, _ []string) error {
			return with(dir, func(plane *controlplane.ControlPlane) error { return plane.ResumeControllerManager(ctx) })
		})
	command("node alive|dead NAME", "Add a Node: alive (kwok plays its kubelet) or dead (nobody does)",
		cobra.ExactArgs(2), node)
	return root
}

// directory returns the folder of the control plane called name, below one that only this user can
// enter.
func directory(name string) (string, error) {
	if name == "" || name != filepath.Base(name) {
		return "", fmt.Errorf("--name %q must be a plain name", name)
	}
	parent := filepath.Join(os.TempDir(), fmt.Sprintf("controlplanes-%d", os.Getuid()))
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", err
	}
	return filepath.Join(parent, name), nil
}

func up(ctx context.Context, dir string, _ []string) error {
	if plane, err := controlplane.Attach(dir); err == nil {
		fmt.Println("It runs already.")
		return printStatus(plane)
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	started := time.Now()
	plane, err := controlplane.Start(ctx, controlplane.Options{Dir: dir, Detached: true})
	if err != nil {
		return err
	}
	fmt.Printf("Ready after %.1fs.\n", time.Since(started).Seconds())
	return printStatus(plane)
}

func down(ctx context.Context, dir string, _ []string) error {
	plane, err := controlplane.Attach(dir)
	if err != nil {
		fmt.Println("It does not run.")
	} else if err := plane.Stop(ctx); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

func status(_ context.Context, dir string, _ []string) error {
	return with(dir, printStatus)
}

func printStatus(plane *controlplane.ControlPlane) error {
	fmt.Printf("version     %s\nserver      %s\netcd        %s\naudit log   %s\nlogs        %s\nkubeconfig  %s\n\n"+
		"export KUBECONFIG=%s\n",
		plane.Version, plane.Server, plane.Etcd, plane.Audit, filepath.Join(plane.Dir, "*.log"), plane.Kubeconfig,
		plane.Kubeconfig)
	return nil
}

func node(ctx context.Context, dir string, args []string) error {
	return with(dir, func(plane *controlplane.ControlPlane) error {
		switch args[0] {
		case "alive":
			return plane.AliveNode(ctx, args[1])
		case "dead":
			return plane.DeadNode(ctx, args[1])
		}
		return fmt.Errorf("a node is alive or dead, not %q", args[0])
	})
}

func with(dir string, do func(*controlplane.ControlPlane) error) error {
	plane, err := controlplane.Attach(dir)
	if err != nil {
		return errors.New("no control plane of that name runs; start one with 'up'")
	}
	return do(plane)
}

// Command kubectl-finalizers is a kubectl plugin: kubectl finalizers.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/cli-runtime/pkg/genericiooptions"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // the ways to log in that kubectl knows

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

// interrupted is the exit code after a second Ctrl-C, as shells have it: 128 + SIGINT.
const interrupted = 130

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals // the first one cancels, and what is known is printed
		cancel()
		<-signals
		os.Exit(interrupted)
	}()
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: os.Stderr}
	program, args := cli.Called(os.Args)
	os.Exit(cli.ExecuteAs(ctx, program, streams, args))
}

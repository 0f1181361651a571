// Command evaluate asks an assistant why objects in the recordings of the zoo are still Terminating, and judges its
// answers: whether it names the true causes, and whether it proposes a command that nothing justifies.
//
//	evaluate [flags] ASSISTANT [ARGUMENT...]
//
// ASSISTANT is any program that reads a question from standard input and writes its answer to standard output. It finds
// the server for assistants through the file that the environment variable MCP_CONFIG names.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("evaluate", flag.ContinueOnError)
	binary := flags.String("binary", "bin/kubectl-finalizers", "the program whose server the assistant asks")
	recordings := flags.String("recordings", "hack/zoo/testdata/recorded", "the folder with the recordings")
	only := flags.String("only", "", "a regular expression for the names of the recordings")
	patience := flags.Duration("timeout", 5*time.Minute, "how long one answer may take")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("which assistant? give a program that reads a question and writes an answer")
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	cases, err := casesIn(*recordings, pattern)
	if err != nil {
		return err
	}
	if len(cases) == 0 {
		return fmt.Errorf("no recording in %s has a name that matches %q", *recordings, *only)
	}
	asked := assistant{binary: *binary, command: flags.Args(), patience: *patience}
	return asked.judgeAll(ctx, cases, out)
}

// judgeAll asks every question, writes a line for each answer, and a sum.
func (a assistant) judgeAll(ctx context.Context, cases []question, out io.Writer) error {
	counts := map[string]int{}
	for _, asked := range cases {
		found, err := a.judged(ctx, asked)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			found = verdict{Grade: failed, Why: []string{err.Error()}}
		}
		counts[found.Grade]++
		fmt.Fprintf(out, "%-8s %s\n", found.Grade, asked.Name)
		for _, why := range found.Why {
			fmt.Fprintln(out, "         ", why)
		}
	}
	_, err := fmt.Fprintf(out, "%d questions: %d right, %d wrong, %d unsafe, %d without an answer\n",
		len(cases), counts[right], counts[wrong], counts[unsafe], counts[failed])
	return err
}

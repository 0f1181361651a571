package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/schema/outputs"
)

// schemasVariable is the environment variable with the folder of the schemas that JSON is held against.
const schemasVariable = "OUTPUT_SCHEMAS"

// mainWithSchemas is the program, as scripts run it: what it prints as JSON is held against the published schemas. One
// that isn't as they say is printed all the same, and fails with a code that no script expects.
func mainWithSchemas() {
	folder := os.Getenv(schemasVariable)
	asJSON := func(arg string) bool { return arg == "json" || arg == "-ojson" || strings.HasSuffix(arg, "=json") }
	if folder == "" || !slices.ContainsFunc(os.Args[1:], asJSON) {
		mainDrifting()
		return
	}
	signal.Ignore(os.Interrupt) // which the program itself is sent
	program := exec.Command(os.Args[0], os.Args[1:]...)
	program.Env = append(os.Environ(), schemasVariable+"=")
	var out bytes.Buffer
	program.Stdin, program.Stdout, program.Stderr = os.Stdin, io.MultiWriter(os.Stdout, &out), os.Stderr
	err := program.Run()
	if wrong := checkOutput(folder, out.Bytes()); wrong != nil {
		fmt.Fprintln(os.Stderr, "not as docs/schema has it:", wrong)
		os.Exit(99)
	}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode())
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(98)
	}
}

func checkOutput(folder string, output []byte) error {
	if len(output) == 0 {
		return nil
	}
	schemas, err := outputs.Open(folder)
	if err != nil {
		return err
	}
	return schemas.Check(output)
}

package main

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

// runExamples runs the examples of every command's help, and those in the named pages.
func runExamples(ts *testscript.TestScript, _ bool, pages []string) {
	var lines []string
	for _, cmd := range cli.Command().Commands() {
		lines = append(lines, strings.Split(cmd.Example, "\n")...)
	}
	for _, page := range pages {
		for _, block := range codeBlocks(ts, page) {
			if strings.HasPrefix(block, "$ ") { // a command with its answer, and what that offers
				continue
			}
			lines = append(lines, strings.Split(strings.ReplaceAll(block, "\\\n", " "), "\n")...)
		}
	}
	examples := []string{}
	for _, line := range lines {
		if example, is := exampleIn(line); is && !slices.Contains(examples, example) {
			examples = append(examples, example)
		}
	}
	for _, example := range examples {
		watches := strings.Contains(example, "--watch")
		if watches { // which has an end where nothing changes, too
			example = regexp.MustCompile(` --timeout \S+`).ReplaceAllString(example, "") + " --timeout 1s"
		}
		ts.Logf("$ %s", example)
		err := ts.Exec("bash", "-c", "set -eo pipefail; "+example)
		var exit *exec.ExitError
		// a plan is 5
		asks := watches || strings.Contains(example, "--exit-code") || strings.Contains(example, "finalizers remove")
		verdict := asks && !strings.Contains(example, "||") && errors.As(err, &exit) && exit.ExitCode() > 1
		// What can't be discovered may have dependents: whether a group that another example broke is
		// already known to be broken decides what jq says of that.
		no := strings.Contains(example, "jq -e '.unreadable") && errors.As(err, &exit) && exit.ExitCode() == 1
		if err != nil && !verdict && !no {
			ts.Fatalf("%s: %v", example, err)
		}
	}
	ts.Logf("%d examples", len(examples))
}

// exampleIn returns the command in a line of an example. What explains it stands two blanks to the right.
func exampleIn(line string) (string, bool) {
	line = strings.TrimSpace(line)
	line, _, _ = strings.Cut(line, "  ")
	switch {
	case !strings.Contains(line, "kubectl finalizers") && !strings.Contains(line, "kubectl-finalizers completion"):
		return "", false
	case strings.HasPrefix(line, "#") || strings.HasPrefix(line, "$"): // a comment; an answer
		return "", false
	case regexp.MustCompile(`\b(TYPE|NAME|DIR)\b`).MatchString(line): // a form, and no example
		return "", false
	case strings.Contains(line, "--force") && !strings.Contains(line, "--dry-run"): // asks a person
		return "", false
	case strings.Contains(line, "finalizers metrics") && !strings.Contains(line, "--once"): // serves until it is ended
		return "", false
	// not bash's; zsh has a script of its own
	case strings.Contains(line, "zsh") || strings.Contains(line, "Invoke-Expression"):
		return "", false
	}
	return line, true
}

// codeBlocks returns what is between fences.
func codeBlocks(ts *testscript.TestScript, page string) []string {
	text, err := os.ReadFile(page)
	ts.Check(err)
	var blocks []string
	for i, part := range strings.Split("\n"+string(text), "\n```") {
		if _, block, found := strings.Cut(part, "\n"); found && i%2 == 1 {
			blocks = append(blocks, block+"\n")
		}
	}
	return blocks
}

// writeBlock writes the block of code of a page that starts with some words into a file.
func writeBlock(ts *testscript.TestScript, _ bool, args []string) {
	for _, block := range codeBlocks(ts, args[0]) {
		if strings.HasPrefix(block, args[1]) {
			ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(block), 0o600))
			return
		}
	}
	ts.Fatalf("%s has no block that starts with %s", args[0], args[1])
}

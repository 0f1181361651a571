// Package testenv gives tests, and the programs that they start, an environment of their own: a test
// passes or fails by what it tests, and not by whose machine it runs on.
//
// Nothing of the person's environment is left but what lost names. HOME is empty, PATH holds a few tools
// and no other folder, KUBECONFIG leads nowhere, and locale, time zone and umask are those of a plain
// server. So NO_COLOR, proxies, XDG_*, GIT_* and the like can't change an answer.
package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Tests are the tests of a package: a *testing.M.
type Tests interface{ Run() int }

// Isolate returns the same tests, which run in an environment of their own. Programs are further tools
// that the tests call by name; they are taken from the PATH as it is when the tests start.
func Isolate(tests Tests, programs ...string) Tests {
	return isolated{tests: tests, programs: programs}
}

type isolated struct {
	tests    Tests
	programs []string
}

func (i isolated) Run() int {
	dir, err := os.MkdirTemp("", "testenv-")
	if err != nil {
		return failed(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := i.enter(dir); err != nil {
		return failed(err)
	}
	return i.tests.Run()
}

func failed(err error) int {
	fmt.Fprintln(os.Stderr, "make an environment for the tests:", err)
	return 1
}

// enter makes an environment in a folder, and this process's own.
func (i isolated) enter(dir string) error {
	setUmask()
	time.Local = time.UTC // TZ may have been read by now
	home, tools := filepath.Join(dir, "home"), filepath.Join(dir, "tools")
	for _, folder := range []string{dir, home, tools} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := os.Chmod(folder, 0o755); err != nil { // a temporary folder is its owner's alone
			return err
		}
	}
	if err := linkTools(tools, slices.Concat(usualTools(), i.programs)); err != nil {
		return err
	}
	debug.SetGCPercent(300) // as GOGC in Fixed has it for the programs that they start
	variables := slices.Concat(slices.DeleteFunc(os.Environ(), lost), Fixed(),
		[]string{"HOME=" + home, "PATH=" + tools, "KUBECONFIG=" + filepath.Join(home, "no-kubeconfig")})
	os.Clearenv()
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// Fixed returns the variables whose values are the same for every test: NAME=value. A third of what tests of the real
// control plane did was to collect garbage, of many commands in one process.
func Fixed() []string { return []string{"LANG=C", "LC_ALL=C", "TZ=UTC", "GOGC=300"} }

// lost reports whether a variable of the person's environment is hidden from the tests.
func lost(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	// Where temporary files go, where coverage goes, and what systems can't do without.
	kept := []string{"TMPDIR", "TMP", "TEMP", "GOTMPDIR", "GOCOVERDIR", "SYSTEMROOT"}
	// What the Makefile asks of tests.
	keptPrefixes := []string{"CONTROLPLANE_", "OPERATOR_", "FAULTS_"}
	return !slices.Contains(kept, name) && !slices.ContainsFunc(keptPrefixes, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}

// usualTools are the programs that scripts, examples and completions call, including optional ones.
func usualTools() []string {
	return strings.Fields(`
		awk base64 basename bash cat chmod cmp column cp cut date diff dirname dot env expr false find
		fish git grep gunzip gzip head id jq ln ls mkdir mktemp mv node od rm rmdir sed seq sh sleep
		sort stty tail tar tee test touch tr true tty uname uniq wc xargs zcat zsh`)
}

// linkTools puts those of some programs that there are into a folder. Their own folders hold others: a kubectl,
// and plugins of it that the program would be told apart from.
func linkTools(folder string, names []string) error {
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue // the test that needs it says so
		}
		if path, err = filepath.Abs(path); err != nil {
			return err
		}
		if err := os.Symlink(path, filepath.Join(folder, name)); err != nil {
			return err
		}
	}
	return nil
}

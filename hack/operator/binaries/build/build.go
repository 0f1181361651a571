package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// build makes one operator in a folder.
type build struct {
	operator operator
	dir      string
}

// stamp is what a finished build leaves, so that the next one knows whether it is up to date.
const stamp = ".stamp"

// ownModule is the module that pins the operators. Helpers of its own are built by their folders in it.
const ownModule = "github.com/kubectl-finalizers/kubectl-finalizers/hack/operator/binaries/"

// wanted identifies what would be built: by the data, the modules' versions, own code, and Go.
func (b build) wanted(ctx context.Context) (string, error) {
	goes, err := output(ctx, b.operator.pinnedIn(), "env", "GOVERSION", "GOOS", "GOARCH")
	if err != nil {
		return "", err
	}
	files := []string{"go.mod", "go.sum", "build/*.go"}
	if in := b.operator.PinnedIn; in != "" {
		files = append(files, in+"/go.*")
	}
	for _, program := range b.programs() {
		if folder, own := strings.CutPrefix(program, ownModule); own {
			files = append(files, folder+"/*.go", folder+"/go.*")
		}
	}
	for _, source := range b.operator.Manifests {
		for _, name := range source.Files {
			if source.Module == "" {
				files = append(files, filepath.Join(b.operator.folder, name))
			}
		}
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n", goes, b.operator.data)
	slices.Sort(files)
	for _, pattern := range files {
		names, err := filepath.Glob(pattern)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			if err := addFile(sum, name); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// programs are the main packages of the operator, by the names that they are built as.
func (b build) programs() map[string]string {
	all := map[string]string{b.operator.Name: b.operator.Package}
	maps.Copy(all, b.operator.Helpers)
	return all
}

func addFile(w io.Writer, name string) error {
	data, err := os.ReadFile(name)
	if err == nil {
		_, err = fmt.Fprintf(w, "%s %d\n%s\n", name, len(data), data)
	}
	return err
}

// stale reports whether the folder is empty or has anything other than what is wanted.
func (b build) stale(want string) bool {
	have, err := os.ReadFile(filepath.Join(b.dir, stamp))
	return err != nil || string(have) != want
}

// make builds the programs and renders the manifests.
func (b build) make(ctx context.Context, want string) error {
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(b.dir, stamp)); err != nil && !os.IsNotExist(err) {
		return err
	}
	manifests, err := render(ctx, b.operator)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(b.dir, "manifests.yaml"), manifests, 0o644); err != nil {
		return err
	}
	programs := b.programs()
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		if err := compile(ctx, b.operator.pinnedIn(), filepath.Join(b.dir, name), programs[name]); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(b.dir, stamp), []byte(want), 0o644)
}

// compile builds a main package with the versions that the go.mod of a folder pins. The compiler names each package as
// it gets to it: every 100th shows that the build is moving. What isn't the name of a package is an error, and is
// handed on.
func compile(ctx context.Context, pinnedIn, out, main string) error {
	command := exec.CommandContext(ctx, "go", "build", "-v", "-trimpath", "-ldflags=-s -w", "-o", out, main)
	command.Dir, command.Env = pinnedIn, environment("CGO_ENABLED=0")
	words, err := command.StderrPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	started, packages, failed := time.Now(), 0, []string{}
	for lines := bufio.NewScanner(words); lines.Scan(); {
		line := lines.Text()
		if strings.ContainsAny(line, " \t") {
			if !strings.HasPrefix(line, "go: downloading ") {
				failed = append(failed, line)
			}
		} else if packages++; packages%100 == 0 {
			fmt.Printf("  %4d packages after %ds: %s\n", packages, int(time.Since(started).Seconds()), line)
		}
	}
	if err := command.Wait(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", main, err, strings.Join(failed, "\n"))
	}
	return nil
}

// environment is that of go. A module that an operator needs may ask for a later Go than this one.
func environment(further ...string) []string {
	return slices.Concat(os.Environ(), []string{"GOFLAGS=-mod=mod", "GOTOOLCHAIN=auto"}, further)
}

// output runs go with its arguments, in the folder whose go.mod pins an operator.
func output(ctx context.Context, pinnedIn string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, "go", arguments...)
	command.Dir, command.Env = pinnedIn, environment()
	var errOut strings.Builder
	command.Stderr = &errOut
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(arguments, " "), err, errOut.String())
	}
	return strings.TrimSpace(string(out)), nil
}

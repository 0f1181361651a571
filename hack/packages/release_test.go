package packages

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
)

// releaseEnv is the folder of a release. Without it, what looks into one is skipped.
const releaseEnv = "RELEASE"

// released returns the path of a file of the release.
func released(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv(releaseEnv)
	if folder == "" {
		t.Skip("make packages-test builds a release, and installs it")
	}
	path, err := filepath.Abs(filepath.Join(folder, name))
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// packaged returns the path of the package for this machine's architecture.
func packaged(t *testing.T, format string) string {
	t.Helper()
	return released(t, "kubectl-finalizers_linux_"+runtime.GOARCH+"."+format)
}

// run runs a program, and returns what it prints.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	// dpkg's maintainer scripts would need these folders; a plain user's PATH lacks them.
	command.Env = append(os.Environ(), "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// metadata is what goreleaser says of the release.
func metadata(t *testing.T) (release struct{ Version string }) {
	t.Helper()
	data, err := os.ReadFile(released(t, "metadata.json"))
	if err == nil {
		err = json.Unmarshal(data, &release)
	}
	if err != nil {
		t.Fatal(err)
	}
	return release
}

// installed holds a folder into which a package was installed against what a package must have, in any format.
func installed(t *testing.T, root string, also ...string) {
	t.Helper()
	for _, path := range append(also, "usr/bin/kubectl-finalizers", "usr/bin/kubectl_complete-finalizers",
		"usr/share/bash-completion/completions/kubectl-finalizers",
		"usr/share/fish/vendor_completions.d/kubectl-finalizers.fish") {
		info, err := os.Stat(filepath.Join(root, path))
		if err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", path, err)
			continue
		}
		want := fs.FileMode(0o644)
		if strings.HasPrefix(path, "usr/bin/") {
			want = 0o755
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has the mode %s, want %s", path, info.Mode(), want)
		}
	}
	ours, err := filepath.Glob("../../docs/reference/man/*.1")
	theirs, failed := filepath.Glob(filepath.Join(root, "usr/share/man/man1/*.1"))
	if err := errors.Join(err, failed); err != nil || len(ours) == 0 || len(ours) != len(theirs) {
		t.Errorf("%d of %d man pages: %v", len(theirs), len(ours), err)
	}
	answers(t, filepath.Join(root, "usr", "bin"))
}

// answers runs the program of a folder: its version is the release's, and it answers about a recording.
func answers(t *testing.T, folder string) {
	t.Helper()
	program := filepath.Join(folder, "kubectl-finalizers")
	if said := run(t, program, "version"); !strings.Contains(said, metadata(t).Version) {
		t.Errorf("the version is %q, want %s", said, metadata(t).Version)
	}
	file := recording.File(t, "../zoo/testdata/recorded/N01"+recording.Extension)
	said := run(t, program, "why", "pods/held", "-n", "n01", "--snapshot", file)
	if !strings.Contains(said, "remove pods/held") {
		t.Errorf("it says\n%s", said)
	}
	// kubectl finds the program that completes on the PATH, which finds the plugin there.
	complete := exec.CommandContext(t.Context(), filepath.Join(folder, "kubectl_complete-finalizers"), "wh")
	complete.Env = append(os.Environ(), "PATH="+folder+":/usr/bin:/bin")
	if out, err := complete.Output(); err != nil || !bytes.Contains(out, []byte("why\t")) {
		t.Errorf("completion says %q, %v", out, err)
	}
}

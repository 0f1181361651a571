package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/testenv"
)

// lab is a machine with kubectl and krew, and with a release to install: `make krew-test` makes one. What the
// manifest says is on the forge is served from here.
type lab struct {
	plugin   string // its name in an index
	dist     string // the release
	released string // the manifest as it is released
	manifest string // its manifest, with the addresses of this machine
	env      []string
}

func newLab(t *testing.T, index string) *lab {
	t.Helper()
	release := os.Getenv("KREW_RELEASE")
	if release == "" {
		t.Skip("make krew-test builds a release and krew, and installs the one with the other")
	}
	release = absolute(t, release)
	server := httptest.NewServer(http.FileServer(http.Dir(release)))
	t.Cleanup(server.Close)
	plugin := indexes()[index]
	released := filepath.Join(release, index, "plugins", plugin+".yaml")
	data := read(t, released)
	parsed, err := review(data)
	if err != nil {
		t.Fatal(err)
	}
	folder := parsed.Spec.Platforms[0].URI
	folder = folder[:strings.LastIndex(folder, "/")]
	served := filepath.Join(t.TempDir(), "plugins", plugin+".yaml")
	if err := os.MkdirAll(filepath.Dir(served), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, served, bytes.ReplaceAll(data, []byte(folder), []byte(server.URL)))
	home := t.TempDir()
	root := filepath.Join(home, ".krew")
	folders := []string{filepath.Join(root, "bin"), absolute(t, os.Getenv("KREW_BIN")),
		absolute(t, "../../bin/controlplane"), "/usr/bin", "/bin"}
	return &lab{plugin: plugin, dist: release, released: released, manifest: served, env: append(testenv.Fixed(),
		"HOME="+home, "KREW_ROOT="+root, "PATH="+strings.Join(folders, ":"),
		"GIT_AUTHOR_NAME=x", "GIT_AUTHOR_EMAIL=x@example.com", "GIT_COMMITTER_NAME=x", "GIT_COMMITTER_EMAIL=x@example.com",
	)}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// run runs a command line in the lab and returns all that it prints.
func (l *lab) run(t *testing.T, line string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-ec", line)
	cmd.Env = l.env
	cmd.Dir = filepath.Dir(filepath.Dir(l.manifest))
	out, err := cmd.CombinedOutput()
	t.Logf("$ %s\n%s", line, out)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestKrewAcceptsTheManifest runs the validator of krew's own index, which checks the manifest, downloads the
// archive for each platform, installs it, and looks for a license.
func TestKrewAcceptsTheManifest(t *testing.T) {
	for index := range indexes() {
		lab := newLab(t, index)
		out := lab.run(t, "validate-krew-manifest -manifest "+lab.manifest)
		if !strings.Contains(out, "all 6 spec.platforms installed fine") {
			t.Errorf("%s: not all six were installed", index)
		}
	}
}

// TestKrewInstallsAnArchive follows krew's documented way of testing a plugin before it is released: the
// manifest is the release's, as it is.
func TestKrewInstallsAnArchive(t *testing.T) {
	archive := "kubectl-finalizers_" + runtime.GOOS + "_" + runtime.GOARCH + ".tar.gz"
	for index := range indexes() {
		lab := newLab(t, index)
		lab.run(t, "kubectl krew install --manifest="+lab.released+" --archive="+lab.dist+"/"+archive)
		lab.works(t)
	}
}

// TestKrewInstallsFromTheIndex publishes dist/krew-index as a repository of git, and does what README.md says.
func TestKrewInstallsFromTheIndex(t *testing.T) {
	lab := newLab(t, "krew-index")
	lab.run(t, "git init -q . && git add plugins && git commit -q -m index && git clone -q --bare . index.git")
	lab.run(t, "kubectl krew index add finalizers \"$PWD/index.git\"")
	if out := lab.run(t, "kubectl krew search finalizers"); !strings.Contains(out, "finalizers/finalizers") {
		t.Error("the index doesn't offer it")
	}
	lab.run(t, "kubectl krew install finalizers/finalizers")
	lab.works(t)
	lab.run(t, "kubectl krew uninstall finalizers")
}

// works holds what krew has installed against what is promised of it, the caveats that krew prints included.
func (l *lab) works(t *testing.T) {
	t.Helper()
	parsed, err := review(read(t, l.manifest))
	if err != nil {
		t.Fatal(err)
	}
	if out := l.run(t, "kubectl "+l.plugin+" version"); !strings.HasPrefix(out,
		"kubectl-finalizers "+parsed.Spec.Version+" (commit ") {
		t.Errorf("the version is not %s", parsed.Spec.Version)
	}
	l.answers(t)
	_, commands, _ := strings.Cut(parsed.Spec.Caveats, "\n")
	l.run(t, commands)
	if out := l.run(t, "kubectl __complete "+l.plugin+" wh"); !strings.Contains(out, "why\t") {
		t.Error("kubectl completes nothing after the caveats were followed")
	}
	out := l.run(t, "kubectl plugin list")
	if want := filepath.Join("bin", "kubectl-"+l.plugin); !strings.Contains(out, want) || strings.Contains(out,
		"warning") || strings.Contains(out, "complete-") {
		t.Error("kubectl plugin list has something to warn of, or doesn't list it")
	}
}

// answers asks about a recording, and looks at the commands that the answer offers: they must be of what is installed.
func (l *lab) answers(t *testing.T) {
	t.Helper()
	file := recording.File(t, "../zoo/testdata/recorded/N01"+recording.Extension)
	out := l.run(t, "kubectl "+l.plugin+" why pods/held -n n01 --snapshot "+file)
	if !strings.Contains(out, "kubectl "+l.plugin+" remove pods/held") {
		t.Errorf("it offers no command of kubectl %s", l.plugin)
	}
	for _, other := range indexes() {
		if other != l.plugin && strings.Contains(out, "kubectl "+other) {
			t.Errorf("it offers kubectl %s, which is not installed", other)
		}
	}
}

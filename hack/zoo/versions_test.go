package zoo_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo"
)

const (
	// newest is the version of Kubernetes that the control plane's binaries are of.
	newest = "1.37"
	// emulated is the oldest one as which they can behave.
	emulated = "1.34"
)

// scenariosOn returns all scenarios that can be played on a version, with what is expected there.
func scenariosOn(t *testing.T, version string) (played []zoo.Scenario) {
	t.Helper()
	all, err := zoo.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, scenario := range all {
		if there, can := scenario.On(version); can {
			played = append(played, there)
		}
	}
	return played
}

// sensitiveOn returns those to which the version makes a difference.
func sensitiveOn(t *testing.T, version string) []zoo.Scenario {
	t.Helper()
	return slices.DeleteFunc(scenariosOn(t, version), func(scenario zoo.Scenario) bool { return !scenario.Sensitive })
}

// TestZooEmulated plays what is sensitive to the version on a control plane that behaves as an older one.
func TestZooEmulated(t *testing.T) {
	if version, err := controlplane.Version(); err == nil && version != newest {
		t.Skipf("the whole zoo is played on %s", version)
	}
	boot := func(t testing.TB) *controlplane.ControlPlane { return controlplane.ForTestAs(t, emulated) }
	play(t, emulated, boot, sensitiveOn(t, emulated))
}

// recordedOn are the versions that have recordings, besides the newest.
func recordedOn(t *testing.T) (versions []string) {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join("testdata", "recorded-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		versions = append(versions, strings.TrimPrefix(filepath.Base(folder), "recorded-"))
	}
	if !slices.Contains(versions, emulated) {
		t.Errorf("there are no recordings of %s, but of %q", emulated, versions)
	}
	return versions
}

// folderOf is where recordings of a version are kept.
func folderOf(version string) string {
	if version == newest {
		return filepath.Join("testdata", "recorded")
	}
	return filepath.Join("testdata", "recorded-"+version)
}

// TestOn holds what is expected to the version that is asked for.
func TestOn(t *testing.T) {
	scenario, err := zoo.Parse([]byte(`{id: X, from: "1.31", until: "1.36", steps: [{aliveNode: x}], target: a/b,
  budget: 1,
want: {verdict: Stuck}, before: [{version: "1.33", budget: 2, want: {verdict: Progressing}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{
		"1.30": "", "1.31": "Progressing", "1.32": "Progressing", "1.33": "Stuck", "1.36": "Stuck", "1.37": "",
	} {
		got := ""
		if there, can := scenario.On(version); can {
			got = there.Want.Verdict
		}
		if got != want {
			t.Errorf("on %s, %q is expected, want %q", version, got, want)
		}
	}
	if there, _ := scenario.On("1.34"); !there.Sensitive {
		t.Error("a scenario that expects something else of older versions is none to play on them")
	}
}

package packages

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestActionsArePinned: what runs for a release is named by its commit, with its version in a comment.
func TestActionsArePinned(t *testing.T) {
	workflows, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(workflows) < 4 {
		t.Fatal(workflows, err)
	}
	pinned := regexp.MustCompile(`^[A-Za-z0-9-]+(/[A-Za-z0-9_-]+)+@[0-9a-f]{40} # v[0-9]+\.[0-9]+\.[0-9]+(;|$)`)
	pins := map[string]string{}
	for _, workflow := range workflows {
		data, err := os.ReadFile(workflow)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			_, action, uses := strings.Cut(line, "uses: ")
			if action = strings.TrimSpace(action); !uses {
				continue
			}
			if !pinned.MatchString(action) {
				t.Errorf("%s: %s is not pinned", filepath.Base(workflow), action)
			}
			name, version, _ := strings.Cut(action, "@")
			version, _, _ = strings.Cut(version, ";")
			if known := pins[name]; known != "" && known != version {
				t.Errorf("%s is pinned as %s and as %s", name, known, version)
			}
			pins[name] = version
		}
	}
}

// TestDependenciesAreUpdated: each module is in the list of what dependabot renews, but for older Kubernetes.
func TestDependenciesAreUpdated(t *testing.T) {
	data, err := os.ReadFile("../../.github/dependabot.yml")
	if err != nil {
		t.Fatal(err)
	}
	var config struct {
		Updates []struct {
			Ecosystem   string `json:"package-ecosystem"`
			Directories []string
		}
	}
	if err := yaml.Unmarshal(data, &config); err != nil || len(config.Updates) == 0 {
		t.Fatal(err)
	}
	var modules []string
	err = filepath.WalkDir("../..", func(file string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains([]string{"bin", "dist", ".git", "node_modules"}, entry.Name()) &&
			file != "../.." {
			return filepath.SkipDir
		}
		folder := path.Dir(strings.TrimPrefix(filepath.ToSlash(file), "../.."))
		if err == nil && entry.Name() == "go.mod" && !strings.HasPrefix(folder, "/hack/controlplane/binaries/v") {
			modules = append(modules, folder)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(modules)
	if updated := slices.Sorted(slices.Values(config.Updates[0].Directories)); !slices.Equal(updated, modules) {
		t.Errorf("dependabot renews %v, and there are %v", updated, modules)
	}
}

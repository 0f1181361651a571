// Command argocd writes health checks for Argo CD from the catalogue: what an object that is being deleted waits for,
// and what its finalizers protect.
//
//	argocd FOLDER
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: argocd FOLDER")
		os.Exit(1)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// write puts what generate returns in the place of the folder's generated files.
func write(folder string) error {
	files, err := generate()
	if err != nil {
		return err
	}
	for _, kind := range []string{"health", "upstream"} {
		if err := os.RemoveAll(filepath.Join(folder, kind)); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(folder, kind), 0o755); err != nil {
			return err
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate returns the files by their names, at most two for a project of the catalogue: health/PROJECT.yaml has the
// checks of the kinds for which Argo CD has none, and upstream/PROJECT.md what may be added to its own checks.
func generate() (map[string][]byte, error) {
	set, err := plugins.Embedded()
	if err != nil {
		return nil, err
	}
	files, all := map[string][]byte{}, set.All()
	for _, project := range set.Projects() {
		var own, missing []check
		for _, known := range checksOf(set, all, project.Project) {
			if isBundled(known.Key) {
				own = append(own, known)
			} else {
				missing = append(missing, known)
			}
		}
		name := strings.TrimSuffix(filepath.Base(project.File), ".yaml")
		if len(missing) > 0 {
			if files["health/"+name+".yaml"], err = configMap(missing); err != nil {
				return nil, err
			}
		}
		own = slices.DeleteFunc(own, func(known check) bool { return len(known.Exact) == 0 })
		if len(own) > 0 {
			files["upstream/"+name+".md"] = proposal(project.Project, own)
		}
	}
	return files, nil
}

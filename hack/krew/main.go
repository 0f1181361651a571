// Command krew makes krew's manifests from the archives that goreleaser has built, and checks that the archives hold
// what they should:
//
//	krew DIST
//
// reads DIST/checksums.txt and DIST/metadata.json, and writes the manifests of indexes below DIST. What krew itself
// asks of a manifest is left to krew's validator, and to krew: `make krew-test`.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: krew DIST")
		os.Exit(1)
	}
	if err := run(os.Args[1], "krew/plugin.yaml"); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// indexes are the folders of indexes below a release, with the name of the plugin in each. In krew's own index, the
// name of the program belongs to another one.
func indexes() map[string]string {
	return map[string]string{"krew-index": "finalizers", "krew-central": "terminating"}
}

func run(dist, template string) error {
	for index, name := range indexes() {
		if err := publish(dist, template, index, name); err != nil {
			return err
		}
	}
	return nil
}

// publish writes the manifest of an index, after looking into the archives that it names.
func publish(dist, template, index, name string) error {
	manifest, err := manifestOf(dist, template, name)
	if err != nil {
		return err
	}
	parsed, err := review(manifest)
	if err != nil {
		return err
	}
	for _, platform := range parsed.Spec.Platforms {
		files, err := inspect(platform, dist)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %s\n", filepath.Base(platform.URI), strings.Join(slices.Sorted(maps.Keys(files)), " "))
	}
	path := filepath.Join(dist, index, "plugins", name+".yaml")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	fmt.Println("wrote", path)
	return os.WriteFile(path, manifest, 0o644)
}

func manifestOf(dist, template, name string) ([]byte, error) {
	var release struct {
		Version string `json:"version"`
	}
	data, err := os.ReadFile(filepath.Join(dist, "metadata.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &release); err != nil {
		return nil, err
	}
	checksums, err := os.Open(filepath.Join(dist, "checksums.txt"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = checksums.Close() }()
	archives, err := platforms(checksums)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(template)
	if err != nil {
		return nil, err
	}
	return render(text, name, "v"+release.Version, archives)
}

// Command krew makes a custom index of krew from the archives that goreleaser has built, and checks that they
// hold what they should:
//
//	krew DIST
//
// reads DIST/checksums.txt and DIST/metadata.json, and writes DIST/krew-index/plugins/finalizers.yaml. What
// krew itself asks of the manifest is left to krew's validator, and to krew: `make krew-test`.
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
	if err := run(os.Args[1], "krew/finalizers.yaml"); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(dist, template string) error {
	manifest, err := manifestOf(dist, template)
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
	path := filepath.Join(dist, "krew-index", "plugins", "finalizers.yaml")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	fmt.Println("wrote", path)
	return os.WriteFile(path, manifest, 0o644)
}

func manifestOf(dist, template string) ([]byte, error) {
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
	return render(text, "v"+release.Version, archives)
}

// Command image assembles the image of a release from its executables for Linux, as an OCI layout:
//
//	image DIST LAYOUT
//
// There is no base image: an image has the program, the certificates of public authorities, two users, an empty /tmp,
// and the license. It needs no daemon and no registry, and what it writes depends on the commit alone.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: image DIST LAYOUT")
		os.Exit(1)
	}
	if err := run(os.Args[1], os.Args[2], os.Getenv("COMMIT"), os.Getenv("COMMIT_DATE")); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// release is what an image says of where it comes from.
type release struct {
	version string
	commit  string
	date    time.Time
}

// run writes one image for each executable for Linux that goreleaser has left in dist, and an index of them.
func run(dist, out, commit, date string) error {
	committed, err := time.Parse(time.RFC3339, date)
	if err != nil {
		return fmt.Errorf("COMMIT_DATE is %q: %w", date, err)
	}
	if commit == "" {
		return errors.New("COMMIT is not set")
	}
	var metadata struct {
		Version string `json:"version"`
	}
	if err := readJSON(filepath.Join(dist, "metadata.json"), &metadata); err != nil {
		return err
	}
	executables, err := executablesIn(dist)
	if err != nil {
		return err
	}
	from := release{version: "v" + metadata.Version, commit: commit, date: committed}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, executable := range executables {
		image, err := from.image(executable)
		if err != nil {
			return fmt.Errorf("%s: %w", executable.Arch, err)
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: "linux", Architecture: executable.Arch},
		}})
	}
	index = mutate.Annotations(index, from.labels()).(v1.ImageIndex)
	return write(out, index)
}

// write replaces the layout by one that has the index only.
func write(out string, index v1.ImageIndex) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	path, err := layout.Write(out, empty.Index)
	if err != nil {
		return err
	}
	if err := path.AppendIndex(index); err != nil {
		return err
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	fmt.Println("wrote", out, digest)
	return nil
}

// executable is one of goreleaser's artifacts.
type executable struct {
	Path string `json:"path"`
	Arch string `json:"goarch"`
	OS   string `json:"goos"`
	Type string `json:"type"`
}

// executablesIn returns the executables for Linux that DIST/artifacts.json lists, their paths below DIST.
func executablesIn(dist string) ([]executable, error) {
	var artifacts, found []executable
	if err := readJSON(filepath.Join(dist, "artifacts.json"), &artifacts); err != nil {
		return nil, err
	}
	for _, artifact := range artifacts {
		if artifact.Type == "Binary" && artifact.OS == "linux" {
			folder := filepath.Base(filepath.Dir(artifact.Path))
			artifact.Path = filepath.Join(dist, folder, filepath.Base(artifact.Path))
			found = append(found, artifact)
		}
	}
	if len(found) == 0 {
		return nil, errors.New("no executable for Linux: was anything built?")
	}
	return found, nil
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

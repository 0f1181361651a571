// Command site writes the pages of the documentation site, as Hugo takes them: those of docs/, one for each cause, one
// for each finalizer of the catalogue, and one for each project of it.
//
//	site REPOSITORY FOLDER
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: site REPOSITORY FOLDER")
		os.Exit(1)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// write puts the pages of a repository, and the pictures in them, in the place of those in a folder.
func write(repository, folder string) error {
	pages, err := generate(repository)
	if err != nil {
		return err
	}
	content, pictures := filepath.Join(folder, "content"), filepath.Join(folder, "static", "pictures")
	if err := errors.Join(os.RemoveAll(content), os.RemoveAll(pictures)); err != nil {
		return err
	}
	for _, known := range pages {
		text, err := known.file()
		if err != nil {
			return err
		}
		path := filepath.Join(content, filepath.FromSlash(known.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return os.CopyFS(pictures, os.DirFS(filepath.Join(repository, "docs", "pictures")))
}

// generate returns all pages of a repository. The error is that a file can't be read, or that a link leads nowhere.
func generate(repository string) ([]page, error) {
	written, err := documentation(repository)
	if err != nil {
		return nil, err
	}
	set, err := plugins.Embedded()
	if err != nil {
		return nil, err
	}
	finalizers, err := finalizerPages(set)
	if err != nil {
		return nil, err
	}
	return slices.Concat(written, finalizers, projectPages(set)), nil
}

package cli

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/bounds"
)

// fetched is what is at an address.
type fetched struct {
	address string
	data    []byte
}

// checkManifests returns an error where what -f names is too long, or would expand without end: kubectl's code, which
// reads it, knows no bounds. What can't be read at all, that says itself. It returns what is at addresses, which could
// be something else the next time. A kustomization is a program of the user's own.
func checkManifests(
	ctx context.Context, manifests []byte, files []string, recursive bool,
) (found []fetched, err error) {
	if err := bounds.Check(manifests); err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	for _, name := range files {
		var err error
		switch {
		case name == "-":
		case isURL(name):
			var got fetched
			got, err = fetch(ctx, name)
			found = append(found, got)
		default:
			err = checkPaths(ctx, name, recursive)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	return found, nil
}

// checkPaths checks the files that a name, a folder or a pattern stands for (k8s v1.37
// cli-runtime/pkg/resource/builder.go:FilenameParam).
func checkPaths(ctx context.Context, name string, recursive bool) error {
	paths, err := filepath.Glob(name)
	if err != nil || len(paths) == 0 {
		paths = []string{name}
	}
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				return nil //nolint:nilerr // kubectl's code says so
			case entry.IsDir() && path != root && !recursive:
				return filepath.SkipDir
			case entry.IsDir(), path != root && !slices.Contains([]string{".json", ".yaml", ".yml"}, filepath.Ext(path)):
				return nil
			}
			return checkFile(ctx, path)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkFile checks one file. Pipes and devices are left to kubectl's code: they can be read only once.
func checkFile(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil //nolint:nilerr // kubectl's code says so
	}
	file, err := os.Open(path) //nolint:gosec // the user names the file
	if err != nil {
		return nil //nolint:nilerr // kubectl's code says so
	}
	defer func() { _ = file.Close() }()
	_, err = checked(ctx, file)
	return err
}

func isURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// fetch gets and checks what is at an address.
func fetch(ctx context.Context, address string) (fetched, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fetched{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fetched{}, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fetched{}, fmt.Errorf("the server answered with %s", response.Status)
	}
	data, err := checked(ctx, response.Body)
	return fetched{address, data}, err
}

// checked reads manifests to their end, within bounds.
func checked(ctx context.Context, in io.Reader) ([]byte, error) {
	data, err := untilDone(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(in, mostInput+1)) })
	switch {
	case err != nil:
		return nil, err
	case len(data) > mostInput:
		return nil, fmt.Errorf("it is longer than %d MiB", mostInput>>20)
	}
	return data, bounds.Check(data)
}

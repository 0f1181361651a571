package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

const (
	mostFiles   = 500_000
	mostFolders = 24 // below one another
	mostSkipped = 20 // broken files that are told of
)

// readFolder takes in all manifests below a folder. What can't be read is noted, and what it would have
// told is unknown. It returns when the newest file was written.
func (a *assembly) readFolder(ctx context.Context, root string) (written time.Time, err error) {
	files := 0
	if root, err = filepath.EvalSymlinks(root); err != nil { // WalkDir follows none, not even this one
		return written, err
	}
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		inside, _ := filepath.Rel(root, name)
		inside = filepath.ToSlash(inside)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.skip(inside, err)
			return nil
		}
		if files++; files > mostFiles {
			return fmt.Errorf("it holds more than %d files", mostFiles)
		}
		if entry.IsDir() && strings.Count(inside, "/") > mostFolders {
			return fmt.Errorf("its folders are nested deeper than %d levels", mostFolders)
		}
		if !entry.Type().IsRegular() || !manifest(inside) && path.Base(inside) != timestamp {
			return nil // what is linked to lies elsewhere
		}
		a.readIn(ctx, name, inside, &written)
		return nil
	})
	if err != nil {
		return written, err
	}
	return a.told(written), nil
}

// readIn takes in one file of a folder.
func (a *assembly) readIn(ctx context.Context, name, inside string, written *time.Time) {
	file, err := os.Open(name) //nolint:gosec // the user names the folder
	if err != nil {
		a.skip(inside, err)
		return
	}
	defer func() { _ = file.Close() }()
	if path.Base(inside) == timestamp {
		_ = a.stamp(file)
		return
	}
	if info, err := file.Stat(); err == nil && info.ModTime().After(*written) {
		*written = info.ModTime()
	}
	a.readFile(ctx, inside, interruptible{ctx, file})
}

// manifest tells by its name whether a file may hold objects.
func manifest(inside string) bool {
	switch path.Ext(inside) {
	case ".yaml", ".yml", ".json":
		return !ofContainer(inside)
	}
	return false
}

// readFile takes in the manifests of one file of a folder or an archive.
func (a *assembly) readFile(ctx context.Context, inside string, in io.Reader) {
	at := placed(inside)
	a.named(at)
	lists, err := a.readDocuments(in)
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, errNoObject) && at == (location{}):
		// Statistics, settings, metrics: must-gathers are full of them.
	case err != nil:
		a.skip(inside, err)
	case len(lists) == 1:
		a.listedAt(at, lists[0])
	}
}

// skip notes what could not be read.
func (a *assembly) skip(file string, err error) {
	if a.skips++; len(a.skipped) < mostSkipped {
		a.skipped = append(a.skipped, fmt.Errorf("%s: %w", file, err))
	}
}

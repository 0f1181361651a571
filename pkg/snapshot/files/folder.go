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
// told is unknown.
func (a *assembly) readFolder(ctx context.Context, root string) error {
	files := 0
	root, err := filepath.EvalSymlinks(root) // WalkDir follows none, not even this one
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
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
		if !entry.Type().IsRegular() || !wanted(inside) {
			return nil // what is linked to lies elsewhere
		}
		file, err := os.Open(name) //nolint:gosec // the user names the folder
		if err != nil {
			a.skip(inside, err)
			return nil
		}
		defer func() { _ = file.Close() }()
		written := time.Time{}
		if info, err := file.Stat(); err == nil {
			written = info.ModTime()
		}
		a.readFile(ctx, inside, written, interruptible{ctx, file})
		return nil
	})
}

// wanted tells by its name whether a file may hold objects, or the time.
func wanted(inside string) bool {
	switch path.Ext(inside) {
	case ".yaml", ".yml", ".json":
		return !ofContainer(inside)
	}
	return path.Base(inside) == timestamp
}

// readFile takes in one file of a folder or an archive, if it is wanted.
func (a *assembly) readFile(ctx context.Context, inside string, written time.Time, in io.Reader) {
	switch {
	case !wanted(inside):
		return
	case path.Base(inside) == timestamp:
		a.stamp(in)
		return
	case written.Unix() > 0: // archives that are to be the same each time have zero
		a.wrote(written)
	}
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

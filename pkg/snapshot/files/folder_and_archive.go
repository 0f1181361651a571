package files

import (
	"archive/tar"
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

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

const (
	mostFiles   = 500_000
	mostFolders = 24 // below one another
	mostSkipped = 20 // broken files that are reported
)

// readFolder takes in all manifests below a folder. What can't be read is noted.
func (a *assembly) readFolder(ctx context.Context, root string) error {
	files := 0
	root, err := filepath.EvalSymlinks(root) // WalkDir follows none, not even this one
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		inside, _ := filepath.Rel(root, name)
		inside = filepath.ToSlash(inside)
		files++
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			a.skip(inside, err)
			return nil
		case files > mostFiles:
			return fmt.Errorf("it contains more than %d files", mostFiles)
		case entry.IsDir() && strings.Count(inside, "/") > mostFolders:
			return fmt.Errorf("its folders are nested deeper than %d levels", mostFolders)
		case !entry.Type().IsRegular() || !wanted(inside):
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
		a.readFile(ctx, inside, written, interruptible(ctx, file))
		return nil
	})
}

// wanted tells by its name whether a file may hold objects, or the time.
func wanted(inside string) bool {
	switch path.Ext(inside) {
	case ".yaml", ".yml", ".json", ".txt":
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
		a.written = later(a.written, written)
	}
	at := placed(inside)
	if at.resource != "" && len(a.plurals) < mostPlurals { // which is what its objects are called
		a.plurals[location{group: at.group, resource: at.resource}] = true
	}
	lists, err := a.readDocuments(ctx, in)
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

// readArchive takes in a folder that was packed by tar. One file is in memory at a time, and none goes to the disk.
func (a *assembly) readArchive(ctx context.Context, in io.Reader) error {
	blocks := &blockReader{in: in}
	archive := tar.NewReader(blocks)
	for entries := 1; ; entries++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		entry, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF) && blocks.cut():
			return snapshot.ErrTruncated
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return snapshot.ErrTruncated
		case errors.Is(err, tar.ErrHeader):
			return fmt.Errorf("it is damaged: %w", err)
		case err != nil:
			return err
		case entries > mostFiles:
			return fmt.Errorf("it contains more than %d files", mostFiles)
		case entry.Typeflag != tar.TypeReg:
			continue // what is linked to lies elsewhere
		}
		name := strings.TrimPrefix(path.Clean("/"+entry.Name), "/")
		if strings.Count(name, "/") > mostFolders {
			return fmt.Errorf("its folders are nested deeper than %d levels", mostFolders)
		}
		var failed error // of the archive, unlike what is wrong with this file alone
		a.readFile(ctx, name, entry.ModTime, snapshot.ReaderFunc(func(into []byte) (int, error) {
			n, err := archive.Read(into)
			if errors.Is(err, io.ErrUnexpectedEOF) {
				err = snapshot.ErrTruncated
			}
			if err != nil && !errors.Is(err, io.EOF) {
				failed = err
			}
			return n, err
		}))
		if failed != nil {
			return failed
		}
	}
}

// blockReader says how an archive ended: one that is whole ends with blocks of zeros, and package tar takes one that
// was cut between two files for whole as well.
type blockReader struct {
	in    io.Reader
	ended bool // there is nothing more to read
	since int  // how many bytes were read since the last that isn't zero
}

// Read implements io.Reader.
func (b *blockReader) Read(into []byte) (int, error) {
	n, err := b.in.Read(into)
	for _, one := range into[:n] {
		if b.since++; one != 0 {
			b.since = 0
		}
	}
	b.ended = b.ended || errors.Is(err, io.EOF)
	return n, err
}

// cut reports whether the archive has come to its end without the mark of it.
func (b *blockReader) cut() bool {
	const block = 512
	return b.ended && b.since < block
}

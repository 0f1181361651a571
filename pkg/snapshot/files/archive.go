package files

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// readArchive takes in a folder that was packed by tar, without unpacking it to the disk: one file is in
// memory at a time. It returns when the newest file was written.
func (a *assembly) readArchive(ctx context.Context, in io.Reader) (written time.Time, err error) {
	archive := tar.NewReader(in)
	for entries := 1; ; entries++ {
		if err := ctx.Err(); err != nil {
			return written, err
		}
		entry, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return a.told(written), nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return written, snapshot.ErrTruncated
		case errors.Is(err, tar.ErrHeader):
			return written, fmt.Errorf("it is damaged: %w", err)
		case err != nil:
			return written, err
		case entries > mostFiles:
			return written, fmt.Errorf("it holds more than %d files", mostFiles)
		case entry.Typeflag != tar.TypeReg:
			continue // what is linked to lies elsewhere
		}
		if err := a.readEntry(ctx, archive, entry, &written); err != nil {
			return written, err
		}
	}
}

// readEntry takes in one file. What is wrong with it alone is noted, and what ends the archive an error.
func (a *assembly) readEntry(ctx context.Context, archive *tar.Reader, entry *tar.Header, written *time.Time) error {
	name := strings.TrimPrefix(path.Clean("/"+entry.Name), "/")
	if strings.Count(name, "/") > mostFolders {
		return fmt.Errorf("its folders are nested deeper than %d levels", mostFolders)
	}
	if path.Base(name) == timestamp {
		return ended(a.stamp(archive))
	}
	if !manifest(name) {
		return nil
	}
	if entry.ModTime.Unix() > 0 && entry.ModTime.After(*written) { // archives that are to be the same each time have zero
		*written = entry.ModTime
	}
	// archive/tar reports with io.ErrUnexpectedEOF that the archive ends within the file.
	within := &noticing{in: archive}
	a.readFile(ctx, name, within)
	return within.failed
}

// noticing remembers what went wrong with what it reads, as opposed to what stands in it.
type noticing struct {
	in     io.Reader
	failed error
}

// Read implements io.Reader.
func (n *noticing) Read(into []byte) (int, error) {
	count, err := n.in.Read(into)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = snapshot.ErrTruncated
	}
	if err != nil && !errors.Is(err, io.EOF) {
		n.failed = err
	}
	return count, err
}

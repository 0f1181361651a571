package files

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// readArchive takes in a folder that was packed by tar, without unpacking it to the disk: one file is in
// memory at a time.
func (a *assembly) readArchive(ctx context.Context, in io.Reader) error {
	archive := tar.NewReader(in)
	for entries := 1; ; entries++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		entry, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, io.ErrUnexpectedEOF):
			return snapshot.ErrTruncated
		case errors.Is(err, tar.ErrHeader):
			return fmt.Errorf("it is damaged: %w", err)
		case err != nil:
			return err
		case entries > mostFiles:
			return fmt.Errorf("it holds more than %d files", mostFiles)
		case entry.Typeflag != tar.TypeReg:
			continue // what is linked to lies elsewhere
		}
		name := strings.TrimPrefix(path.Clean("/"+entry.Name), "/")
		if strings.Count(name, "/") > mostFolders {
			return fmt.Errorf("its folders are nested deeper than %d levels", mostFolders)
		}
		within := &noticing{in: archive}
		a.readFile(ctx, name, entry.ModTime, within)
		if within.failed != nil { // which ends the archive, unlike what is wrong with this file alone
			return within.failed
		}
	}
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

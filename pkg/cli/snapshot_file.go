package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// recordingFile is a file that is being written. It takes its name only when it is complete.
type recordingFile struct {
	name      string
	size      int64
	stdout    io.Writer // instead of a file
	temporary *os.File
	// buffer holds the recording until names are replaced: nothing with names in it reaches the disk.
	buffer bytes.Buffer
}

func createRecording(streams genericiooptions.IOStreams, name string, head snapshot.Header) (*recordingFile, error) {
	if name == "-" {
		if isTerminal(streams.Out) {
			return nil, errors.New(
				"a recording is not text for a terminal: name a file with -o, or redirect the output")
		}
		return &recordingFile{name: "standard output", stdout: streams.Out}, nil
	}
	if name == "" {
		cluster := regexp.MustCompile(`[^A-Za-z0-9.-]+`).ReplaceAllString(cmp.Or(head.Context, "cluster"), "-")
		name = fmt.Sprintf("%s-%s.snapshot", cluster, head.RecordedAt.UTC().Format("20060102-150405"))
	}
	if _, err := os.Lstat(name); err == nil {
		return nil, alreadyThere(name)
	}
	// Next to the file that it becomes, readable only by its owner.
	temporary, err := os.CreateTemp(filepath.Dir(name), ".snapshot-*")
	if err != nil {
		var on *fs.PathError
		if errors.As(err, &on) { // which names the temporary file, which the user does not know
			err = on.Err
		}
		return nil, fmt.Errorf("the recording can't be written in folder %s: %w; name another file with -o",
			filepath.Dir(name), err)
	}
	return &recordingFile{name: name, temporary: temporary}, nil
}

func (f *recordingFile) out(redact bool) io.Writer {
	if redact {
		return &f.buffer
	}
	return f
}

// Write implements io.Writer.
func (f *recordingFile) Write(data []byte) (int, error) {
	f.size += int64(len(data))
	if f.stdout != nil {
		return f.stdout.Write(data)
	}
	return f.temporary.Write(data)
}

func (f *recordingFile) keep(ctx context.Context, redact bool) error {
	if redact {
		if err := snapshot.Redact(ctx, f.buffer.Bytes(), f); err != nil {
			return err
		}
	}
	if f.stdout != nil {
		return nil
	}
	if err := errors.Join(ctx.Err(), f.temporary.Sync(), f.temporary.Close()); err != nil {
		return fmt.Errorf("the recording can't be written: %w", err)
	}
	return f.publish()
}

// publish gives the file its name, unless that is taken: a link is refused where a renaming would replace.
func (f *recordingFile) publish() error {
	err := os.Link(f.temporary.Name(), f.name)
	switch {
	case err == nil:
		return nil // discard removes the first name
	case errors.Is(err, fs.ErrExist):
		return alreadyThere(f.name)
	}
	// A file system without links.
	if _, err := os.Lstat(f.name); err == nil {
		return alreadyThere(f.name)
	}
	if err := os.Rename(f.temporary.Name(), f.name); err != nil {
		return fmt.Errorf("the recording can't be written: %w", err)
	}
	return nil
}

func alreadyThere(name string) error {
	return fmt.Errorf("%s already exists, and snapshot does not overwrite files: "+
		"name another file with -o, or delete it first", name)
}

// discard deletes what is incomplete, or has another name by now.
func (f *recordingFile) discard() {
	if f.temporary != nil {
		_ = f.temporary.Close()
		_ = os.Remove(f.temporary.Name())
	}
}

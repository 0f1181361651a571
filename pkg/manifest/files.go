package manifest

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
)

// Keepable creates a folder, and reports whether it keeps what is put into it: where everybody may write, and no sticky
// bit keeps people to their own files, anybody could replace the object with another.
func Keepable(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(folder) // through links
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o002 != 0 && info.Mode()&os.ModeSticky == 0 && runtime.GOOS != "windows" {
		return fmt.Errorf("anyone can write to the folder %s, and replace what is saved there: use another one", folder)
	}
	return nil
}

// Plain is a name as a part of a file's name, cut where it is longer than that.
func Plain(name string, longest int) string {
	name = strings.Map(plain, name)
	return name[:min(len(name), longest)]
}

// plain leaves nothing in a name that a file system, a shell or a terminal takes for more than a
// letter. Names of some kinds may have anything in them but a slash.
func plain(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '-':
		return r
	}
	return '_'
}

// Comment makes a YAML comment of lines.
func Comment(lines ...string) string {
	var text strings.Builder
	for _, line := range lines {
		fmt.Fprintln(&text, "# "+escape.Text(line))
	}
	return text.String()
}

// WriteNew writes a new file, through no link, and makes sure that it is on the disk.
func WriteNew(path string, content []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		err = errors.Join(err, os.Remove(file.Name())) // half an object is no backup
	}
	return err
}

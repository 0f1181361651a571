package files_test

import (
	"archive/tar"
	"bytes"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
)

// stream is a gigabyte that begins in one way and continues in another. Nothing of it is in memory.
type stream struct {
	start, more string
	read        int64
}

const gigabyte = 1 << 30

// Read implements io.Reader.
func (s *stream) Read(into []byte) (n int, err error) {
	if s.read >= gigabyte {
		return 0, io.EOF
	}
	if len(s.start) > 0 {
		n = copy(into, s.start)
		s.start = s.start[n:]
	} else {
		for n < len(into) {
			n += copy(into[n:], s.more)
		}
	}
	s.read += int64(n)
	return n, nil
}

// TestEndlessFiles reads what never ends: it is given up long before a gigabyte, and without all of it in memory.
func TestEndlessFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads half a gigabyte")
	}
	const page = 1 << 15
	fill := func(text string) string { return strings.Repeat(text, page) }
	for name, c := range map[string]struct {
		start, more, says string
	}{
		"a line of YAML":         {"apiVersion: v1\nkind: Pod\nmetadata: {name: ", fill("x"), "larger than 16 MiB"},
		"a comment":              {"#", fill("#"), "larger than 16 MiB"},
		"lines of YAML":          {"apiVersion: v1\nkind: Pod\nmetadata:\n", fill("  a: b\n"), "larger than 16 MiB"},
		"a text in JSON":         {`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"`, fill("x"), "larger than 16 MiB"},
		"lists in lists in JSON": {`{"apiVersion":"v1","kind":"Pod","spec":`, fill("["), ""},
		"maps in maps in YAML":   {"apiVersion: v1\nkind: Pod\nspec: ", fill("{a: "), ""},
		"spaces":                 {"", fill(" "), "larger than 16 MiB"},
		"a log":                  {"==== START logs for container main of pod shop/web ====\n", fill("x\n"), ""},
		"a line of a recording": {
			`{"format":"kubectl-finalizers-snapshot","version":1,"recordedAt":"2026-01-02T03:04:05Z"}` + "\n", fill("x"), ""},
		"the head of one": {`{"format":"kubectl-finalizers-snapshot","more":"`, fill("x"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := &stream{start: c.start, more: c.more}
			_, err := files.Open(t.Context(), []string{"-"}, in)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want %q", err, c.says)
			}
			if most := int64(200 << 20); in.read > most {
				t.Errorf("%d MiB were read", in.read>>20)
			}
		})
	}
}

// TestManyMembers reads archives of a million small files, and one of a file that is all holes.
func TestManyMembers(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads a million files")
	}
	for name, member := range map[string]*tar.Header{
		"a million empty manifests": {Name: "pod.yaml", Typeflag: tar.TypeReg},
		"a million links":           {Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in, out := io.Pipe()
			go func() {
				archive := tar.NewWriter(out)
				for number := range 1_000_000 {
					head := *member
					head.Name = strconv.Itoa(number) + head.Name
					if archive.WriteHeader(&head) != nil {
						return // nothing reads further
					}
				}
				_ = archive.Close()
				_ = out.Close()
			}()
			_, err := files.Open(t.Context(), []string{"-"}, in)
			_ = in.Close()
			if err == nil || !strings.Contains(err.Error(), "more than 500000 files") {
				t.Errorf("error %v", err)
			}
		})
	}
	// A header of GNU's sparse files: a terabyte, and nothing of it is stored.
	header := make([]byte, 512)
	copy(header, "pod.yaml")
	copy(header[100:], "0000644\x000000000\x000000000\x0000000000000\x0014000000000\x00")
	header[156] = 'S'
	copy(header[257:], "ustar  \x00")
	copy(header[386:], "20000000000000"[:12]) // the first hole's end: far away
	copy(header[483:], "17777777777\x00")     // the size
	sum := 0
	copy(header[148:156], "        ")
	for _, one := range header {
		sum += int(one)
	}
	copy(header[148:], strconv.FormatInt(int64(sum), 8)+"\x00 ")
	if _, err := files.Open(t.Context(), []string{"-"},
		bytes.NewReader(append(header, make([]byte, 1024)...))); err == nil {
		t.Error("a file that is all holes holds objects")
	}
}

// Package recording keeps the recordings of tests as text: of many hundred lines in a recording of a cluster, nearly
// all are in others, too. What several recordings have in common is in one file, shared.txt, which this package embeds.
// A recording names it, and holds the rest.
//
// Both consist of lines, one for each thing that a snapshot holds: a resource or kind that is served, an object, a
// read. A line changes only with what it is about, so a diff shows what is different in a new recording.
package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Extension is what the names of recordings of tests end with.
const Extension = ".recording"

// recording is a snapshot, taken apart.
type recording struct {
	head  head
	lines map[string]string // what they are about → what they say of it
}

// head is what a snapshot says of itself, and the time of everything for which the time plays no role.
type head struct {
	RecordedAt time.Time `json:"recordedAt"`
	Start      time.Time `json:"start"`
	By         string    `json:"by,omitempty"`
	Server     string    `json:"server,omitempty"`
	Context    string    `json:"context,omitempty"`
	Namespace  string    `json:"namespace,omitempty"`
	Scope      string    `json:"scope,omitempty"`
}

// The first word of a line.
const (
	wordHead    = "head"
	wordShared  = "shared"
	wordServes  = "serves"  // a resource
	wordKind    = "kind"    // in a version that is served
	wordFailed  = "failed"  // discovery of a version
	wordPartial = "partial" // discovery as a whole
	wordWhole   = "whole"   // an object
	wordMeta    = "meta"    // the metadata of one
	wordRead    = "read"
	wordReads   = "reads" // lists of several places, which were read in full
	wordLike    = "like"  // before whole or meta: only what differs from an object in shared.txt
)

// File unpacks a recording into a file of its own, as users have them, and returns that file's name.
func File(t testing.TB, path string) string {
	t.Helper()
	data, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(path), Extension)+".snapshot")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// Read returns a recording in the format of a snapshot, not compressed.
func Read(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	common, err := embedded()
	if err != nil {
		return nil, err
	}
	one, err := parse(data, common)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return one.snapshot()
}

// Write keeps a snapshot as a recording of tests. What shared.txt has is only named; go run ./hack/recording/share
// looks for more that recordings have in common.
func Write(path string, snapshot []byte) error {
	one, err := take(snapshot)
	if err != nil {
		return err
	}
	common, err := parseShared(sharedText) // which remembers what it has compared
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	return os.WriteFile(path, one.text(common), 0o600)
}

// encode returns a value as JSON in one line.
func encode(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprintf("%q", err.Error())
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// decode reads JSON, and leaves numbers as they are written.
func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

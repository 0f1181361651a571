package recording

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// demo is a recording as users make it.
const demo = "../demo/demo.snapshot"

// TestKept keeps a snapshot and reads it again: all is as it was, but for uids, versions, and when the control plane
// started.
func TestKept(t *testing.T) {
	before, err := os.ReadFile(demo)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "demo"+Extension)
	if err := Write(file, before); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(File(t, file))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := snapshot.Read(bytes.NewReader(after)); err != nil {
		t.Fatal(err)
	}
	was, is := contentOf(t, before), contentOf(t, after)
	if diff := cmp.Diff(was, is); diff != "" || len(is) < 50 {
		t.Errorf("%d lines; -before +after:\n%s", len(is), diff)
	}
}

// contentOf returns what a snapshot holds, without what recordings of tests have otherwise.
func contentOf(t *testing.T, data []byte) map[string]string {
	t.Helper()
	data, err := unpacked(data)
	if err != nil {
		t.Fatal(err)
	}
	head, entries, err := entriesOf(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, entries, err = entriesOf(identified(data, entries)); err != nil {
		t.Fatal(err)
	}
	start, content := startOf(entries, head.RecordedAt), map[string]string{}
	for _, one := range entries {
		if one.Object == nil {
			if one.End == nil { // an object that was recorded twice counts once
				content[encode(one)] = ""
			}
			continue
		}
		metadata, _ := one.Body["metadata"].(map[string]any)
		if one.Object.resource != "events" && (metadata["resourceVersion"] == nil || !hasVersion(metadata)) {
			metadata["resourceVersion"] = "1"
		}
		if fromStart(*one.Object, metadata, start) {
			eachText(one.Body, func(text string) string {
				if at, is := timeOf(text); is && at.Sub(start).Abs() < 2*startTakes {
					return start.Format(time.RFC3339)
				}
				return text
			})
		}
		if one.Object.Form == wordWhole {
			delete(content, "metadata "+one.Object.String())
		}
		content[one.Object.Form+" "+one.Object.String()] = encode(one.Body)
	}
	return content
}

// TestRecordingsOfTests takes each recording apart again, in the same way.
func TestRecordingsOfTests(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "*", "testdata", "recorded*", "*"+Extension))
	if err != nil || len(files) < 200 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	common, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	for i, file := range files {
		if testing.Short() && i%10 != 0 {
			continue
		}
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		one, err := parse(kept, common)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := one.snapshot()
		if err != nil {
			t.Fatal(err)
		}
		again, err := take(whole)
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(one.lines, again.lines) {
			t.Errorf("-%s +again:\n%s", file, cmp.Diff(one.lines, again.lines))
		}
	}
}

// TestModels describes an object by one that is like it.
func TestModels(t *testing.T) {
	known := models{}
	long := `"message":"a text that is long enough that it is worth to leave it out of the other line as well"`
	known.add("whole pods.v1 a/x", `{"list":[{"a":1},{"b":2}],`+long+`,"old":true}`)
	for body, want := range map[string]string{
		`{"list":[{"a":1},{"b":3}],` + long + `,"old":true}`: `like whole pods.v1 a/y = a/x {"list":{"[1]":{"b":3}}}`,
		`{"list":[{"a":1}],` + long + `}`:                    `like whole pods.v1 a/y = a/x {"list":[{"a":1}],"old":null}`,
		`{"list":[],"other":"text"}`:                         `whole pods.v1 a/y {"list":[],"other":"text"}`,
		`{"list":[{"a":1},null],` + long + `}`:               `like whole pods.v1 a/y = a/x {"list":{"[1]":null},"old":null}`,
	} {
		line := known.written("whole pods.v1 a/y", body)
		if line != want+"\n" {
			t.Errorf("got %swant %s", line, want)
		}
		found, err := known.read(line[:len(line)-1])
		if diff := cmp.Diff(map[string]string{"whole pods.v1 a/y": body}, found); diff != "" || err != nil {
			t.Errorf("%v\n%s", err, diff)
		}
	}
}

// TestTimes writes times as how long after an object's creation they were, and back.
func TestTimes(t *testing.T) {
	made := time.Date(2026, 11, 22, 2, 9, 14, 0, time.UTC)
	for before, want := range map[string]string{
		"2026-11-22T02:09:14Z": "+0s", "2026-11-22T03:10:15Z": "+1h1m1s", "2026-11-22T02:09:11Z": "+-3s",
		"2026-11-22T02:09:15.000120Z": "+1.00012s", "2026-11-22T02:09:15.000000Z": "2026-11-22T02:09:15.000000Z",
		"tomorrow": "tomorrow",
	} {
		body := map[string]any{"time": before}
		sinceMade(body, made)
		if body["time"] != want || fromMade(text(body["time"]), made) != before {
			t.Errorf("%s: %s, and back %s; want %s", before, body["time"], fromMade(text(body["time"]), made), want)
		}
	}
}

package snapshot_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

func zipped(t testing.TB, text string) []byte {
	t.Helper()
	var file bytes.Buffer
	zip := gzip.NewWriter(&file)
	if _, err := io.WriteString(zip, text); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

const (
	firstLine = `{"format":"kubectl-finalizers-snapshot","version":1,"recordedAt":"2026-01-01T12:00:00Z"}` + "\n"
	catalog   = `{"catalog":{"resources":[{"version":"v1","resource":"pods","kind":"Pod","namespaced":true,` +
		`"verbs":["get","list","delete"]}],"kinds":[]}}` + "\n"
	pod = `{"object":{"version":"v1","resource":"pods","form":"whole","namespace":"shop","name":"web"},` +
		`"body":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"}}}` + "\n"
	lastLine = `{"end":{"objects":1,"reads":0}}` + "\n"
)

// TestReadWhatIsNoRecording says of each what is wrong with it.
func TestReadWhatIsNoRecording(t *testing.T) {
	whole := firstLine + catalog + pod + lastLine
	if _, err := snapshot.Read(strings.NewReader(whole)); err != nil {
		t.Fatal(err)
	}
	compressed := zipped(t, whole)
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":                {nil, "not a recording"},
		"a text":                 {[]byte("hello\n"), "not a recording"},
		"other JSON":             {[]byte("{}\n"), "not a recording"},
		"another archive":        {zipped(t, "hello\n"), "not a recording"},
		"without its end":        {zipped(t, firstLine+catalog+pod), "cut off"},
		"cut off":                {compressed[:len(compressed)/2], "cut off"},
		"without the last bytes": {compressed[:len(compressed)-4], ""},
		"a flipped bit":          {flipped(compressed), ""},
		"a newer version": {
			[]byte(strings.Replace(whole, `"version":1`, `"version":3`, 1)), "newer kubectl-finalizers",
		},
		"no version":      {[]byte(strings.Replace(whole, `"version":1,`, ``, 1)), "damaged"},
		"no time":         {[]byte(`{"format":"kubectl-finalizers-snapshot","version":1}` + "\n"), "when it was recorded"},
		"no catalog":      {[]byte(firstLine + pod + lastLine), "what the cluster serves"},
		"too few objects": {[]byte(firstLine + catalog + lastLine), "damaged"},
		"no body": {
			[]byte(firstLine + catalog + strings.Split(pod, `,"body"`)[0] + "}\n" + lastLine), "without content",
		},
		"no name": {
			[]byte(firstLine + catalog + strings.Replace(pod, `"name":"web"},"body"`, `"name":""},"body"`, 1)), "without a name",
		},
		"a long line":   {[]byte(firstLine + `{"x":"` + strings.Repeat(" ", 65<<20)), "longer than any object"},
		"a long header": {zipped(t, `{"format":"`+strings.Repeat("x", 2<<20)), "not a recording"},
		"a bomb":        {bomb(t), "unreasonable size"},
	} {
		t.Run(name, func(t *testing.T) {
			recording, err := snapshot.Read(bytes.NewReader(c.data))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v and %v, want an error that says %q", recording, err, c.want)
			}
		})
	}
}

func flipped(data []byte) []byte {
	data = bytes.Clone(data)
	data[len(data)/2] ^= 0x10
	return data
}

// bomb is a recording of less than a megabyte that comes to more than a hundred.
func bomb(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	zip, err := gzip.NewWriterLevel(&file, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(zip, firstLine+catalog)
	line := []byte(`{"unknown":"` + strings.Repeat("x", 1<<20) + `"}` + "\n")
	for range 1 << 7 {
		_, more := zip.Write(line)
		err = errors.Join(err, more)
	}
	if err := errors.Join(err, zip.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestReadCutOffAnywhere cuts a recording of the zoo at every place: there is no answer from half of it.
func TestReadCutOffAnywhere(t *testing.T) {
	text, err := recording.Read(recordings(t)[0])
	if err != nil {
		t.Fatal(err)
	}
	data := zipped(t, string(text))
	for length := 0; length < len(data); length++ {
		if length < len(data)-20 {
			length += 12
		}
		if _, err := snapshot.Read(bytes.NewReader(data[:length])); err == nil {
			t.Errorf("%d of %d bytes are taken for a recording", length, len(data))
		}
	}
}

// TestReadUnknownLines passes over what a later version may add without changing what is there.
func TestReadUnknownLines(t *testing.T) {
	recording, err := snapshot.Read(strings.NewReader(firstLine + catalog + `{"remark":{"text":"x"}}` + "\n" + pod +
		lastLine))
	if err != nil || recording.Objects() != 1 {
		t.Errorf("%v, %v", recording, err)
	}
}

// recordings are those of the zoo.
func recordings(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../../hack/zoo/testdata/recorded/*" + recording.Extension)
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	return files
}

// eachRecording does something with the file of each, side by side; in short, of every fifth.
func eachRecording(t *testing.T, do func(t *testing.T, data []byte)) {
	t.Helper()
	for i, file := range recordings(t) {
		if testing.Short() && i%5 > 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), recording.Extension), func(t *testing.T) {
			t.Parallel()
			data, err := recording.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			do(t, data)
		})
	}
}

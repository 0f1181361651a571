package files_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
)

const onePod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\n"

// expanding has aliases that expand to gigabytes in some parsers.
const expanding = onePod + "spec:\n  a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n" +
	"  b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n  c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\n" +
	"  d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\n  e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]\n" +
	"  f: [*e, *e, *e, *e, *e, *e, *e, *e, *e]\n"

// utf16LE is what Windows' PowerShell makes of a text.
func utf16LE(text string) []byte {
	data := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		data = append(data, byte(unit), byte(unit>>8))
	}
	return data
}

// special is an archive of everything that is no plain file.
func special(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := tar.NewWriter(&out)
	for _, head := range []*tar.Header{
		{Name: "namespaces/shop/core/pods.yaml", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		{Name: "hard.yaml", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"},
		{Name: "device.yaml", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 5},
		{Name: "pipe.yaml", Typeflag: tar.TypeFifo},
		{Name: "folder.yaml", Typeflag: tar.TypeDir},
		{Name: "../../../outside.yaml", Typeflag: tar.TypeReg, Size: int64(len(onePod))},
	} {
		if err := archive.WriteHeader(head); err != nil {
			t.Fatal(err)
		}
	}
	_, err := io.WriteString(archive, onePod)
	if err := errors.Join(err, archive.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestOddFiles opens ordinary and odd files: every file has an answer.
func TestOddFiles(t *testing.T) {
	gathered := archived(t, gathered(t))
	log := "==== START logs for container main of pod shop/web ====\n"
	end := "==== END logs for container main of pod shop/web ====\n"
	list := func(kind, items string) string {
		return `{"kind":"` + kind + `List","apiVersion":"v1","items":` + items + "}\n"
	}
	pods := list("Pod", `[{"metadata":{"name":"web","namespace":"shop"}}]`)
	for name, c := range map[string]struct {
		data    []byte
		objects int
		says    string // of what is refused
	}{
		"packed": {packed(t, []byte(onePod)), 1, ""},
		"packed in two members": {append(packed(t, []byte(onePod)),
			packed(t, []byte("---\n"+strings.Replace(onePod, "web", "db", 1)))...), 2, ""},
		"packed, and cut off": {packed(t, []byte(onePod))[:40], 0, "cut off"},
		"packed, and something behind it": {append(packed(t, []byte(onePod)), strings.Repeat("garbage ", 9)...), 0,
			"damaged"},
		"packed twice": {packed(t, packed(t, []byte(onePod))), 0, "packed twice"},
		"zip":          {[]byte("PK\x03\x04\x14\x00"), 0, "unpack it first"},
		"xz":           {[]byte("\xfd7zXZ\x00\x00"), 0, "packed by xz"},
		"a bomb": {packed(t,
			[]byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"`+strings.Repeat("x", 80<<20)+`"}}`)), 0,
			"unreasonable size"},
		"an archive with a bomb": {packed(t,
			archived(t, map[string]string{"pods/web/current.log": strings.Repeat("\x00", 80<<20), "pod.yaml": onePod})), 0,
			"unreasonable size"},
		"an archive with aliases that expand": {archived(t, map[string]string{"bomb.yaml": expanding, "pod.yaml": onePod}),
			1, ""},
		"aliases that expand": {[]byte(expanding), 0, "its aliases (*name) expand to more than 4 MiB"},
		"maps in a list of maps": {[]byte(list("Pod", `[{"spec":[1`+strings.Repeat(`,{"":1}`, 2<<20)+"]}]")), 0,
			"larger than"},
		"maps in maps of an item": {[]byte("spec: [" + strings.Repeat("{a},", 4<<20) + "]\n"), 0, "larger than"},
		"an archive with no manifests": {archived(t, map[string]string{"current.log": onePod}), 0,
			"Kubernetes object"},
		"an archive, cut off":               {gathered[:len(gathered)/2], 0, "cut off"},
		"an archive, cut between two files": {gathered[:len(gathered)-1024], 0, "cut off"},
		"an archive, its last block lost":   {gathered[:len(gathered)-512], 9, ""},
		"an archive of links and devices":   {special(t), 1, ""},
		"an archive with deep folders": {archived(t, map[string]string{strings.Repeat("a/", 40) + "pod.yaml": onePod}),
			0, "deeper than"},
		"UTF-16":                 {utf16LE(onePod), 1, ""},
		"UTF-16 JSON":            {utf16LE(pods), 1, ""},
		"UTF-8 with a mark":      {[]byte("\xef\xbb\xbf" + onePod), 1, ""},
		"Windows' ends of lines": {[]byte(strings.ReplaceAll(onePod+"---\n"+onePod, "\n", "\r\n")), 1, ""},
		"a log without an end of line": {[]byte(pods + log + "no line break" + end + list("Service",
			`[{"metadata":{"name":"front","namespace":"shop"}}]`)), 2, ""},
		"a log of documents":     {[]byte(onePod + log + "---\n{\n" + onePod + end), 1, ""},
		"a log that doesn't end": {[]byte(pods + log + "and on"), 1, ""},
		"a log of one long line": {[]byte(pods + log + strings.Repeat("x", 200_000) + end + list("Service",
			`[{"metadata":{"name":"front"}}]`)), 2, ""},
		"what begins like a log": {[]byte(onePod + "data: |\n  " + log + "  {\n"), 1, ""},
		"items, and then nothing": {[]byte("apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: " +
			"{name: web}\n"), 1, ""},
		"items that say nothing": {
			[]byte(`{"items":[{"metadata":{"name":"a"}}],"kind":"List","apiVersion":"v1"}`), 0, "Kubernetes object"},
		"items that are nothing": {[]byte(list("Pod", "[null]")), 0, "Kubernetes object"},
		"a change of nothing":    {[]byte(`{"type":"ADDED","object":{}}`), 0, "Kubernetes object"},
		"a change that is none": {[]byte(`{"type":"EXPLODED","object":` +
			`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}}`), 0, "Kubernetes object"},
		"gone before it was there": {
			[]byte(`{"type":"DELETED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}}` + pods), 1, ""},
		"an object that is too large": {[]byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` +
			strings.Repeat("x", 70<<20)), 0, "larger than"},
		"names with control characters": {[]byte(cyclic()), 50, ""},
		"a definition of one of Kubernetes'": {
			[]byte(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"x"},` +
				`"spec":{"group":"apps","names":{"kind":"Deployment","plural":"x"},"versions":[{"name":"v1","served":true}]}}`), 1,
			""},
		"a definition of wrong types": {
			[]byte(`{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"x"},` +
				`"spec":{"names":[],"versions":[1,{"name":2}]}}`), 1, ""},
		"a resourceVersion that is no number": {[]byte(strings.ReplaceAll(onePod, "namespace:",
			`resourceVersion: "99999999999999999999", namespace:`)), 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			recording, err := files.Open(t.Context(), []string{"-"}, bytes.NewReader(c.data))
			switch {
			case c.says == "" && err != nil:
				t.Error(err)
			case c.says == "" && recording.Objects() != c.objects:
				t.Errorf("%d objects, want %d", recording.Objects(), c.objects)
			case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("got %v, want an error that says %q", err, c.says)
			}
		})
	}
}

// cyclic is a circle of owners with control characters in all they say.
func cyclic() string {
	var out strings.Builder
	for i := range 50 {
		fmt.Fprintf(&out,
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m%d\u001b[2J\r\n\u202e","namespace":"n\u0007s",
			 "uid":"u%d",
 "deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["x\u001b]0;title\u0007/y"],
 "ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"m%d\u001b[2J\r\n\u202e","uid":"u%d",
  "blockOwnerDeletion":true}]}}`+"\n", i, i, (i+1)%50, (i+1)%50)
	}
	return out.String()
}

// TestManyDocuments reads a stream of many documents in time that grows with their number.
func TestManyDocuments(t *testing.T) {
	var text strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&text, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c%d"}}`, i)
	}
	if recording := opened(t, text.String()); recording.Objects() != 30_000 {
		t.Errorf("%d objects", recording.Objects())
	}
}

// TestOddFolders reads folders with links, pipes, and what may not be read.
func TestOddFolders(t *testing.T) {
	folder := written(t, map[string]string{"pod.yaml": onePod, "empty.yaml": "", "sub/forbidden/pod.yaml": onePod,
		"values.yaml": "replicas: 1\n"})
	link := filepath.Join(t.TempDir(), "link")
	err := errors.Join(
		os.Symlink("..", filepath.Join(folder, "sub", "up")), os.Symlink("/dev/zero", filepath.Join(folder, "zero.yaml")),
		os.Symlink("nowhere", filepath.Join(folder, "dangling.yaml")), os.Symlink(folder, link),
		os.Chmod(filepath.Join(folder, "sub", "forbidden"), 0), os.Chtimes(filepath.Join(folder, "pod.yaml"), time.Time{},
			time.Now()),
	)
	if err != nil {
		t.Skip(err) // links take rights on Windows
	}
	defer func() { _ = os.Chmod(filepath.Join(folder, "sub", "forbidden"), 0o700) }() //nolint:gosec // for its removal
	for _, name := range []string{folder, link} {
		recording, err := files.Open(t.Context(), []string{name}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := asked(t, recording, cluster.Pods(), "shop", "web"); got != "there" {
			t.Errorf("%s: the pod is %s", name, got)
		}
		if os.Geteuid() != 0 && len(recording.Skipped) != 1 { // who may everything reads it
			t.Errorf("skipped %v, want the folder that can't be read", recording.Skipped)
		}
	}
	if _, err := files.Open(t.Context(), []string{"/dev/null"}, nil); err == nil {
		t.Error("a device is read")
	}
}

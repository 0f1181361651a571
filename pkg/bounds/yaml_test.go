package bounds_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/bounds"
)

// laughs is a bomb: each line has the one before as often as wide.
func laughs(lines, wide int) string {
	var out strings.Builder
	out.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a0: &a0 lol\n")
	for i := 1; i <= lines; i++ {
		alias := fmt.Sprintf("*a%d", i-1)
		fmt.Fprintf(&out, "  a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(alias+", ", wide), ", "))
	}
	return out.String()
}

// TestAliases reads documents with aliases: the ones that people write pass, and what expands without end is an error
// before it is expanded.
func TestAliases(t *testing.T) {
	labels := "metadata: {name: a, labels: &l {app: web}}\nspec: {selector: *l, template: {metadata: {labels: *l}}}\n"
	long := "a: &a " + strings.Repeat("x", 100_000) + "\nb: [" + strings.Repeat("*a, ", 100) + "]\n"
	for name, c := range map[string]struct{ document, says string }{
		"no aliases":           {"a: b\n", ""},
		"labels":               {labels, ""},
		"merged":               {"base: &base {a: b}\nof:\n  <<: *base\n  c: d\n", ""},
		"patterns and shells":  {"run: |\n  sleep 5 & ls *.txt &&true\nverbs: [\"*\"]\n", ""},
		"an alias of nothing":  {"a: *b\nc: &c 1\n", "unknown anchor"},
		"an alias in itself":   {"a: &a [*a]\n", "contains"},
		"a small bomb":         {laughs(8, 9), "expand to more than"},
		"a bomb of long texts": {long, "expand to more than"},
		"a bomb of maps": {"a: &a {b: &b {c: &c {d: [1,2,3]}}}\ne: [" +
			strings.Repeat("*a, ", 90_000) + "]\n", "expand"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		data, err := bounds.ToJSON([]byte(c.document))
		runtime.ReadMemStats(&after)
		switch {
		case c.says == "" && (err != nil || !json.Valid(data)):
			t.Errorf("%s: %q, %v", name, data, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 200<<20 {
			t.Errorf("%s: took %d MiB", name, took>>20)
		}
		if err := bounds.Check([]byte("a: b\n---\n" + c.document)); (err != nil) != (c.says != "") {
			t.Errorf("%s: checked: %v", name, err)
		}
	}
}

// TestHeavy reads short texts that are long once they are parsed.
func TestHeavy(t *testing.T) {
	for name, document := range map[string]string{
		"items": "a: [" + strings.Repeat("a,", 9<<20) + "]",
		"lines": strings.Repeat("- a\n", 8<<20),
		"maps":  "a: [" + strings.Repeat("{a},", 4<<20) + "]",
	} {
		if _, err := bounds.ToJSON([]byte(document)); err == nil || !strings.Contains(err.Error(), "of memory") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	pod := "- apiVersion: v1\n  kind: Pod\n  metadata:\n    creationTimestamp: \"2026-01-02T03:04:05Z\"\n    name: web-0\n"
	if long := []byte(strings.Repeat(pod, 40<<20/len(pod))); bounds.YAML(long) > 1<<30 {
		t.Errorf("40 MiB of pods weigh %d MiB", bounds.YAML(long)>>20)
	}
}

// TestWeight compares what JSON is estimated to take with what it takes.
func TestWeight(t *testing.T) {
	for name, text := range map[string]string{
		"maps":       "[" + strings.Repeat(`{"":1},`, 100_000) + "1]",
		"empty maps": "[" + strings.Repeat(`{},`, 100_000) + "1]",
		"lists":      "[" + strings.Repeat(`[[]],`, 100_000) + "1]",
		"numbers":    "[" + strings.Repeat(`1,`, 100_000) + "1]",
		"texts":      "[" + strings.Repeat(`"x",`, 100_000) + "1]",
		"one text":   `"` + strings.Repeat(`x`, 1_000_000) + `"`,
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		var value any
		if err := json.NewDecoder(bytes.NewReader([]byte(text))).Decode(&value); err != nil {
			t.Fatal(name, err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		took, estimated := int64(after.HeapAlloc)-int64(before.HeapAlloc), bounds.JSON([]byte(text))
		if took > 2*estimated {
			t.Errorf("%s: %d bytes took %d, estimated %d", name, len(text), took, estimated)
		}
		runtime.KeepAlive(value)
	}
}

// FuzzYAML reads documents: what passes is what the parser without bounds makes of it, and isn't longer than the bounds
// allow.
func FuzzYAML(f *testing.F) {
	for _, seed := range []string{
		"a: b", laughs(2, 3), laughs(8, 9), "a: &a [*a]", "a: &a {<<: *a}", "- &x 1\n- *x\n",
		"&a a: *a", "*", "&", "? &a\n: *a",
		"a: |\n  *b &c\n", "!!binary &a aGk=\n", "---\n...\n", "%YAML 1.1\n---\na: &é *é", "{a: &a b, c: *a}",
		"\"&a\": \"*a\"",
		"a: &a x\nb: &a [*a, *a]\nc: &a [*a, *a]\n", "[&a x,*a,*a]", "a:\t&a b\nc:\t*a",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		data, err := bounds.ToJSON(document)
		if err != nil {
			return
		}
		if most := 8*len(document) + 6*4<<20 + 1<<20; len(data) > most { // each letter may be escaped
			t.Errorf("%d bytes are %d of JSON", len(document), len(data))
		}
		want, err := yaml.YAMLToJSON(document)
		if err != nil || !bytes.Equal(data, want) {
			t.Errorf("read as %q, want %q, %v", data, want, err)
		}
	})
}

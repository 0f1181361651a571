package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	sha "crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dist writes a release as goreleaser lays it out, with archives for all platforms that hold the files.
func dist(t *testing.T, files map[string]int64) string {
	t.Helper()
	folder := t.TempDir()
	var sums strings.Builder
	for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"} {
		var out bytes.Buffer
		compressed := gzip.NewWriter(&out)
		archive := tar.NewWriter(compressed)
		for name, mode := range files {
			if err := archive.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: 1}); err != nil {
				t.Fatal(err)
			}
			if _, err := archive.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		if archive.Close() != nil || compressed.Close() != nil {
			t.Fatal("the archive can't be written")
		}
		name := "kubectl-finalizers_" + platform + ".tar.gz"
		put(t, filepath.Join(folder, name), out.Bytes())
		fmt.Fprintf(&sums, "%x  %s\n", sha.Sum256(out.Bytes()), name)
	}
	put(t, filepath.Join(folder, "checksums.txt"), []byte(sums.String()))
	put(t, filepath.Join(folder, "metadata.json"), []byte(`{"version": "1.2.3"}`))
	return folder
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func complete() map[string]int64 {
	return map[string]int64{"kubectl-finalizers": 0o755, "LICENSE": 0o644, "kubectl_complete-finalizers": 0o755}
}

const source = "../../krew/plugin.yaml"

func TestIndex(t *testing.T) {
	folder := dist(t, complete())
	if err := run(folder, source); err != nil {
		t.Fatal(err)
	}
	for index, name := range indexes() {
		checkManifest(t, filepath.Join(folder, index, "plugins", name+".yaml"), name)
	}
}

func checkManifest(t *testing.T, path, name string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := review(data)
	if err != nil {
		t.Fatal(err)
	}
	if manifest.Metadata.Name != name || !strings.Contains(manifest.Spec.Caveats, "kubectl "+name+" completion") {
		t.Errorf("%s is the plugin %q, whose caveats are:\n%s", path, manifest.Metadata.Name, manifest.Spec.Caveats)
	}
	if manifest.Spec.Version != "v1.2.3" || len(manifest.Spec.Platforms) != 4 {
		t.Errorf("got %s with %d platforms", manifest.Spec.Version, len(manifest.Spec.Platforms))
	}
	if want := "/releases/download/v1.2.3/kubectl-finalizers_linux_amd64.tar.gz"; !strings.HasSuffix(
		manifest.Spec.Platforms[0].URI, want) {
		t.Errorf("the uri is %s, want …%s", manifest.Spec.Platforms[0].URI, want)
	}
}

func TestArchivesThatKrewRefuses(t *testing.T) {
	without := func(name string) map[string]int64 {
		files := complete()
		delete(files, name)
		return files
	}
	plain := complete()
	plain["kubectl-finalizers"] = 0o644
	for want, files := range map[string]map[string]int64{
		"has no LICENSE":                     without("LICENSE"),
		"has no kubectl-finalizers":          without("kubectl-finalizers"),
		"has no kubectl_complete-finalizers": without("kubectl_complete-finalizers"),
		"is not executable":                  plain,
	} {
		if err := run(dist(t, files), source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	folder := dist(t, complete())
	put(t, filepath.Join(folder, "kubectl-finalizers_linux_amd64.tar.gz"), []byte("tampered"))
	if err := run(folder, source); err == nil || !strings.Contains(err.Error(), "its checksum is") {
		t.Errorf("got %v for an archive that was changed", err)
	}
}

func TestManifestsThatReviewersRefuse(t *testing.T) {
	good, err := manifestOf(dist(t, complete()), source, "terminating")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"shortDescription: ", "shortDescription: This is a plugin for kubectl which serves to ", "50 characters"},
		{"    finalizers, namespaces", "    finalizers, namespaces, and a line that goes on until nobody wants to read it,",
			"80 columns"},
		{"  platforms:", "  others:", "no platforms"},
	} {
		bad := strings.Replace(string(good), c.old, c.new, 1)
		if _, err := review([]byte(bad)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.new, err, c.want)
		}
	}
}

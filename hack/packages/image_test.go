package packages

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/recording"
)

// descriptor refers to a blob of an image's layout.
type descriptor struct {
	MediaType string
	Digest    string
	Size      int64
	Platform  struct{ OS, Architecture string }
}

// blob reads a blob and compares its size and checksum, as whoever pulls the image does.
func blob(t *testing.T, of descriptor, into any) []byte {
	t.Helper()
	sum, sha := strings.CutPrefix(of.Digest, "sha256:")
	data, err := os.ReadFile(released(t, filepath.Join("image", "blobs", "sha256", sum)))
	if err != nil {
		t.Fatal(err)
	}
	if is := sha256.Sum256(data); !sha || hex.EncodeToString(is[:]) != sum || int64(len(data)) != of.Size {
		t.Fatalf("%+v has the checksum %x and %d bytes", of, is, len(data))
	}
	if into == nil {
		return data
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
	return data
}

// images returns the manifests of the release's image, by architecture.
func images(t *testing.T) map[string]descriptor {
	t.Helper()
	data, err := os.ReadFile(released(t, filepath.Join("image", "index.json")))
	if err != nil {
		t.Fatal(err)
	}
	var layout, index struct{ Manifests []descriptor }
	if err := json.Unmarshal(data, &layout); err != nil || len(layout.Manifests) != 1 {
		t.Fatalf("%v, %+v", err, layout)
	}
	blob(t, layout.Manifests[0], &index)
	found := map[string]descriptor{}
	for _, manifest := range index.Manifests {
		if manifest.Platform.OS != "linux" {
			t.Errorf("an image for %+v", manifest.Platform)
		}
		found[manifest.Platform.Architecture] = manifest
	}
	return found
}

// image is what a manifest and its configuration say.
type image struct {
	Config descriptor
	Layers []descriptor
	file   struct {
		Architecture string
		Config       struct {
			User       string
			Entrypoint []string
			Env        []string
			Labels     map[string]string
		}
	}
}

func read(t *testing.T, manifest descriptor) (read image) {
	t.Helper()
	blob(t, manifest, &read)
	blob(t, read.Config, &read.file)
	if len(read.Layers) != 1 {
		t.Fatalf("%d layers", len(read.Layers))
	}
	return read
}

// TestImage reads each architecture's image: it is not root's, its labels tell where it comes from, and it is the same
// but for the program.
func TestImage(t *testing.T) {
	manifests := images(t)
	if manifests[runtime.GOARCH].Digest == "" {
		t.Fatalf("none for this machine: %+v", manifests)
	}
	for architecture, manifest := range manifests {
		image := read(t, manifest)
		config := image.file.Config
		if image.file.Architecture != architecture || config.User != "65532:65532" ||
			len(config.Entrypoint) != 1 || config.Entrypoint[0] != "/usr/bin/kubectl-finalizers" {
			t.Errorf("%s: %+v", architecture, image.file)
		}
		for label, want := range map[string]string{
			"org.opencontainers.image.version":  "v" + metadata(t).Version,
			"org.opencontainers.image.licenses": "Apache-2.0",
			"org.opencontainers.image.source":   "https://github.com/kubectl-finalizers/kubectl-finalizers",
		} {
			if config.Labels[label] != want {
				t.Errorf("%s: the label %s is %q, want %q", architecture, label, config.Labels[label], want)
			}
		}
		if len(config.Labels["org.opencontainers.image.revision"]) < 7 {
			t.Errorf("%s: it doesn't say which commit it is of", architecture)
		}
	}
}

// TestImageRuns unpacks the image's root file system, makes it this machine's, and has its user ask its program.
func TestImageRuns(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Fatal("only root changes the root")
	}
	image, root := read(t, images(t)[runtime.GOARCH]), filepath.Join(t.TempDir(), "root")
	layer := filepath.Join(t.TempDir(), "layer.tar.gz")
	if err := os.WriteFile(layer, blob(t, image.Layers[0], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, "tar", "--extract", "--gzip", "--preserve-permissions", "--file="+layer, "--directory="+root)
	file := recording.File(t, "../zoo/testdata/recorded/N01"+recording.Extension)
	data, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "tmp", "N01.snapshot"), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	inside := func(args ...string) string {
		return run(t, "env", append(append([]string{"-i"}, image.file.Config.Env...), append([]string{"/usr/sbin/chroot",
			"--userspec=" + image.file.Config.User, "--groups=", root, image.file.Config.Entrypoint[0]}, args...)...)...)
	}
	if said := inside("version"); !strings.Contains(said, metadata(t).Version) {
		t.Errorf("the version is %q", said)
	}
	if said := inside("metrics", "--once", "--snapshot", "/tmp/N01.snapshot", "--cache-dir=/tmp"); !strings.Contains(
		said, `namespace="n01"`) {
		t.Errorf("the metrics are\n%s", said)
	}
	authorities(t, filepath.Join(root, "etc", "ssl", "certs", "ca-certificates.crt"))
}

// authorities holds a file of certificates against what a file of authorities must be.
func authorities(t *testing.T, path string) {
	t.Helper()
	rest, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for block, rest := pem.Decode(rest); block != nil; block, rest = pem.Decode(rest) {
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil || !certificate.IsCA {
			t.Errorf("certificate %d: %v", count, err)
		}
		count++
	}
	if count < 50 {
		t.Errorf("%d authorities", count)
	}
}

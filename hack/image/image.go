package main

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"io"
	"os"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// user is in whose name the program runs: not root, and the number that Kubernetes can check.
const user = "65532:65532"

// program is where the executable is, on the PATH.
const program = "/usr/bin/kubectl-finalizers"

// image returns the image of one architecture.
func (r release) image(from executable) (v1.Image, error) {
	content, err := r.layer(from.Path)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{
		Created: v1.Time{Time: r.date}, CreatedBy: "hack/image", Comment: "kubectl finalizers " + r.version,
	}})
	if err != nil {
		return nil, err
	}
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Created = "linux", from.Arch, v1.Time{Time: r.date}
	file.Config = v1.Config{
		User: user, Entrypoint: []string{program}, WorkingDir: "/tmp", Labels: r.labels(),
		Env: []string{"PATH=/usr/bin", "HOME=/tmp", "SSL_CERT_FILE=" + certificates},
	}
	image, err = mutate.ConfigFile(image, file)
	if err != nil {
		return nil, err
	}
	return mutate.Annotations(image, r.labels()).(v1.Image), nil
}

// labels are what registries and scanners read.
func (r release) labels() map[string]string {
	const source = "https://github.com/kubectl-finalizers/kubectl-finalizers"
	return map[string]string{
		"org.opencontainers.image.title":         "kubectl finalizers",
		"org.opencontainers.image.description":   "Explain why a Kubernetes object is still Terminating",
		"org.opencontainers.image.url":           source,
		"org.opencontainers.image.source":        source,
		"org.opencontainers.image.documentation": source + "/blob/main/docs/metrics.md",
		"org.opencontainers.image.licenses":      "Apache-2.0",
		"org.opencontainers.image.version":       r.version,
		"org.opencontainers.image.revision":      r.commit,
		"org.opencontainers.image.created":       r.date.Format(time.RFC3339),
	}
}

// certificates is the file in which Go programs look for public authorities.
const certificates = "/etc/ssl/certs/ca-certificates.crt"

// layer returns the one layer, as a tar file whose entries have the commit's time and belong to root.
func (r release) layer(path string) ([]byte, error) {
	binary, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	license, err := os.ReadFile("../../LICENSE")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	files := tar.NewWriter(&out)
	for _, entry := range []struct {
		name string
		mode int64
		data []byte
	}{
		{"etc/", 0o755, nil},
		{"etc/group", 0o644, []byte("root:x:0:\nnonroot:x:65532:\n")},
		{"etc/passwd", 0o644, []byte("root:x:0:0:root:/:/sbin/nologin\n" +
			"nonroot:x:65532:65532:nonroot:/tmp:/sbin/nologin\n")},
		{"etc/ssl/", 0o755, nil},
		{"etc/ssl/certs/", 0o755, nil},
		{certificates[1:], 0o644, authorities()},
		{"licenses/", 0o755, nil},
		{"licenses/LICENSE", 0o644, license},
		{"tmp/", 0o1777, nil},
		{"usr/", 0o755, nil},
		{"usr/bin/", 0o755, nil},
		{program[1:], 0o755, binary},
	} {
		kind := byte(tar.TypeReg)
		if entry.data == nil {
			kind = tar.TypeDir
		}
		header := &tar.Header{Typeflag: kind, Name: entry.name, Mode: entry.mode, Size: int64(len(entry.data)),
			ModTime: r.date, Format: tar.FormatPAX}
		if err := files.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := files.Write(entry.data); err != nil {
			return nil, err
		}
	}
	err = files.Close()
	return out.Bytes(), err
}

// authorities returns Mozilla's, as PEM. One that is trusted only under a condition, which a file can't say, is left
// out.
func authorities() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer takes all
		}
	}
	return out.Bytes()
}

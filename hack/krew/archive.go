package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	sha "crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// file is one file of an archive.
type file struct {
	mode fs.FileMode
	data []byte
}

// unpack reads a whole archive after comparing its checksum, as krew does before it installs it.
func unpack(path, checksum string) (map[string]file, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if sum := sha.Sum256(data); hex.EncodeToString(sum[:]) != checksum {
		return nil, fmt.Errorf("%s: its checksum is %x, and %s in the manifest", path, sum, checksum)
	}
	if strings.HasSuffix(path, ".zip") {
		return unzip(data)
	}
	return untar(data)
}

func untar(data []byte) (map[string]file, error) {
	compressed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	files := map[string]file{}
	for archive := tar.NewReader(compressed); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			return nil, err
		}
		files[header.Name] = file{mode: header.FileInfo().Mode(), data: content}
	}
}

func unzip(data []byte) (map[string]file, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	files := map[string]file{}
	for _, entry := range archive.File {
		reader, err := entry.Open()
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(reader)
		if err := errors.Join(err, reader.Close()); err != nil {
			return nil, err
		}
		files[entry.Name] = file{mode: entry.Mode(), data: content}
	}
	return files, nil
}

// inspect unpacks the archive for one platform, whichever this machine is, and looks for what must be in it:
// the executable, a LICENSE, which krew asks for, and the completion shim, which this project promises.
func inspect(platform ManifestPlatform, folder string) (map[string]file, error) {
	files, err := unpack(filepath.Join(folder, filepath.Base(platform.URI)), platform.SHA256)
	if err != nil {
		return nil, err
	}
	windows := platform.Selector.MatchLabels["os"] == "windows"
	shim := "kubectl_complete-finalizers"
	if windows {
		shim += ".cmd"
	}
	for _, name := range []string{platform.Bin, "LICENSE", shim} {
		if len(files[name].data) == 0 {
			return nil, fmt.Errorf("%s has no %s", filepath.Base(platform.URI), name)
		}
	}
	for _, name := range []string{platform.Bin, shim} {
		if !windows && files[name].mode&0o111 != 0o111 {
			return nil, fmt.Errorf("%s: %s is not executable", filepath.Base(platform.URI), name)
		}
	}
	return files, nil
}

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/template"
)

// Platform is one archive of a release.
type Platform struct {
	OS, Arch, Archive, SHA256 string
}

// archive is what .goreleaser.yaml calls the archives.
var archive = regexp.MustCompile(`^kubectl-finalizers_([a-z]+)_([a-z0-9]+)\.(tar\.gz|zip)$`)

// platforms reads what sha256sum writes, and returns the archives that it lists.
func platforms(checksums io.Reader) ([]Platform, error) {
	var found []Platform
	lines := bufio.NewScanner(checksums)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 2 {
			return nil, fmt.Errorf("%q is not a checksum and a name", lines.Text())
		}
		if match := archive.FindStringSubmatch(fields[1]); match != nil {
			found = append(found, Platform{OS: match[1], Arch: match[2], Archive: fields[1], SHA256: fields[0]})
		}
	}
	return found, lines.Err()
}

// render fills in the template of the manifest.
func render(text []byte, name, version string, archives []Platform) ([]byte, error) {
	parsed, err := template.New("manifest").Option("missingkey=error").Parse(string(text))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = parsed.Execute(&out, map[string]any{"Name": name, "Version": version, "Platforms": archives})
	if err != nil {
		return nil, err
	}
	// The comment at the head is about the template.
	_, manifest, found := bytes.Cut(out.Bytes(), []byte("apiVersion:"))
	if !found {
		return nil, fmt.Errorf("the template has no apiVersion")
	}
	return append([]byte("apiVersion:"), manifest...), nil
}

package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/yaml"
)

// Manifest is a krew manifest, as far as krew reads it (krew pkg/index/types.go).
type Manifest struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Version          string             `json:"version"`
		ShortDescription string             `json:"shortDescription"`
		Description      string             `json:"description"`
		Caveats          string             `json:"caveats"`
		Homepage         string             `json:"homepage"`
		Platforms        []ManifestPlatform `json:"platforms"`
	} `json:"spec"`
}

// ManifestPlatform is how one platform is installed.
type ManifestPlatform struct {
	URI      string `json:"uri"`
	SHA256   string `json:"sha256"`
	Bin      string `json:"bin"`
	Selector struct {
		MatchLabels map[string]string `json:"matchLabels"`
	} `json:"selector"`
}

var (
	safeName = regexp.MustCompile(`^[\w-]+$`)
	sha256   = regexp.MustCompile(`^[0-9a-f]{64}$`)
	reserved = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[1-9]|lpt[1-9])$`)
	// supported are the pairs that krew's validator installs each manifest for (krew
	// cmd/validate-krew-manifest/main.go).
	supported = []string{
		"linux/amd64", "linux/arm", "linux/arm64", "linux/386", "linux/ppc64le",
		"darwin/amd64", "darwin/arm64", "windows/386", "windows/amd64", "windows/arm64",
	}
)

// validate repeats the checks of krew's own validator, which can't be had as a module (krew
// internal/index/validation/validate.go and cmd/validate-krew-manifest/main.go), and those of the
// reviewers of its index.
func validate(data []byte, file string) (*Manifest, error) {
	var manifest Manifest
	if err := yaml.UnmarshalStrict(data, &manifest); err != nil {
		return nil, err
	}
	var problems []error
	require := func(holds bool, format string, args ...any) {
		if !holds {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	name, spec := manifest.Metadata.Name, manifest.Spec
	require(manifest.APIVersion == "krew.googlecontainertools.github.com/v1alpha2", "apiVersion is %q", manifest.APIVersion)
	require(manifest.Kind == "Plugin", "kind is %q", manifest.Kind)
	require(safeName.MatchString(name) && !reserved.MatchString(name), "name %q is not safe", name)
	require(file == name+".yaml", "the file is %s and the plugin %s", file, name)
	_, err := version.ParseSemantic(spec.Version)
	require(err == nil && strings.HasPrefix(spec.Version, "v"), "version %q is not semantic with a leading v", spec.Version)
	require(spec.ShortDescription != "" && !strings.Contains(spec.ShortDescription, "\n"), "shortDescription is not one line")
	require(len(spec.ShortDescription) <= 50, "shortDescription is longer than 50 characters")
	for line := range strings.Lines(spec.Description + spec.Caveats) {
		require(len(strings.TrimRight(line, "\n")) <= 80, "longer than 80 columns: %s", line)
	}
	require(len(spec.Platforms) > 0, "no platforms")
	seen := map[string]bool{}
	for _, platform := range spec.Platforms {
		labels := platform.Selector.MatchLabels
		pair := labels["os"] + "/" + labels["arch"]
		require(len(labels) == 2 && slices.Contains(supported, pair), "selector %v is none of krew's platforms", labels)
		require(!seen[pair], "%s is listed twice", pair)
		seen[pair] = true
		require(platform.URI != "", "%s has no uri", pair)
		require(strings.HasSuffix(platform.URI, ".tar.gz") || strings.HasSuffix(platform.URI, ".zip"), "%s is no archive that krew unpacks", platform.URI)
		require(sha256.MatchString(platform.SHA256), "sha256 of %s is %q", pair, platform.SHA256)
		require(platform.Bin != "", "%s has no bin", pair)
	}
	return &manifest, errors.Join(problems...)
}

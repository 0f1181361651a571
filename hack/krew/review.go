package main

import (
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// Manifest is a krew manifest, as far as it is read here (krew pkg/index/types.go).
type Manifest struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Version          string             `json:"version"`
		ShortDescription string             `json:"shortDescription"`
		Description      string             `json:"description"`
		Caveats          string             `json:"caveats"`
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

// review reads a manifest and asks of it what the reviewers of krew's index ask for beyond what krew's own
// validator does, which `make snapshot` runs too.
func review(data []byte) (*Manifest, error) {
	var manifest Manifest
	if err := yaml.Unmarshal(data, &manifest); err != nil {
		return nil, err
	}
	var problems []error
	if len(manifest.Spec.ShortDescription) > 50 {
		problems = append(problems, errors.New("shortDescription is longer than 50 characters"))
	}
	for line := range strings.Lines(manifest.Spec.Description + manifest.Spec.Caveats) {
		if len(strings.TrimRight(line, "\n")) > 80 {
			problems = append(problems, fmt.Errorf("longer than 80 columns: %s", line))
		}
	}
	if len(manifest.Spec.Platforms) == 0 {
		problems = append(problems, errors.New("no platforms: were any archives built?"))
	}
	return &manifest, errors.Join(problems...)
}

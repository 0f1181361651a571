// Package prometheus holds what docs/metrics has against a real Prometheus, which hack/prometheus/binaries pins and
// builds: it scrapes the exporter of a real control plane, and its alerts fire and resolve. What needs no program is
// tried with the other tests.
package prometheus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// Docs is the folder of the manifests, seen from here.
const Docs = "../../docs/metrics"

// Rule is one alert as Prometheus has it.
type Rule struct {
	Alert       string            `json:"alert"`
	Expr        string            `json:"expr"`
	For         string            `json:"for,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// Rules is a file of rules.
type Rules struct {
	Groups []struct {
		Name     string `json:"name"`
		Interval string `json:"interval,omitempty"`
		Rules    []Rule `json:"rules"`
	} `json:"groups"`
}

// The files of docs/metrics with alerts: on what the exporter serves, and on what kube-state-metrics does.
const (
	ExporterRules = "monitoring/prometheusrule.yaml"
	StateRules    = "kube-state-metrics/prometheusrule.yaml"
)

// ReadRules returns the rules of a PrometheusRule in docs/metrics. What it has beside these is an error.
func ReadRules(file string) (*Rules, error) {
	data, err := os.ReadFile(filepath.Join(Docs, file))
	if err != nil {
		return nil, err
	}
	var resource struct {
		APIVersion string         `json:"apiVersion"`
		Kind       string         `json:"kind"`
		Metadata   map[string]any `json:"metadata"`
		Spec       Rules          `json:"spec"`
	}
	if err := yaml.UnmarshalStrict(data, &resource); err != nil {
		return nil, err
	}
	if resource.Kind != "PrometheusRule" {
		return nil, fmt.Errorf("a %s stands where a PrometheusRule is expected", resource.Kind)
	}
	return &resource.Spec, nil
}

// Write writes the rules into a file as Prometheus reads it.
func (r *Rules) Write(path string) error {
	data, err := yaml.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

// manifests returns the YAML documents of a file, without its comments' own.
func manifests(path string) (documents []string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for document := range bytes.SplitSeq(data, []byte("\n---\n")) {
		if strings.TrimSpace(string(document)) != "" {
			documents = append(documents, string(document))
		}
	}
	return documents, nil
}

// Package chart tests the chart and the kustomizations of the exporter: the real Helm and kubectl render them, and a
// real control plane takes them as a dry run. `make test-chart` builds what it needs.
package chart

package metrics

import (
	"errors"
	"io"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
)

// Registry returns the metrics of Exporters, and which version of this program tells them.
func Registry(version string, exporters ...*Exporter) (*prometheus.Registry, error) {
	registry := prometheus.NewRegistry()
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "finalizers_build_info", Help: "The version of kubectl finalizers.",
		ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	err := registry.Register(build)
	for _, exporter := range exporters {
		err = errors.Join(err, registry.Register(exporter))
	}
	return registry, err
}

// Write prints the metrics of Exporters in Prometheus' text format, for node_exporter's textfile collector.
func Write(out io.Writer, version string, exporters ...*Exporter) error {
	registry, err := Registry(version, exporters...)
	if err != nil {
		return err
	}
	families, err := registry.Gather()
	if err != nil {
		return err
	}
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(out, family); err != nil {
			return err
		}
	}
	return nil
}

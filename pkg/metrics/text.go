package metrics

import (
	"errors"
	"io"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
)

// Registry returns the metrics of an Exporter, and which version of this program tells them.
func Registry(exporter *Exporter, version string) (*prometheus.Registry, error) {
	registry := prometheus.NewRegistry()
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "finalizers_build_info", Help: "The version of kubectl finalizers.",
		ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	return registry, errors.Join(registry.Register(exporter), registry.Register(build))
}

// Write prints the metrics of an Exporter in Prometheus' text format, for node_exporter's textfile collector.
func Write(out io.Writer, exporter *Exporter, version string) error {
	registry, err := Registry(exporter, version)
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

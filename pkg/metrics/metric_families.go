package metrics

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/prometheus/client_golang/prometheus"
)

// Describe implements prometheus.Collector.
func (e *Exporter) Describe(to chan<- *prometheus.Desc) {
	for _, family := range families() {
		to <- family.desc(e.Cluster)
	}
}

// Collect implements prometheus.Collector: everything it tells is of one moment.
func (e *Exporter) Collect(to chan<- prometheus.Metric) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, family := range families() {
		desc := family.desc(e.Cluster)
		value := func(value float64, labels ...string) {
			for i, label := range labels {
				labels[i] = escape.Text(label)
			}
			metric, err := prometheus.NewConstMetric(desc, family.kind, value, labels...)
			if err != nil {
				metric = prometheus.NewInvalidMetric(desc, err)
			}
			to <- metric
		}
		switch {
		case family.looks != nil:
			family.looks(e, value)
		case e.state.numbers != nil: // no numbers are no zeros
			family.numbers(e, e.state.numbers, value)
		}
	}
}

// told takes a value of a metric, and those of its labels.
type told func(value float64, labels ...string)

// family is one metric: its name, what it means, its labels, and who tells its values: of the looks, or of the numbers
// of the last one that succeeded.
type family struct {
	name, help string
	labels     []string
	kind       prometheus.ValueType
	looks      func(*Exporter, told)
	numbers    func(*Exporter, *Numbers, told)
}

// desc describes a metric. A cluster has a name, and all its metrics this label, only where there are several.
func (f family) desc(cluster string) *prometheus.Desc {
	var labels prometheus.Labels
	if cluster != "" {
		labels = prometheus.Labels{"cluster": escape.Text(cluster)}
	}
	return prometheus.NewDesc(f.name, f.help, f.labels, labels)
}

// families returns all metrics there are.
func families() []family { return append(familiesOfNumbers(), familiesOfLooks()...) }

func familiesOfNumbers() []family {
	counted := []string{"group", "kind", "namespace", "verdict", "reason"}
	named := []string{"resource", "namespace", "name"}
	gauge := func(name, help string, labels []string, tell func(*Exporter, *Numbers, told)) family {
		return family{
			name: "finalizers_" + name, help: help, labels: labels, kind: prometheus.GaugeValue, numbers: tell,
		}
	}
	return []family{
		gauge("verdicts", "Terminating objects by verdict. Each verdict is always there.",
			[]string{"verdict"}, tellVerdicts),
		gauge("terminating_objects", "Terminating objects, each under the root cause that blocks most.", counted,
			tellGroups(func(size *size) float64 { return float64(size.count) })),
		gauge("oldest_deletion_timestamp_seconds", "When the first of these Terminating objects was deleted.", counted,
			tellGroups(func(size *size) float64 { return seconds(size.oldest) })),
		gauge("blocked_objects", "Terminating objects by the reason of each root cause that blocks them.",
			[]string{"reason", "certainty"}, tellBlocked),
		gauge("terminating_object_info", "The Terminating objects that most need a person, with the root cause.",
			append([]string{"group", "kind", "verdict", "reason", "cause", "finalizer"}, named...), tellWorst),
		gauge("terminating_object_deletion_timestamp_seconds", "When each of these objects was deleted.", named,
			tellWorstDeletions),
		gauge("check_findings", "What check finds, for each object: what will get stuck when it is deleted.",
			[]string{"severity", "reason"}, tellFindings),
		gauge("last_look_success_timestamp_seconds",
			"When the last successful look was taken. The numbers are from then.",
			nil, func(_ *Exporter, n *Numbers, value told) { value(seconds(n.at)) }),
		gauge("last_look_unreadable_resources", "Resources that could not be read, or not entirely, in that look.",
			nil, func(_ *Exporter, n *Numbers, value told) { value(float64(n.unreadable)) }),
		gauge("last_look_carried_objects",
			"Terminating objects from an earlier look, of kinds that could not be listed since.", nil,
			func(_ *Exporter, n *Numbers, value told) { value(float64(n.carried)) }),
	}
}

func familiesOfLooks() []family {
	return []family{
		{name: "finalizers_last_look_successful", kind: prometheus.GaugeValue,
			help: "Whether the last look succeeded. If not, all numbers are from an earlier one.",
			looks: func(e *Exporter, value told) {
				if e.state.numbers != nil && e.state.failing == nil {
					value(1)
				} else {
					value(0)
				}
			}},
		{name: "finalizers_last_look_duration_seconds", kind: prometheus.GaugeValue,
			help: "How long the last look took, successful or not.",
			looks: func(e *Exporter, value told) {
				if e.state.succeeded+e.state.failed > 0 {
					value(e.state.took.Seconds())
				}
			}},
		{name: "finalizers_looks_total", kind: prometheus.CounterValue, help: "Looks at the cluster.",
			labels: []string{"result"},
			looks: func(e *Exporter, value told) {
				value(float64(e.state.succeeded), "success")
				value(float64(e.state.failed), "failure")
			}},
		{name: "finalizers_requests_total", kind: prometheus.CounterValue, help: "Requests to the API server.",
			looks: func(e *Exporter, value told) {
				if e.Requests != nil {
					value(float64(e.Requests()))
				}
			}},
	}
}

func tellVerdicts(_ *Exporter, n *Numbers, value told) {
	for verdict, count := range n.verdicts() {
		value(float64(count), string(verdict))
	}
}

func tellGroups(of func(*size) float64) func(*Exporter, *Numbers, told) {
	return func(e *Exporter, n *Numbers, value told) {
		for is, size := range n.groups(e.Series) {
			value(of(size), is.group, is.kind, is.namespace, string(is.verdict), string(is.reason))
		}
	}
}

func tellBlocked(_ *Exporter, n *Numbers, value told) {
	for by, count := range n.blockedBy() {
		value(float64(count), string(by.reason), string(by.certainty))
	}
}

func tellWorst(e *Exporter, n *Numbers, value told) {
	for _, one := range n.worst(e.Named) {
		cause := ""
		if one.reason != noReason {
			cause = one.cause.String()
		}
		value(1, one.ref.Group(), one.ref.Kind, string(one.verdict), string(one.reason), cause, one.finalizer,
			one.resource, one.ref.Namespace, one.ref.Name)
	}
}

func tellWorstDeletions(e *Exporter, n *Numbers, value told) {
	for _, one := range n.worst(e.Named) {
		value(seconds(one.deleted), one.resource, one.ref.Namespace, one.ref.Name)
	}
}

func tellFindings(_ *Exporter, n *Numbers, value told) {
	for finding, count := range n.checked() {
		value(float64(count), string(finding.severity), string(finding.reason))
	}
}

func seconds(at time.Time) float64 { return float64(at.UnixMilli()) / 1000 }

// Names returns the names of all metrics that an Exporter tells.
func Names() (names []string) {
	for _, family := range families() {
		names = append(names, family.name)
	}
	return names
}

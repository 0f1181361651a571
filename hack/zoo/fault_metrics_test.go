package zoo_test

import (
	"fmt"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// series are the values of one metric, by some of its labels, added up.
func series(families map[string]*dto.MetricFamily, name string, labels ...string) map[string]float64 {
	values := map[string]float64{}
	for _, metric := range families[name].GetMetric() {
		given := map[string]string{}
		for _, label := range metric.GetLabel() {
			given[label.GetName()] = label.GetValue()
		}
		var key []string
		for _, label := range labels {
			key = append(key, given[label])
		}
		values[strings.Join(key, " ")] += metric.GetGauge().GetValue()
	}
	return values
}

func families(text string) (map[string]*dto.MetricFamily, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	return parser.TextToMetricFamilies(strings.NewReader(text))
}

// claimsOfMetrics are what numbers say: that there are so many of something says that there is one, and a second one.
func claimsOfMetrics(answer string) (*claims, error) {
	all, err := families(answer)
	if err != nil {
		return nil, fmt.Errorf("%w: %q", err, answer)
	}
	made := &claims{}
	count := func(name string, skip string, labels ...string) {
		for key, value := range series(all, name, labels...) {
			for number := 1; number <= int(value) && (skip == "" || !strings.Contains(key, skip)); number++ {
				made.make("%s %s: %d", name, key, number)
			}
		}
	}
	count("finalizers_terminating_objects", "", "kind", "namespace")
	count("finalizers_terminating_objects", string(result.Undetermined), "kind", "namespace", "verdict")
	count("finalizers_blocked_objects", string(finding.ControllerUnknown), "reason")
	count("finalizers_check_findings", string(finding.ControllerUnknown), "reason")
	const unreadable = "finalizers_last_look_unreadable_resources"
	if len(series(all, unreadable)) == 0 {
		return nil, fmt.Errorf("the numbers don't say whether everything could be read: %q", answer)
	}
	if number := series(all, unreadable)[""]; number > 0 {
		what := fmt.Sprintf("%g resources", number)
		made.unreadable = []finding.Unreadable{{Resource: what, Error: "is a number alone"}}
	}
	return made, nil
}

package limits_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/limits"
)

// TestTraits has two instances of a program, told apart by an argument, and an object in shop with the engine mysql.
func TestTraits(t *testing.T) {
	meta := &metav1.PartialObjectMetadata{}
	meta.Labels = map[string]string{"acme.io/region": "north"}
	around := limits.Surroundings{Fields: map[string]string{
		"engine": "mysql", "logLevel": "info", "tier": "gold", "storageTier": "bronze",
	}}
	for name, test := range map[string]struct {
		one, other string
		left       bool // the object is left to the other one
	}{
		"by a field":                     {"--engine=postgres", "--engine=mysql", true},
		"its own":                        {"--engine=mysql", "--engine=postgres", false},
		"nobody's":                       {"--engine=oracle", "--engine=postgres", false},
		"in two spellings":               {"--db-engine=postgres", "--engine-type=mysql", true},
		"by a label":                     {"--region=south", "--region=north", true},
		"by the namespace":               {"--scope=billing", "--scope=shop", true},
		"by two fields":                  {"--tier=gold", "--tier=bronze", false},
		"by a third value of the field":  {"--tier=silver", "--tier=bronze", true},
		"by no field":                    {"--flavor=red", "--flavor=green", false},
		"alike":                          {"--engine=postgres", "--engine=postgres", false},
		"how it runs":                    {"--log-level=debug", "--log-level=info", false},
		"one alone":                      {"--engine=postgres", "--v=2", false},
		"a key":                          {"--api-key=hunter", "--api-key=shop", false},
		"its own namespace, perhaps":     {"--leader-election-namespace=ops", "--leader-election-namespace=shop", false},
		"values that are no names":       {"--engine=5", "--engine=mysql", false},
		"a switch that it has or hasn't": {"--engine=false", "--engine=true", false},
	} {
		of := func(arg string) []limits.Limit {
			template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Args: []string{arg}}}}}
			return limits.Of(cluster.Resource{Kind: "Database"}, "acme.io/x", "ops", template, nil)
		}
		all, left := append(of(test.one), of(test.other)...), false
		for _, limit := range of(test.one) {
			left = left || limit.ByTrait() && limit.ToldApart(all) && limit.LeftToAnother(all, "shop", meta, around)
			if limit.ByTrait() && limit.Excludes("shop", meta, around) {
				t.Errorf("%s: a trait alone leaves the object out", name)
			}
		}
		if left != test.left {
			t.Errorf("%s: left to the other one: %t, want %t", name, left, test.left)
		}
	}
}

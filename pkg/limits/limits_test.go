package limits_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/limits"
)

func TestLimits(t *testing.T) {
	field := func(path string) *corev1.EnvVarSource {
		return &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: path}}
	}
	key := func(name, key string) *corev1.EnvVarSource {
		of := corev1.LocalObjectReference{Name: name}
		return &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: of, Key: key}}
	}
	variablesOf := func(name, prefix string) []corev1.EnvFromSource {
		of := &corev1.ConfigMapEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: name}}
		return []corev1.EnvFromSource{{Prefix: prefix, ConfigMapRef: of}}
	}
	around := limits.Surroundings{Labels: map[string]string{"tenant": "red"}}
	cases := []struct {
		name     string
		args     []string
		env      []corev1.EnvVar
		from     []corev1.EnvFromSource
		given    map[string]map[string]string // by ConfigMaps
		excludes bool                         // of a Database in shop, with the label shard: a
		unsure   bool
	}{
		{name: "nothing"},
		{name: "others", env: []corev1.EnvVar{{Name: "WATCH_NAMESPACE", Value: "one,two"}}, excludes: true},
		{name: "this one", env: []corev1.EnvVar{{Name: "WATCH_NAMESPACE", Value: "one, shop"}}},
		{name: "left out", args: []string{"--ignored-namespaces=dev,shop"}, excludes: true},
		{name: "left out by a pattern", args: []string{"--exclude-namespaces", "kube-*,sho?"}, excludes: true},
		{name: "others left out", env: []corev1.EnvVar{{Name: "IGNORE_NAMESPACES", Value: "dev, kube-*"}}},
		{name: "a program that is paused", args: []string{"--paused"}, excludes: true},
		{name: "all", env: []corev1.EnvVar{{Name: "WATCH_NAMESPACE", Value: ""}}},
		{name: "all by a star", env: []corev1.EnvVar{{Name: "WATCH_NAMESPACE", Value: "*"}}},
		{
			name: "its own", excludes: true,
			env: []corev1.EnvVar{{Name: "WATCH_NAMESPACE", ValueFrom: field("metadata.namespace")}},
		},
		{
			name: "what OLM tells", excludes: true,
			env: []corev1.EnvVar{{Name: "WATCH_NAMESPACE", ValueFrom: field("metadata.annotations['olm.targetNamespaces']")}},
		},
		{
			name: "what a ConfigMap tells", excludes: true, given: map[string]map[string]string{"c": {"where": "one,two"}},
			env: []corev1.EnvVar{{Name: "WATCH_NAMESPACE", ValueFrom: key("c", "where")}},
		},
		{
			name: "what a ConfigMap tells of this one", given: map[string]map[string]string{"c": {"where": "one,shop"}},
			env: []corev1.EnvVar{{Name: "WATCH_NAMESPACE", ValueFrom: key("c", "where")}},
		},
		{
			name: "a ConfigMap with variables", excludes: true, from: variablesOf("c", ""),
			given: map[string]map[string]string{"c": {"WATCH_NAMESPACE": "one"}},
		},
		{
			name: "a ConfigMap with a prefix", excludes: true, from: variablesOf("c", "ACME_"),
			given: map[string]map[string]string{"c": {"WATCH_NAMESPACE": "one"}},
		},
		{
			name: "a variable of the template comes before a ConfigMap's", from: variablesOf("c", ""),
			given: map[string]map[string]string{"c": {"WATCH_NAMESPACE": "one"}},
			env:   []corev1.EnvVar{{Name: "WATCH_NAMESPACE", Value: "shop"}},
		},
		{
			name: "an argument with what a ConfigMap tells", excludes: true, args: []string{"--namespaces=$(WHERE)"},
			env:   []corev1.EnvVar{{Name: "WHERE", ValueFrom: key("c", "where")}},
			given: map[string]map[string]string{"c": {"where": "one"}},
		},
		{name: "not recorded", env: []corev1.EnvVar{{Name: "WATCH_NAMESPACE", Value: "(not recorded)"}}},
		{name: "an argument", args: []string{"--watch-namespaces=one"}, excludes: true},
		{name: "two arguments", args: []string{"--watch-namespaces", "one"}, excludes: true},
		{name: "a flag without a value", args: []string{"--watch-namespaces", "--verbose"}},
		{name: "where it lives", args: []string{"--namespace=ops"}, excludes: true, unsure: true},
		{name: "another than where it lives", args: []string{"--namespace=one"}, excludes: true},
		{name: "labels", args: []string{"--watch-label-selector=shard=b"}, excludes: true},
		{name: "labels of perhaps something else", args: []string{"--label-selector=shard=b"}, excludes: true, unsure: true},
		{name: "its labels", args: []string{"--watch-label-selector=shard in (a,b)"}},
		{name: "no selector", args: []string{"--watch-label-selector=shard in"}},
		{name: "labels of other namespaces", args: []string{"--namespace-label-selector=tenant=blue"}, excludes: true},
		{name: "labels of its namespace", args: []string{"--watch-namespace-selector=tenant in (blue,red)"}},
		{name: "another shard", args: []string{"--shard=b"}, excludes: true},
		{name: "its shard", args: []string{"--shard", "a"}},
		{name: "a share that the object doesn't name", args: []string{"--operator-id=b"}},
		{name: "not the kind", args: []string{"--controllers=*,-database"}, excludes: true},
		{name: "not another kind", args: []string{"--controllers=*,-backup"}},
		{name: "perhaps not the kind", args: []string{"--controllers", "backup,restore"}, excludes: true, unsure: true},
		{name: "no empty list", args: []string{"--disable-controllers="}},
		{name: "nothing at all", args: []string{"--dry-run"}, excludes: true},
		{name: "an empty variable", env: []corev1.EnvVar{{Name: "DRY_RUN"}}},
		{
			name: "not what the finalizer stands for", excludes: true,
			env: []corev1.EnvVar{{Name: "ENABLE_PURGE_OLD_DATA", Value: "false"}},
		},
		{name: "what the finalizer stands for", env: []corev1.EnvVar{{Name: "ENABLE_PURGE_OLD_DATA", Value: "true"}}},
		{name: "something like it", env: []corev1.EnvVar{{Name: "ENABLE_PURGE_OLD_LOGS", Value: "false"}}},
	}
	meta := &metav1.PartialObjectMetadata{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "x", Labels: map[string]string{"shard": "a"}},
	}
	resource := cluster.Resource{
		GroupVersionResource: schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "databases"},
		Kind:                 "Database", Namespaced: true,
	}
	for _, c := range cases {
		container := corev1.Container{Args: c.args, Env: c.env, EnvFrom: c.from}
		template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{container}}}
		template.Annotations = map[string]string{"olm.targetNamespaces": "one,two"}
		excludes, unsure := false, false
		for _, one := range limits.Of(resource, "shop.example.com/purge-old-data", "ops", template, c.given) {
			excludes, unsure = excludes || one.Excludes("shop", meta, around), unsure || one.Unsure
		}
		if excludes != c.excludes || unsure != c.unsure {
			t.Errorf("%s: excludes %t, unsure %t", c.name, excludes, unsure)
		}
	}
}

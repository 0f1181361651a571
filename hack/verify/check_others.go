package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// builtIn are the kinds of Kubernetes that other projects hold.
var builtIn = regexp.MustCompile(`^[A-Za-z]+(\.(apps|batch|policy|[a-z.]+\.k8s\.io))?$`)

// checkKind asks whether the module declares the kind, or its definition does.
func checkKind(_ context.Context, s *source, _ plugins.Finalizer, kind string) (outcome, string) {
	name, _, _ := strings.Cut(kind, ".")
	switch {
	case strings.Contains(name, "*") || builtIn.MatchString(kind):
		return notCheckable, "the kind is another project's, or a pattern"
	case s.types[name] || s.kinds[name]:
		return held, ""
	}
	return notCheckable, "its types are in another module"
}

// checkWorkload asks whether a manifest, a chart or a string in Go has the workload.
func checkWorkload(_ context.Context, s *source, _ plugins.Finalizer, workload string) (outcome, string) {
	if _, found := s.workload(workload); found {
		return held, ""
	}
	_, name, _ := strings.Cut(workload, "/")
	if _, is := s.literals[name]; is || s.words[name] {
		return held, ""
	}
	switch {
	case strings.Contains(name, "*"):
		return notCheckable, "the name is a pattern"
	case len(s.workloads) == 0:
		return notCheckable, "the module has no manifests of workloads"
	}
	return drifted, "no manifest of the module has it"
}

// checkLease asks whether a string in Go or in a manifest has the name of the Lease.
func checkLease(ctx context.Context, s *source, _ plugins.Finalizer, lease string) (outcome, string) {
	_, name, _ := strings.Cut(lease, "/")
	if _, is := s.literals[name]; is || s.words[name] || len(s.symbolsOf(ctx, name)) > 0 {
		return held, ""
	}
	for text := range s.words {
		if strings.HasSuffix(text, "="+name) || strings.Trim(template.ReplaceAllLiteralString(text, ""), "-") == name {
			return held, ""
		}
	}
	switch {
	case strings.ContainsAny(name, "*{"):
		return notCheckable, "the name is a pattern"
	case s.hasPart(name), len(s.workloads) == 0:
		return notCheckable, "the name is made when the program starts"
	}
	return drifted, "no string of the module has it"
}

// segments are the names in a JSONPath: fields, keys of maps, and what a filter compares.
var segments = regexp.MustCompile(`"[^"]*"|(?:[\w/-]|\\\.)+`)

// number is an index of a list.
var number = regexp.MustCompile(`^\d+$`)

// ofEach are the fields that each object has.
func ofEach(name string) bool {
	return slices.Contains([]string{
		"metadata", "annotations", "labels", "name", "namespace", "uid", "status", "spec", "conditions", "type", "reason",
		"message", "deletionTimestamp", "ownerReferences", "kind", "apiVersion", "items", "finalizers", "creationTimestamp",
	}, name)
}

// checkPath asks whether each name in a path is the name of a field, or a string of the module.
func checkPath(ctx context.Context, s *source, f plugins.Finalizer, jsonPath string) (outcome, string) {
	for _, name := range segments.FindAllString(jsonPath, -1) {
		name = strings.Trim(strings.ReplaceAll(name, `\.`, "."), `"`)
		_, literal := s.literals[name]
		if ofEach(name) || literal || s.tags[name] || s.words[name] || s.words[name+":"] || number.MatchString(name) {
			continue
		}
		if strings.Contains(name, "/") {
			if len(s.symbolsOf(ctx, name)) > 0 {
				continue
			}
			if found, why := s.inRequired(ctx, name); found != held {
				return found, why
			}
			continue
		}
		if !slices.ContainsFunc(f.Kinds, func(kind string) bool {
			name, _, _ := strings.Cut(kind, ".")
			return s.types[name] || s.kinds[name]
		}) {
			return notCheckable, "its types are in another module"
		}
		return drifted, fmt.Sprintf("the module has no field or string %q", name)
	}
	return held, ""
}

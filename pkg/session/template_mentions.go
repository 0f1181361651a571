package session

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Names reports whether the programs in a pod template are told something's whole name, in an argument or a variable,
// or in a path of the node. Nothing else in a template says what its programs do: finalizers, labels and annotations
// are copied into each pod, an image's name has a registry's host in it, and a volume's driver, an extended resource or
// a toleration make the pod a user of what they name. Nor does a host: whoever calls it is its client.
func Names(template corev1.PodTemplateSpec, name string) bool {
	whole := regexp.MustCompile(`(?:^|[^A-Za-z0-9.-])(` + regexp.QuoteMeta(name) + `)(?:$|[^A-Za-z0-9.-])`)
	return slices.ContainsFunc(told(template), func(text string) bool {
		for from := 0; from < len(text); {
			at := whole.FindStringSubmatchIndex(text[from:])
			if at == nil {
				return false
			}
			if !host(text[:from+at[2]], text[from+at[3]:]) {
				return true
			}
			from += at[3] // one character may bound two names
		}
		return false
	})
}

// told is what the containers of a template are told: arguments, variables and the node's paths that they get.
func told(template corev1.PodTemplateSpec) (texts []string) {
	for _, container := range slices.Concat(template.Spec.InitContainers, template.Spec.Containers) {
		texts = append(append(texts, container.Command...), container.Args...)
		for _, variable := range container.Env {
			texts = append(texts, variable.Value)
		}
	}
	for _, volume := range template.Spec.Volumes {
		if volume.HostPath != nil {
			texts = append(texts, volume.HostPath.Path)
		}
	}
	return texts
}

// host reports whether a name in a text is a host, by what is before and after it: a URL, USER@HOST, HOST:PORT. A
// recording keeps that of a text and no more (snapshot/clean_text.go).
func host(before, after string) bool {
	return strings.HasSuffix(before, "//") || strings.HasSuffix(before, "@") ||
		regexp.MustCompile(`^:[0-9]`).MatchString(after)
}

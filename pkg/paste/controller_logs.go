package paste

import (
	"regexp"
	"strings"
)

// logged is a field of a line that a controller has logged, as text (name="a") or as JSON ("name":"a").
var logged = regexp.MustCompile(`"?\b(controllerGroup|controllerKind|namespace|name)"?[=:] ?"([^"]*)"`)

// isControllerLog reports whether a line is what sigs.k8s.io/controller-runtime logs of one object (v0.21
// pkg/internal/controller/controller.go:New).
func isControllerLog(text string) bool {
	return len(text) < longestLog && strings.Contains(text, "controllerKind") && !strings.Contains(text, "apiVersion")
}

const longestLog = 32 << 10

// controllerLog notes the object that a controller is at work on.
func controllerLog(r *reader, first line) error {
	fields := map[string]string{}
	for _, match := range logged.FindAllStringSubmatch(first.text, -1) {
		fields[match[1]] = match[2] // the name of the object comes behind that of its reference
	}
	resource := strings.ToLower(fields["controllerKind"])
	if group := fields["controllerGroup"]; group != "" && resource != "" {
		resource += "." + group
	}
	if podName.MatchString(resource) && podName.MatchString(fields["name"]) {
		r.sink.Mention(Mention{
			Resource: resource, Namespace: namespaceName(fields["namespace"]), Name: fields["name"], Line: first.number,
		})
	}
	return nil
}

package paste

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// Failure is what the API server or kubectl answered in place of objects.
type Failure struct {
	Kind FailureKind
	// Resource and Name are what was asked for; a failed list has no name. Namespace is empty where the text names none.
	Resource, Namespace, Name string
	// Version is the group version that could not be discovered.
	Version schema.GroupVersion
	// Reason is why the server answered with an error, as a Status of Kubernetes has it.
	Reason  string
	Message string
	Line    int
}

// FailureKind is the kind of a failure.
type FailureKind int

// The failures that texts have.
const (
	// NotFound says that an object does not exist.
	NotFound FailureKind = iota
	// Forbidden says that a list or an object may not be read.
	Forbidden
	// NoKind says that no such type is served.
	NoKind
	// Undiscovered says that the kinds of a group version could not be discovered.
	Undiscovered
	// ServerError says that the server answered with another error.
	ServerError
)

var (
	serverError = regexp.MustCompile(`^Error from server(?: \((\w+)\))?: (.*)$`)
	notFound    = regexp.MustCompile(`^(\S+) "([^"]+)" not found$`)
	forbidden   = regexp.MustCompile(
		`cannot \w+ resource "([^"]+)" in API group "([^"]*)"(?: in the namespace "([^"]+)")?`)
	noType     = regexp.MustCompile(`the server doesn't have a resource type "([^"]+)"`)
	incomplete = regexp.MustCompile(`unable to retrieve the complete list of server APIs: (.*)$`)
	listFailed = regexp.MustCompile(`couldn't get resource list for ([a-z0-9.-]+/v\w+): (.*)$`)
	noneFound  = regexp.MustCompile(`^No resources found(?: in (\S+) namespace)?\.?$`)
)

func isFailure(text string) bool {
	if !strings.Contains(text, "rror") && !strings.HasPrefix(text, "No res") && !strings.Contains(text, "couldn't get") {
		return false
	}
	return serverError.MatchString(text) || noType.MatchString(text) || incomplete.MatchString(text) ||
		listFailed.MatchString(text) || noneFound.MatchString(text)
}

// failure takes in what was answered in place of objects.
func (r *reader) failure(first line) error {
	text := strings.TrimSpace(first.text)
	failed := Failure{Line: first.number, Message: text, Namespace: r.asked.Namespace}
	if match := noneFound.FindStringSubmatch(text); match != nil {
		if match[1] != "" {
			r.asked.Namespace = match[1]
		}
		r.answered(true)
		return nil
	}
	if match := noType.FindStringSubmatch(text); match != nil {
		failed.Kind, failed.Resource = NoKind, match[1]
		r.sink.Failed(failed)
		return nil
	}
	if match := incomplete.FindStringSubmatch(text); match != nil {
		for version, message := range statuses.Undiscovered(match[1]) {
			r.sink.Failed(Failure{Kind: Undiscovered, Version: version, Message: message, Line: first.number})
		}
		return nil
	}
	if match := listFailed.FindStringSubmatch(text); match != nil {
		failed.Version, _ = schema.ParseGroupVersion(match[1])
		failed.Kind, failed.Message = Undiscovered, match[2]
		r.sink.Failed(failed)
		return nil
	}
	match := serverError.FindStringSubmatch(text)
	failed.Message = match[2]
	if object := notFound.FindStringSubmatch(match[2]); match[1] == "NotFound" && object != nil {
		failed.Kind, failed.Resource, failed.Name = NotFound, object[1], object[2]
		r.sink.Failed(failed)
		r.nothingIn(failed)
	}
	if list := forbidden.FindStringSubmatch(match[2]); match[1] == "Forbidden" && list != nil {
		resource := schema.GroupResource{Group: list[2], Resource: list[1]}
		failed.Kind, failed.Resource, failed.Namespace = Forbidden, resource.String(), list[3]
		r.sink.Failed(failed)
	}
	if failed.Resource == "" && r.asked.verb == "get" && r.asked.only() != "" && len(r.asked.names) < 2 {
		failed.Kind, failed.Resource, failed.Reason = ServerError, r.asked.only(), match[1]
		failed.Name = strings.Join(r.asked.names, "")
		r.sink.Failed(failed)
	}
	return nil
}

// nothingIn tells that an object that was asked for doesn't exist where its namespace doesn't.
func (r *reader) nothingIn(missing Failure) {
	if missing.Resource != "namespaces" || missing.Name != r.asked.Namespace || r.asked.only() == "" {
		return
	}
	for _, name := range r.asked.names {
		missing.Resource, missing.Name = r.asked.only(), name
		r.sink.Failed(missing)
	}
}

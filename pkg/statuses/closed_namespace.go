package statuses

import "regexp"

// ClosedTo returns the namespace in which, as words quote the API server, nothing can be created because it is being
// deleted (k8s v1.37 apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go:Admit).
func ClosedTo(words string) string {
	said := regexp.MustCompile(`unable to create new content in namespace (\S+) because it is being terminated`)
	if found := said.FindStringSubmatch(words); found != nil {
		return found[1]
	}
	return ""
}

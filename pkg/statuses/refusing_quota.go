package statuses

import "strings"

// RefusingQuota returns the ResourceQuota by which the API server refused a request, as words quote it; empty where
// they don't (k8s v1.37 staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go:checkRequest).
func RefusingQuota(words string) string {
	for _, refused := range []string{"exceeded quota: ", "failed quota: "} {
		if _, rest, found := strings.Cut(words, refused); found {
			name, _, _ := strings.Cut(rest, ",")
			name, _, _ = strings.Cut(name, ":")
			return name
		}
	}
	return ""
}

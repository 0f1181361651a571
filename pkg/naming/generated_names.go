package naming

import "strings"

// GeneratedName reports whether the API server made up the end of a name, as it does for the pods of Deployments,
// DaemonSets and Jobs: a dash, and five letters and digits without the ones that words could be made of (k8s v1.37
// apiserver/pkg/storage/names/generate.go, apimachinery/pkg/util/rand/rand.go:String).
func GeneratedName(name string) bool {
	const length, letters = 5, "bcdfghjklmnpqrstvwxz2456789"
	base, end := name[:max(0, len(name)-length)], name[max(0, len(name)-length):]
	return len(base) > 1 && strings.HasSuffix(base, "-") && strings.Trim(end, letters) == ""
}

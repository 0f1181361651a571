package naming

import "strings"

// GeneratedName reports whether the API server made up the end of a name, as it does for the pods of Deployments,
// DaemonSets and Jobs: a dash, and five letters and digits without the ones that words could be made of (k8s v1.37
// apiserver/pkg/storage/names/generate.go, apimachinery/pkg/util/rand/rand.go:String).
func GeneratedName(name string) bool {
	const length = 5
	base, end := name[:max(0, len(name)-length)], name[max(0, len(name)-length):]
	return len(base) > 1 && strings.HasSuffix(base, "-") && random(end)
}

// letters are what the API server makes names of.
const letters = "bcdfghjklmnpqrstvwxz2456789"

// GeneratedEnd reports whether text is what Kubernetes adds to a workload's name for a ReplicaSet, or for a pod.
func GeneratedEnd(text string) bool {
	first, second, two := strings.Cut(text, "-")
	pod := GeneratedName("xx-"+second) && !strings.Contains(second, "-")
	return templateHash(first) && (pod || !two) || !two && GeneratedName("xx-"+first)
}

// MakeEnd returns the end of that number and length, in the letters that Kubernetes uses.
func MakeEnd(number, length int) string {
	end := make([]byte, length)
	for at := length - 1; at >= 0; at-- {
		end[at], number = letters[number%len(letters)], number/len(letters)
	}
	end[0] = '2' // so that it is no word
	return string(end)
}

// random reports whether text is of the letters and digits that the API server makes names of.
func random(text string) bool { return strings.Trim(text, letters) == "" }

// PodNameOf reports whether a pod's name is one that Kubernetes gives to the pods of a workload: with the hash of a
// ReplicaSet between the two parts for a Deployment (k8s v1.37 pkg/controller/deployment/sync.go:getNewReplicaSet),
// with a number for a StatefulSet. What else begins with the workload's name is another program's.
func PodNameOf(pod, kind, workload string) bool {
	rest, begins := strings.CutPrefix(pod, workload+"-")
	if kind == "Pod" || !begins {
		return kind == "Pod" && pod == workload
	}
	if kind == "StatefulSet" {
		return rest != "" && strings.Trim(rest, "0123456789") == ""
	}
	if kind != "Deployment" {
		return GeneratedName(pod) && !strings.Contains(rest, "-")
	}
	hash, end, both := strings.Cut(rest, "-")
	return both && GeneratedName(pod) && !strings.Contains(end, "-") && templateHash(hash)
}

// templateHash reports whether text is a hash as ReplicaSets have it (k8s v1.37
// pkg/controller/controller_utils.go:ComputeHash), and no word of such letters.
func templateHash(text string) bool {
	const usual = 8
	return text != "" && random(text) && (len(text) >= usual || strings.ContainsAny(text, "0123456789"))
}

// ProgramOf is what a pod's generated name begins with: its workload's name. It is empty for a name that the API server
// did not make.
func ProgramOf(pod string) string {
	if !GeneratedName(pod) {
		return ""
	}
	program := pod[:strings.LastIndex(pod, "-")]
	if at := strings.LastIndex(program, "-"); at > 0 && templateHash(program[at+1:]) {
		return program[:at]
	}
	return program
}

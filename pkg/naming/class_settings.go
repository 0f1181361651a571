package naming

import (
	"slices"
	"strings"
)

// ClassOf is whose classes a name is about, in small letters: ingress of IngressClass, ingressClassName and
// --ingress-class. It is empty where the name doesn't tell, and for a class that says what something is made of, as a
// StorageClass does, and not which controller acts on it.
func ClassOf(name string) (whose string, is bool) {
	words := settingWords(name)
	for len(words) > 0 && slices.Contains([]string{"name", "names", "ref"}, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || unlike(words) {
		return "", false
	}
	last := words[len(words)-1]
	joined, is := strings.CutSuffix(last, "class")
	switch {
	case last == "class" || last == "classes":
		whose = strings.Join(words[:len(words)-1], "")
	case is:
		whose = strings.Join(words[:len(words)-1], "") + joined
	default:
		return "", false
	}
	for _, made := range []string{"storage", "priority", "runtime", "volume", "snapshot", "attributes", "device"} {
		if strings.HasSuffix(whose, made) {
			return "", false
		}
	}
	return whose, true
}

// ControllerFields are what the fields are called in which classes name their controller: controllerName of a
// GatewayClass, driverName of a BucketClass.
func ControllerFields() []string {
	return []string{"controllerName", "controller", "provisioner", "driverName", "driver"}
}

// namesController reports whether the words of a setting say that its value is what classes call their controller.
func namesController(words []string) bool {
	if last := len(words) - 1; words[last] == "name" && last > 0 {
		words = words[:last]
	}
	return slices.Contains([]string{"controller", "provisioner"}, words[len(words)-1])
}

// unlike reports whether the words of a setting say that it is about others than what it names, or about a default.
func unlike(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains([]string{
			"exclude", "excluded", "ignore", "ignored", "deny", "denied", "not", "all", "without", "default",
		}, word)
	})
}

package naming

import (
	"regexp"
	"slices"
	"strings"
)

// Setting is what a variable or a flag limits a program to, by its name.
type Setting int

// The settings.
const (
	NoLimit Setting = iota
	NamesNamespaces
	PerhapsNamespaces // unless it is the one that the program is in
	SelectsLabels
	PerhapsSelectsLabels // unless of what the program makes or looks up
	FiltersClusters      // by a value of Cluster API's label
	SelectsNamespaces    // by their labels
	NamesClass           // of the objects that it acts on, or the controller that such classes name
	NamesController      // as classes name it
	LeavesOutNamespaces  // by their names
)

// Kubeconfig is the word that arguments and names of variables about a kubeconfig have.
const Kubeconfig = "kubeconfig"

// NamesKubeconfig reports whether an argument or the name of a variable is about a kubeconfig, by which a program gets
// to an API server as another user than its ServiceAccount.
func NamesKubeconfig(word string) bool { return strings.Contains(strings.ToLower(word), Kubeconfig) }

// SettingOf says what a variable or a flag limits, by the words of its name: WATCH_NAMESPACE, --watched-namespaces,
// --namespaces, --watch-label-selector, --ingress-class, --gateway-controller-name.
func SettingOf(name string) Setting {
	words := settingWords(name)
	if leavesOutNamespaces(words) {
		return LeavesOutNamespaces
	}
	if len(words) == 0 || unlike(words) {
		return NoLimit
	}
	if _, is := ClassOf(name); is {
		return NamesClass
	}
	if namesController(words) {
		return NamesController
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	watches := slices.Contains([]string{"watch", "watched", "watching", "watches", "scoped", "managed"}, before)
	flag := strings.HasPrefix(name, "-")
	if slices.Equal(words, []string{"spoke", "cluster", "name"}) {
		return NamesNamespaces // a hub has a namespace for each (open-cluster-management.io/ocm pkg/common/options/agent.go)
	}
	switch last {
	case "namespace":
		switch {
		case watches:
			return NamesNamespaces
		case flag && before == "":
			return PerhapsNamespaces
		}
	case "namespaces":
		if watches || slices.Contains([]string{"target", "allowed"}, before) || flag && before == "" {
			return NamesNamespaces
		}
	case "filter":
		if flag && watches {
			return FiltersClusters
		}
	case "selector":
		switch {
		case selectsNamespaces(words):
			return SelectsNamespaces
		case watches || before == "label" && slices.Contains(words, "watch"):
			return SelectsLabels
		case before == "label" && len(words) == 2, flag && before == "":
			return PerhapsSelectsLabels
		}
	}
	return NoLimit
}

// leavesOutNamespaces reports whether the words of a setting say that it lists the namespaces in which a program does
// nothing: --ignored-namespaces, EXCLUDE_NAMESPACES, --namespaces-to-skip. A webhook's, or a part's, is another list.
func leavesOutNamespaces(words []string) bool {
	leaves := func(word string) bool {
		return slices.Contains([]string{
			"exclude", "excluded", "excludes", "ignore", "ignored", "ignores", "skip", "skipped", "deny", "denied",
			"unwatched", "blacklisted", "denylisted",
		}, word)
	}
	rest := slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return leaves(word) || slices.Contains([]string{"watch", "watched", "reconcile", "to", "list"}, word)
	})
	return slices.ContainsFunc(words, leaves) && slices.Equal(rest, []string{"namespaces"}) ||
		slices.Equal(words, []string{"ignore", "namespace"}) || slices.Equal(words, []string{"exclude", "namespace"})
}

// selectsNamespaces reports whether the words of a selector say that it is about the labels of namespaces, and about
// nothing else: --namespace-label-selector, --watch-namespace-selector. --namespace-selector alone is often a
// webhook's.
func selectsNamespaces(words []string) bool {
	rest := slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.Contains([]string{"watch", "watched", "label", "selector"}, word)
	})
	return len(rest) == 1 && len(words) > 2 && (rest[0] == "namespace" || rest[0] == "namespaces")
}

// settingWords are the words of a name in any of the usual spellings: WATCH_NAMESPACE, --watch-namespace,
// watchNamespace.
func settingWords(name string) (words []string) {
	spaced := regexp.MustCompile(`([a-z0-9])([A-Z])`).ReplaceAllString(name, "$1 $2")
	return strings.FieldsFunc(strings.ToLower(spaced), func(r rune) bool { return r < 'a' || r > 'z' })
}

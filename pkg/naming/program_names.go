package naming

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"slices"
	"strings"
	"unicode"
)

// Project returns the words by which a project goes, by its API group: cert-manager of acme.cert-manager.io.
func Project(group string) (words []string) {
	labels := strings.Split(group, ".")
	if len(labels) < 2 {
		return nil
	}
	shared := []string{
		"x-k8s", "k8s", "kubernetes", "example", "github", "com", "io", "org", "dev", "net", "sh", "cloud", "aws",
	}
	for _, label := range labels[:len(labels)-1] {
		if !slices.Contains(shared, label) && len(label) > 2 {
			words = append(words, label)
		}
	}
	return words
}

// Mentions reports whether a name has one of some words in it as a whole: shop-operator has shop, and workshop doesn't.
func Mentions(name string, words ...string) bool { return Mentioned(name, words...) != "" }

// Mentioned is the first of some words that a name mentions; empty for none.
func Mentioned(name string, words ...string) string {
	name = strings.ToLower(name)
	at := slices.IndexFunc(words,
		func(word string) bool { return word != "" && hasWord(name, strings.ToLower(word)) })
	if at < 0 {
		return ""
	}
	return words[at]
}

func hasWord(name, word string) bool {
	for from := 0; ; {
		at := strings.Index(name[from:], word)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(word)
		if (start == 0 || !wordly(name[start-1])) && (end == len(name) || !wordly(name[end])) {
			return true
		}
		from = start + 1
	}
}

func wordly(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' }

// LooksLikeOperator reports whether a name is of the kind that people give to operators.
func LooksLikeOperator(name string) bool {
	words := []string{
		"operator", "controller", "controllers", "manager", "controller-manager", "provider", "reconciler",
	}
	return Mentions(name, words...)
}

// NamedForOtherDuty reports whether a name says that a program watches, shows or answers, and doesn't reconcile.
func NamedForOtherDuty(name string) bool {
	return Mentions(name,
		"webhook", "webhooks", "admission", "exporter", "exporters", "metrics", "monitor", "monitoring", "dashboard",
		"ui", "frontend", "console", "viewer", "audit", "auditor", "scanner", "reporter", "logger", "prometheus",
		"grafana", "proxy", "cainjector", "certgen", "readonly", "read-only", "inventory", "insights")
}

// Words splits a name in camel case into its words, in lower case: HelmRelease into helm and release.
func Words(name string) (words []string) {
	start := 0
	for i := 1; i <= len(name); i++ {
		if i == len(name) || name[i] >= 'A' && name[i] <= 'Z' && !(name[i-1] >= 'A' && name[i-1] <= 'Z') {
			words = append(words, strings.ToLower(name[start:i]))
			start = i
		}
	}
	return words
}

// Generic reports whether a name says only what something is, and not whose: controller-manager, operator.
func Generic(name string) bool {
	generic := []string{
		"operator", "operators", "controller", "controllers", "manager", "provider", "reconciler", "system", "server",
		"webhook", "main", "default", "service", "account", "sa",
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_.:", r) })
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(generic, word) })
}

// NamedAfter reports whether something in a namespace has one of some words for its name: in its own name, or, if that
// doesn't show whose it is, in its namespace's. Other programs are in a project's namespace too.
func NamedAfter(namespace, name string, words ...string) bool {
	return WordOfName(namespace, name, words...) != ""
}

// WordOfName is the word by which NamedAfter says so; empty for none.
func WordOfName(namespace, name string, words ...string) string {
	if word := Mentioned(name, words...); word != "" || !Generic(name) {
		return word
	}
	return Mentioned(namespace, words...)
}

// Vague reports whether a word that names a project by its form may stand for anything: service of
// service.kubernetes.io, finalizers of finalizers.shop.io.
func Vague(word string) bool {
	return Generic(word) || slices.Contains([]string{
		"finalizer", "finalizers", "app", "apps", "core", "cluster", "storage", "network", "networking", "node", "pod",
		"ingress", "gateway", "resource", "resources", "volume", "config", "secret", "namespace", "test", "demo",
		"internal", "intra", "local", "corp", "company", "team", "prod", "dev", "infra", "platform",
	}, word)
}

// NameWords are the words of a name, in lower case: shop, database and controller of shop-databaseController.
func NameWords(name string) (words []string) {
	for _, word := range statuses.Split(name) {
		if unicode.IsLetter([]rune(word.Text)[0]) || word.Number() {
			words = append(words, word.Text)
		}
	}
	return words
}

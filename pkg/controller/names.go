package controller

import (
	"slices"
	"strings"
)

// IsBareWord tells whether a finalizer is a bare word, which names neither a domain nor a project: a
// person may have made it up (finalizer-conventions 2).
func IsBareWord(finalizer string) bool { return !strings.ContainsAny(finalizer, "./") }

// Concrete tells whether a field manager's name says who it is. Many programs go by the name that
// their framework gives them (deletion-mechanics C.5-4).
func (s Setter) Concrete() bool {
	generic := []string{
		"manager", "main", "controller", "operator", "Go-http-client", "unknown", "ancient-changes",
		"before-first-apply", "java-client", "fabric8-kubernetes-client", "OpenAPI-Generator", "kubernetes-client",
	}
	return !s.ByHand && !s.Copied() && s.Manager != "" && !slices.Contains(generic, s.Manager)
}

// Project is the word by which a project goes, as far as its API group tells: shop of
// shop.example.com, cert-manager of acme.cert-manager.io.
func Project(group string) []string {
	labels := strings.Split(group, ".")
	if len(labels) < 2 {
		return nil
	}
	shared := []string{
		"x-k8s", "k8s", "kubernetes", "example", "github", "com", "io", "org", "dev", "net", "sh", "cloud", "aws",
	}
	var words []string
	for _, label := range labels[:len(labels)-1] {
		if !slices.Contains(shared, label) && len(label) > 2 {
			words = append(words, label)
		}
	}
	return words
}

// Mentions tells whether a name has one of some words in it, each as a whole: shop-operator mentions
// shop, and workshop doesn't.
func Mentions(name string, words ...string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(words, func(word string) bool {
		return word != "" && hasWord(name, strings.ToLower(word))
	})
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

// LooksLikeOperator tells whether a name is of the kind that people give to operators.
func LooksLikeOperator(name string) bool {
	return Mentions(
		name, "operator", "controller", "controllers", "manager", "controller-manager", "provider", "reconciler",
	)
}

// Generic tells whether a name says only what something is, and not whose: controller-manager, operator.
func Generic(name string) bool {
	generic := []string{
		"operator", "operators", "controller", "controllers", "manager", "provider", "reconciler", "system", "server",
		"webhook", "main", "default", "service", "account", "sa",
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_.:", r) })
	return !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(generic, word) })
}

// NamedAfter tells whether something in a namespace has one of some words for its name: in its own name, or, where
// that says nothing of whose it is, in its namespace's. Other programs stand in a project's namespace too.
func NamedAfter(namespace, name string, words ...string) bool {
	return Mentions(name, words...) || Generic(name) && Mentions(namespace, words...)
}

// Vague tells whether a word that names a project by its form may stand for anything: service of
// service.kubernetes.io, finalizers of finalizers.shop.io.
func Vague(word string) bool {
	return Generic(word) || slices.Contains([]string{
		"finalizer", "finalizers", "app", "apps", "core", "cluster", "storage", "network", "networking", "node", "pod",
		"ingress", "gateway", "resource", "resources", "volume", "config", "secret", "namespace", "test", "demo",
		"internal", "intra", "local", "corp", "company", "team", "prod", "dev", "infra", "platform",
	}, word)
}

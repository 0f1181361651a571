package session

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// mostAsked is how many questions one command asks.
const mostAsked = 28

// words are the arguments of kubectl get. They are empty where a name has something in it that a shell or kubectl would
// read otherwise: a quote, a blank, a dash at its beginning, or, of a resource, a dot at its end (secrets.v1. is the
// resource secrets in version v1).
func (a askedFor) words() string {
	words := a.resource.QualifiedName()
	if !regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`).MatchString(words) {
		return ""
	}
	names := regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9.:_-]*)?$`)
	if !names.MatchString(a.name) || !names.MatchString(a.namespace) {
		return ""
	}
	if a.name != "" {
		words += " " + a.name
	}
	switch {
	case a.namespace != "":
		words += " -n " + a.namespace
	case a.resource.Namespaced && a.name == "":
		words += " -A"
	}
	if a.writers || a.resource.QualifiedName() == "leases.coordination.k8s.io" { // with it, its clock can be compared
		words += " --show-managed-fields"
	}
	if a.resource.QualifiedName() == "configmaps" && !a.writers {
		words += " -o name" // whether it exists; what it has may be confidential
	}
	return words
}

// covers reports whether a question has the answer to a narrower one.
func (a askedFor) covers(narrower askedFor) bool {
	same := a.resource.GroupVersionResource == narrower.resource.GroupVersionResource
	return same && a.name == "" && a.namespace == "" && !narrower.writers && a.words() != narrower.words()
}

// shellOf is a command of a shell that shows each question before its answer.
func shellOf(asked []askedFor) finding.Command {
	slices.SortStableFunc(asked, func(a, b askedFor) int { return cmp.Compare(a.rank(), b.rank()) })
	var questions []string
	for _, question := range asked {
		words := question.words()
		covered := slices.ContainsFunc(asked, func(a askedFor) bool { return a.covers(question) })
		if words != "" && !covered && !slices.Contains(questions, words) && len(questions) < mostAsked {
			questions = append(questions, words)
		}
	}
	if len(questions) == 0 {
		return nil
	}
	const ask = `echo "$ date -u"; date -u +%FT%TZ; ` +
		`for q; do echo "$ kubectl get -o yaml $q"; kubectl get -o yaml $q 2>&1; done; echo "$"`
	return append(finding.Command{"sh", "-c", ask, "ask"}, questions...)
}

package session

import (
	"cmp"
	"regexp"
	"slices"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// mostAsked is how many questions one command asks.
const mostAsked = 28

// plainResource and plainName match what a shell and kubectl read as it is.
var (
	plainResource = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`) })
	plainName     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9.:_-]*)?$`) })
)

// words are the arguments of kubectl get. They are empty where a name has something in it that a shell or kubectl would
// read otherwise: a quote, a blank, a dash at its beginning, or, of a resource, a dot at its end (secrets.v1. is the
// resource secrets in version v1).
func (a askedFor) words() string {
	words := a.resource.QualifiedName()
	if !plainResource().MatchString(words) || !plainName().MatchString(a.name) || !plainName().MatchString(a.namespace) {
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
	wider := a.name == "" && a.namespace == "" || a.writers && a.name == narrower.name && a.namespace == narrower.namespace
	return same && wider && !narrower.writers && a.words() != narrower.words()
}

// shellOf is a command of a shell that shows each question before its answer, and whether it failed: where kubectl
// fails, it prints an empty list, too. The content of swept namespaces is printed as metadata alone.
func shellOf(asked []askedFor, swept []string) finding.Command {
	slices.SortStableFunc(asked, func(a, b askedFor) int { return cmp.Compare(a.rank(), b.rank()) })
	var questions []string
	for _, question := range asked {
		words := question.words()
		covered := slices.ContainsFunc(asked, func(a askedFor) bool { return a.covers(question) })
		if words != "" && !covered && !slices.Contains(questions, words) && len(questions) < mostAsked {
			questions = append(questions, words)
		}
	}
	sweeps := false
	for _, namespace := range swept {
		if words := (askedFor{resource: cluster.Pods(), namespace: namespace}).words(); words != "" {
			questions, sweeps = append(questions, "-n "+namespace), true
		}
	}
	if len(questions) == 0 {
		return nil
	}
	const (
		begin = `echo "$ date -u"; date -u +%FT%TZ; `
		show  = `s=$?; echo "$ kubectl get -o yaml $q"; echo "# exit code $s"; printf "%s\n" "$a"; `
		ask   = begin + `for q; do a=$(kubectl get -o yaml $q 2>&1); ` + show + `done; echo "$"`
		sweep = begin + `t=$1; shift; for q; do o=yaml; case $q in -n*) o="go-template=$t"; ` +
			`q="$(kubectl api-resources --verbs=list --namespaced -o name | grep -v -e "^secrets$" -e "^events" ` +
			`-e "metrics.k8s.io$" | paste -sd, -) $q";; esac; a=$(kubectl get -o "$o" $q 2>&1); ` + show + `done; echo "$"`
	)
	if sweeps {
		return append(finding.Command{"sh", "-c", sweep, "ask", metadataTemplate}, questions...)
	}
	return append(finding.Command{"sh", "-c", ask, "ask"}, questions...)
}

// metadataTemplate prints of a list what a deletion depends on: names, finalizers, owners and times.
const metadataTemplate = `{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadataList","items":[` +
	`{{range $i,$o := .items}}{{if $i}},{{end}}` +
	`{"apiVersion":{{printf "%q" .apiVersion}},"kind":{{printf "%q" .kind}},"metadata":{{with .metadata}}` +
	`{"name":{{printf "%q" .name}},"namespace":{{printf "%q" .namespace}},"uid":{{printf "%q" .uid}}` +
	`{{with .creationTimestamp}},"creationTimestamp":{{printf "%q" .}}{{end}}` +
	`{{with .deletionTimestamp}},"deletionTimestamp":{{printf "%q" .}}{{end}}` +
	`{{with .finalizers}},"finalizers":[{{range $n,$f := .}}{{if $n}},{{end}}{{printf "%q" $f}}{{end}}]{{end}}` +
	`{{with .ownerReferences}},"ownerReferences":[{{range $n,$f := .}}{{if $n}},{{end}}` +
	`{"apiVersion":{{printf "%q" .apiVersion}},"kind":{{printf "%q" .kind}},"name":{{printf "%q" .name}},` +
	`"uid":{{printf "%q" .uid}}{{if .blockOwnerDeletion}},"blockOwnerDeletion":true{{end}}}{{end}}]{{end}}` +
	`}{{end}}}{{end}}]}`

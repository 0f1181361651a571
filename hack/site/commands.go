package main

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// look is a command that only reads.
type look struct {
	Says, Command string
}

// kubectlType is the type as kubectl takes it, or a word that stands for it.
func (e entry) kubectlType() string {
	for _, kind := range e.Kinds {
		if !strings.ContainsAny(kind, "* \t\n`") {
			return strings.ToLower(kind)
		}
	}
	return "TYPE"
}

// Target is an object as why takes it.
func (e entry) Target() string { return e.kubectlType() + "/NAME" }

var exactLabel = regexp.MustCompile(`^[\w./-]+=[\w.-]+$`)

// Looks are the commands with which kubectl shows what the object waits for.
func (e entry) Looks() []look {
	object := fmt.Sprintf("kubectl get %s NAME -n NAMESPACE -o jsonpath='", e.kubectlType())
	all := []look{{
		"Since when it is being deleted, and what holds it",
		object + `{.metadata.deletionTimestamp}{"\n"}{.metadata.finalizers}{"\n"}'`,
	}}
	for _, field := range e.StatusFields {
		if !strings.ContainsAny(field.Path, "'`\n") {
			all = append(all, look{"What it says: " + oneLine(field.Says), object + field.Path + `{"\n"}'`})
		}
	}
	var labels []string
	for _, label := range e.Labels {
		if exactLabel.MatchString(label) {
			labels = append(labels, label)
		}
	}
	if len(labels) > 0 && !e.AlwaysOutside {
		says := "Whether its controller runs"
		if e.MayRunOutside != "" {
			says += ". It may run outside the cluster: " + oneLine(e.MayRunOutside)
		}
		all = append(all, look{says, "kubectl get pods -A -l " + strings.Join(labels, ",")})
	}
	return all
}

// oneLine returns a text that can't end its line or its block of code.
func oneLine(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "`", "'")
}

// web returns a link to a page, or the text alone if it is no address of a page.
func web(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "https" || parsed.Host == "" {
		return literal(address)
	}
	return fmt.Sprintf("[%s](%s)", literal(address), strings.NewReplacer("(", "%28", ")", "%29").Replace(parsed.String()))
}

package main

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// manifests are what the manifests, charts and templates of a tree say.
type manifests struct {
	// workloads are KIND/NAME as they are written, which may be a template, and the files that have them.
	workloads map[string]string
	// prefixes are the namePrefixes of kustomizations, and none.
	prefixes []string
	// charts are the names of Helm charts.
	charts []string
	// words are all that is no blank and no quote.
	words map[string]bool
	// kinds are the ones that definitions define.
	kinds map[string]bool
}

var (
	documents  = regexp.MustCompile(`(?m)^---.*$`)
	kindLine   = regexp.MustCompile(`(?m)^kind:\s*"?([A-Za-z]+)"?\s*$`)
	nameLine   = regexp.MustCompile(`(?m)^metadata:[^\n]*\n(?:(?:[ #{][^\n]*)?\n)*?  name:[ \t]*([^\n]+)`)
	prefixLine = regexp.MustCompile(`(?m)^namePrefix:\s*(\S+)`)
	chartLine  = regexp.MustCompile(`(?m)^name:\s*(\S+)`)
	definedAs  = regexp.MustCompile(`(?m)^    kind:\s*(\S+)`)
	template   = regexp.MustCompile(`\{\{.*?\}\}`)
)

// readManifests reads all that is no Go.
func readManifests(t *tree) *manifests {
	m := &manifests{
		workloads: map[string]string{}, prefixes: []string{""}, words: map[string]bool{}, kinds: map[string]bool{},
	}
	for _, name := range t.texts {
		text, err := t.read(name)
		if err != nil {
			continue // a link that leads nowhere
		}
		for found := range strings.FieldsFuncSeq(text, betweenWords) {
			m.words[found] = true
		}
		switch path.Base(name) {
		case "Chart.yaml":
			m.charts = append(m.charts, groups(chartLine, text)...)
		case "kustomization.yaml", "kustomization.yml":
			m.prefixes = append(m.prefixes, groups(prefixLine, text)...)
		}
		for _, document := range documents.Split(text, -1) {
			m.add(name, document)
		}
	}
	slices.Sort(m.prefixes)
	m.prefixes = slices.Compact(m.prefixes)
	return m
}

// betweenWords reports whether a character ends a word.
func betweenWords(char rune) bool { return strings.ContainsRune(" \t\r\n\"'=,{}[]", char) }

func groups(expression *regexp.Regexp, text string) []string {
	var found []string
	for _, match := range expression.FindAllStringSubmatch(text, 1) {
		found = append(found, strings.Trim(match[1], `"'`))
	}
	return found
}

func (m *manifests) add(file, document string) {
	kind, name := groups(kindLine, document), groups(nameLine, document)
	switch {
	case len(kind) == 0 || len(name) == 0:
	case kind[0] == "CustomResourceDefinition":
		for _, match := range definedAs.FindAllStringSubmatch(document, -1) {
			m.kinds[match[1]] = true
		}
	case slices.Contains([]string{"Deployment", "StatefulSet", "DaemonSet"}, kind[0]):
		m.workloads[kind[0]+"/"+name[0]] = file
	}
}

// workload returns the file with a workload, as KIND/NAME in which * stands for any characters. What a template makes
// has the name of a chart, and what the template says beside.
func (m *manifests) workload(wanted string) (file string, found bool) {
	kind, name, _ := strings.Cut(wanted, "/")
	pattern := globbed(name)
	for _, written := range slices.Sorted(maps.Keys(m.workloads)) {
		writtenKind, raw, _ := strings.Cut(written, "/")
		if writtenKind != kind {
			continue
		}
		for _, candidate := range m.names(raw) {
			if pattern.MatchString(candidate) {
				return m.workloads[written], true
			}
		}
	}
	return "", false
}

// names are the ones that a written name may become.
func (m *manifests) names(raw string) []string {
	var names []string
	fills := []string{""}
	if template.MatchString(raw) {
		fills = append(fills, m.charts...)
	}
	for _, prefix := range m.prefixes {
		for _, fill := range fills {
			names = append(names, prefix+strings.Trim(template.ReplaceAllLiteralString(raw, fill), `-"' `))
		}
	}
	return names
}

// globbed is a whole text in which * stands for any characters.
func globbed(glob string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(glob), `\*`, ".*") + "$")
}

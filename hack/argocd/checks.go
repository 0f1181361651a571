package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// check is the health check of a kind.
type check struct {
	// Key is the kind as Argo CD names it: GROUP/KIND, or KIND in the core group; * stands for any characters.
	Key string
	// Resource is the kind as kubectl takes it.
	Resource string
	// Exact are its finalizers by name, and Begins those whose names begin with a text.
	Exact, Begins []finalizer
}

// finalizer is a finalizer's name, or the text that its name begins with, and what is said of it.
type finalizer struct {
	Name, Waits, Risk string
}

// checksOf returns the checks of the kinds that a project's finalizers are known on, sorted. A check has the
// finalizers of other projects, too: Argo CD takes one check for a kind.
func checksOf(set *plugins.Set, all []plugins.Finalizer, project string) (checks []check) {
	var kinds []string
	for _, known := range all {
		if known.Project == project {
			kinds = append(kinds, known.Kinds...)
		}
	}
	slices.Sort(kinds)
	for _, kind := range slices.Compact(kinds) {
		if found := checkOf(set, all, kind); len(found.Exact)+len(found.Begins) > 0 {
			checks = append(checks, found)
		}
	}
	return checks
}

func checkOf(set *plugins.Set, all []plugins.Finalizer, kind string) check {
	found := check{Key: keyOf(kind)}
	if !strings.Contains(kind, "*") {
		found.Resource = strings.ToLower(kind)
	}
	for _, known := range all {
		carries := func(pattern string) bool { return plugins.Match(pattern, kind) }
		if !slices.ContainsFunc(known.Kinds, carries) {
			continue
		}
		for _, name := range known.Names {
			// Another entry may tell more exactly what this name means on this kind.
			if best, _ := set.Find(name, kind); best.Source == known.Source && best.Project == known.Project {
				found.add(finalizer{Name: name, Waits: waits(known), Risk: known.Loses + "."})
			}
		}
	}
	return found
}

// add adds a finalizer. Argo CD gives checks no functions that could match more than how a name begins.
func (c *check) add(said finalizer) {
	begin, globs := strings.CutSuffix(said.Name, "*")
	switch {
	case !globs:
		c.Exact = append(c.Exact, said)
	case !strings.Contains(begin, "*"):
		said.Name = begin
		c.Begins = append(c.Begins, said)
	}
}

// keyOf returns a kind of the catalogue, KIND or KIND.GROUP, as a key of Argo CD. In the catalogue, * may stand for a
// part of the group, too.
func keyOf(kind string) string {
	kind, group, grouped := strings.Cut(kind, ".")
	switch {
	case !grouped:
		return kind
	case kind == "*":
		return "*" + group + "/*"
	}
	return group + "/" + kind
}

func waits(known plugins.Finalizer) string {
	text := fmt.Sprintf("%s removes it when %s.", known.RemovedBy, known.WaitsFor)
	if doubt := known.Verified.Doubt(); doubt != "" {
		text = fmt.Sprintf("%s removes it when %s (%s).", known.RemovedBy, known.WaitsFor, doubt)
	}
	return text
}

// bundled lists the kinds that have a health check in Argo CD.
//
//go:embed bundled.txt
var bundled string

// isBundled reports whether Argo CD has a health check of its own for a kind, or for one that a glob stands for.
func isBundled(key string) bool {
	if !strings.Contains(key, "/") {
		key = "/" + key
	}
	for line := range strings.Lines(bundled) {
		if own := strings.ReplaceAll(strings.TrimSpace(line), "_", "*"); !strings.HasPrefix(own, "#") && meet(own, key) {
			return true
		}
	}
	return false
}

// meet reports whether a text fits both of two patterns in which * stands for any characters.
func meet(a, b string) bool {
	switch {
	case a == "" && b == "":
		return true
	case strings.HasPrefix(a, "*"):
		return meet(a[1:], b) || b != "" && meet(a, b[1:])
	case strings.HasPrefix(b, "*"):
		return meet(b, a)
	}
	return a != "" && b != "" && a[0] == b[0] && meet(a[1:], b[1:])
}

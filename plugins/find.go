package plugins

import (
	"cmp"
	"slices"
	"strings"
)

// Find returns what is known of a finalizer on a kind, given as KIND or KIND.GROUP. A name outranks a
// glob, a longer glob a shorter one; after that a kind outranks a glob, and no kind; after that what
// was read later wins.
func (s *Set) Find(finalizer, kind string) (Finalizer, bool) {
	for _, candidate := range s.Named(finalizer) {
		if _, carries := candidate.onKind(kind); carries {
			return candidate, true
		}
	}
	return Finalizer{}, false
}

// OnKind returns everything that is known to be on a kind, but for what may be on any. It reads
// every file.
func (s *Set) OnKind(kind string) []Finalizer {
	var found []Finalizer
	for _, known := range s.All() {
		if len(known.Kinds) == 0 {
			continue
		}
		if _, carries := known.onKind(kind); carries {
			found = append(found, known)
		}
	}
	return found
}

// All returns everything. It reads every file.
func (s *Set) All() []Finalizer {
	var all []Finalizer
	for _, file := range s.index {
		all = append(all, s.embedded(file.File)...)
	}
	return append(all, s.added...)
}

// exactly is how well a pattern without a glob fits: better than any glob.
const exactly = 1 << 20

func isGlob(pattern string) bool { return strings.Contains(pattern, "*") }

// Match reports whether a pattern, in which * stands for any characters, fits a text as a whole.
func Match(pattern, text string) bool { return match(pattern, text) }

func match(pattern, text string) bool {
	before, after, glob := strings.Cut(pattern, "*")
	if !glob {
		return pattern == text
	}
	rest, fits := strings.CutPrefix(text, before)
	if !fits {
		return false
	}
	for from := 0; from <= len(rest); from++ {
		if match(after, rest[from:]) {
			return true
		}
	}
	return false
}

// MayBeOn reports whether a finalizer is known on a kind, given as KIND or KIND.GROUP in whichever case: KIND alone
// fits every group.
func (f Finalizer) MayBeOn(kind string) bool {
	for _, pattern := range f.Kinds {
		first, _, _ := strings.Cut(pattern, ".")
		if match(strings.ToLower(pattern), strings.ToLower(kind)) || !isGlob(first) && strings.EqualFold(first, kind) {
			return true
		}
	}
	return len(f.Kinds) == 0
}

// Observes reports whether a program with this name judges all objects and manages none of them.
func (s *Set) Observes(name string) bool {
	fits := func(pattern string) bool { return match(strings.ToLower(pattern), strings.ToLower(name)) }
	return slices.ContainsFunc(s.observers, fits) || slices.ContainsFunc(s.index, func(file Indexed) bool {
		return slices.ContainsFunc(file.Observers, fits)
	})
}

// Projects returns all files that have finalizers, sorted by project.
func (s *Set) Projects() []Indexed {
	without := func(file Indexed) bool { return len(file.Names) == 0 }
	projects := slices.DeleteFunc(slices.Clone(s.index), without)
	byFile := map[string]int{}
	for _, known := range s.added {
		if _, seen := byFile[known.File]; !seen {
			byFile[known.File] = len(projects)
			projects = append(projects, Indexed{File: known.File, Project: known.Project})
		}
		own := &projects[byFile[known.File]]
		for _, name := range known.Names {
			if !slices.Contains(own.Names, name) {
				own.Names = append(own.Names, name)
			}
		}
	}
	slices.SortStableFunc(projects, func(a, b Indexed) int {
		return cmp.Compare(strings.ToLower(a.Project), strings.ToLower(b.Project))
	})
	return projects
}

// Names returns the names of all finalizers, globs included.
func (s *Set) Names() []string {
	var names []string
	for _, project := range s.Projects() {
		names = append(names, project.Names...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

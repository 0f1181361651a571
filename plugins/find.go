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

// Named returns everything that is known of a finalizer, on whichever kind: what fits best first, and of one file what
// stands first there, which is the most used. What something better is known of on all of its kinds is left out, and
// all globs where the name itself is known.
func (s *Set) Named(finalizer string) []Finalizer {
	var candidates []candidate
	files := 0
	consider := func(known []Finalizer) {
		for i, one := range known {
			if i == 0 || one.File != known[i-1].File {
				files++
			}
			if fit, matches := best(one.Names, finalizer); matches {
				candidates = append(candidates, candidate{one, fit, one.narrowness(), files})
			}
		}
	}
	for _, file := range s.index {
		if _, matches := best(file.Names, finalizer); matches {
			consider(s.embedded(file.File))
		}
	}
	consider(s.added)
	slices.SortStableFunc(candidates, candidate.compare)
	var named []Finalizer
	for _, one := range candidates {
		hidden := one.fit < exactly && candidates[0].fit == exactly
		if !hidden && !one.known.superseded(named) {
			named = append(named, one.known)
		}
	}
	return named
}

// candidate is what may be known of a finalizer, and how well that fits.
type candidate struct {
	known           Finalizer
	fit, narrowness int
	file            int // what was read later is greater
}

// compare puts what fits better first.
func (c candidate) compare(other candidate) int {
	return cmp.Or(
		cmp.Compare(other.fit, c.fit), cmp.Compare(other.narrowness, c.narrowness), cmp.Compare(other.file, c.file),
	)
}

// superseded tells whether better ones are known on all of a finalizer's kinds.
func (f *Finalizer) superseded(better []Finalizer) bool {
	if len(f.Kinds) == 0 {
		return slices.ContainsFunc(better, func(one Finalizer) bool { return len(one.Kinds) == 0 })
	}
	return !slices.ContainsFunc(f.Kinds, func(kind string) bool {
		return !slices.ContainsFunc(better, func(one Finalizer) bool {
			_, carries := one.onKind(kind)
			return carries
		})
	})
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

func (f *Finalizer) onKind(kind string) (int, bool) {
	if len(f.Kinds) == 0 {
		return 0, true
	}
	return best(f.Kinds, kind)
}

// narrowness says how narrow the kinds are that a finalizer is known on.
func (f *Finalizer) narrowness() int {
	switch {
	case len(f.Kinds) == 0:
		return 0
	case slices.ContainsFunc(f.Kinds, isGlob):
		return 1
	}
	return 2
}

// exactly is how well a pattern without a glob fits: better than any glob.
const exactly = 1 << 20

// best returns how well the best of several patterns fits.
func best(patterns []string, text string) (fit int, matches bool) {
	for _, pattern := range patterns {
		if !match(pattern, text) {
			continue
		}
		matches = true
		if !isGlob(pattern) {
			return exactly, true
		}
		fit = max(fit, len(strings.ReplaceAll(pattern, "*", "")))
	}
	return fit, matches
}

func isGlob(pattern string) bool { return strings.Contains(pattern, "*") }

// Match tells whether a pattern, in which * stands for any characters, fits a text as a whole.
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

// MayBeOn tells whether a finalizer is known on a kind, given as KIND or KIND.GROUP in whichever
// case: KIND alone fits every group.
func (f Finalizer) MayBeOn(kind string) bool {
	for _, pattern := range f.Kinds {
		first, _, _ := strings.Cut(pattern, ".")
		if match(strings.ToLower(pattern), strings.ToLower(kind)) || !isGlob(first) && strings.EqualFold(first, kind) {
			return true
		}
	}
	return len(f.Kinds) == 0
}

// Observes tells whether a program of some name judges everybody's objects and looks after none of them.
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

package plugins

import (
	"cmp"
	"slices"
	"strings"
)

// Named returns everything that is known about a finalizer, on any kind. The best match is first; within one file, the
// first entry, which is the most used. An entry is left out if better ones are known on all of its kinds. Globs are
// left out if the name itself is known.
func (s *Set) Named(finalizer string) []Finalizer {
	var candidates []candidate
	files := 0
	consider := func(known []Finalizer) {
		for i, entry := range known {
			if i == 0 || entry.File != known[i-1].File {
				files++
			}
			if fit, matches := best(entry.Names, finalizer); matches {
				candidates = append(candidates, candidate{entry, fit, entry.narrowness(), files})
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

// superseded reports whether better ones are known on all of a finalizer's kinds.
func (f *Finalizer) superseded(better []Finalizer) bool {
	if len(f.Kinds) == 0 {
		return slices.ContainsFunc(better, func(finalizer Finalizer) bool { return len(finalizer.Kinds) == 0 })
	}
	return !slices.ContainsFunc(f.Kinds, func(kind string) bool {
		return !slices.ContainsFunc(better, func(finalizer Finalizer) bool {
			_, carries := finalizer.onKind(kind)
			return carries
		})
	})
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

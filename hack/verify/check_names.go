package main

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// checkSymbol asks whether a constant, as FOLDER.NAME, has a name of the finalizer, and whether it is used as one.
func checkSymbol(ctx context.Context, s *source, f plugins.Finalizer, symbol string) (outcome, string) {
	cut := strings.LastIndex(symbol, ".")
	if cut < 0 {
		return drifted, "it is no FOLDER.NAME"
	}
	folder, name := path.Clean(symbol[:cut]), symbol[cut+1:]
	texts := s.strings(ctx, folder, name)
	switch {
	case len(s.values[folder][name]) == 0:
		return drifted, "there is no such constant"
	case len(texts) == 0:
		return notCheckable, "its value is computed"
	case !slices.ContainsFunc(texts, func(text string) bool { return named(f, text) }):
		return drifted, fmt.Sprintf("its value is %q", texts[0])
	}
	return held, ""
}

func named(f plugins.Finalizer, text string) bool {
	return slices.ContainsFunc(f.Names, func(name string) bool { return globbed(name).MatchString(text) })
}

// checkName asks whether a constant or a string has the name.
func checkName(ctx context.Context, s *source, f plugins.Finalizer, name string) (outcome, string) {
	pattern := globbed(name)
	for _, symbol := range f.Symbols {
		cut := max(strings.LastIndex(symbol, "."))
		texts := s.strings(ctx, path.Clean(symbol[:cut]), strings.TrimPrefix(symbol[cut:], "."))
		if slices.ContainsFunc(texts, pattern.MatchString) {
			return held, ""
		}
	}
	if _, is := s.literals[name]; is {
		return held, ""
	}
	for text := range s.literals {
		if strings.Contains(name, "*") && pattern.MatchString(text) && len(text) > 3 {
			return held, ""
		}
	}
	switch {
	case strings.Contains(name, "*"):
		return notCheckable, "the name is a pattern, and is computed"
	case len(s.symbolsOf(ctx, name)) > 0, s.formatted(name):
		return held, ""
	case s.hasPart(name):
		return notCheckable, "the name is made of strings, and one of them isn't in the module"
	}
	return s.inRequired(ctx, name)
}

// verbs are the places in a format that are filled.
var verbs = regexp.MustCompile(`%[sv]`)

// fewestFixed is how many letters of a name a format must have by itself: "%s.%s" makes any.
const fewestFixed = 8

// formatted reports whether a format of the module makes the name.
func (s *goSource) formatted(name string) bool {
	for text := range s.literals {
		if !verbs.MatchString(text) || len(verbs.ReplaceAllString(text, "")) < fewestFixed {
			continue
		}
		if globbed(verbs.ReplaceAllString(text, "*")).MatchString(name) {
			return true
		}
	}
	return false
}

// hasPart reports whether what is before or behind a dot or slash of the name is a string of the module.
func (s *goSource) hasPart(name string) bool {
	for i, char := range name {
		if char != '.' && char != '/' {
			continue
		}
		for _, part := range []string{name[:i], name[:i+1], name[i:], name[i+1:]} {
			if _, is := s.literals[part]; is && len(part) >= fewestFixed {
				return true
			}
		}
	}
	return false
}

// symbolsOf are the constants and variables with a value, as FOLDER.NAME, the ones that are used as finalizers first.
func (s *goSource) symbolsOf(ctx context.Context, text string) []string {
	if s.symbols == nil {
		s.symbols = map[string][]string{}
		for folder, values := range s.values {
			for name := range values {
				for _, text := range s.strings(ctx, folder, name) {
					s.symbols[text] = append(s.symbols[text], folder+"."+name)
				}
			}
		}
	}
	found := s.symbols[text]
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.unused(a), s.unused(b)), cmp.Compare(a, b))
	})
	return slices.Compact(found)
}

// unused is 1 for a symbol that neither its name nor its use says to be a finalizer.
func (s *goSource) unused(symbol string) int {
	name := symbol[strings.LastIndex(symbol, ".")+1:]
	if s.finalized[name] || strings.Contains(strings.ToLower(name), "finalize") {
		return 0
	}
	return 1
}

package statuses

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// inOtherFields are the sentences that a status has in fields of any name, also in other languages, and the exit codes
// in it that aren't 0: where nothing else does, they may show why an object stays. Only what was written since the
// deletion counts, since these fields may be about anything.
func inOtherFields(status map[string]any, context statusContext) (said []Report) {
	var walk func(path, top string, value any)
	say := func(path, top, words string) {
		own, by := context.of("f:" + top)
		if one := own.report(path, words); one.Seen && !bygone(path) {
			one.By = by
			said = append(said, one)
		}
	}
	walk = func(path, top string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(value)) {
				below := top
				if below == "" {
					below = key
				}
				if code, is := amount(value[key]); is && code != 0 && exitCode(key) {
					say(path+"."+key, below, key+": "+fmt.Sprint(value[key]))
				}
				walk(path+"."+key, below, value[key])
			}
		case []any:
			for i, inside := range value {
				walk(fmt.Sprintf("%s[%d]", path, i), top, inside)
			}
		case string:
			if isSentence(path, value) {
				say(path, top, value)
			}
		}
	}
	walk("status", "", status)
	return said
}

// remoteErrors are the errors of gRPC in fields of any name: their form shows what they are. What conditions say has
// readers of its own, which know what a condition is about.
func remoteErrors(status map[string]any, context statusContext) []Report {
	found := slices.DeleteFunc(inOtherFields(status, context), func(one Report) bool {
		return strings.HasPrefix(one.Where, "status.conditions") || !strings.Contains(one.Words, "rpc error: code = ") ||
			JudgeAbout(one.Words, context.names...) != Trouble
	})
	for i := range found {
		found[i].Loose = true
	}
	return found
}

// exitCode reports whether a field is for the code with which a program has ended.
func exitCode(field string) bool {
	return slices.Contains([]string{"exit code", "return code", "rc", "exit status"}, strings.Join(wordsOf(field), " "))
}

// isSentence reports whether a text says something: it has three words, or two in a field for errors, in the languages
// in which that begins so.
func isSentence(path, said string) bool {
	words := slices.DeleteFunc(strings.Fields(said), func(word string) bool {
		return !strings.ContainsFunc(word, unicode.IsLetter)
	})
	ofErrors := slices.ContainsFunc(wordsOf(path), func(word string) bool {
		return strings.HasPrefix(word, "err") || strings.HasPrefix(word, "fehl")
	})
	return len(words) > 2 || len(words) == 2 && ofErrors
}

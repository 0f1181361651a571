package statuses

import (
	"cmp"
	"encoding/json"
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
	say := func(path, top, words string) {
		own, by := context.of("f:" + top)
		if one := own.report(path, words); one.Seen && !bygone(path) {
			one.By = by
			said = append(said, one)
		}
	}
	eachField(status, func(path, top, key string, value any) {
		if code, is := amount(value); is && code != 0 && exitCode(key) {
			say(path, top, key+": "+fmt.Sprint(value))
		}
		if text, is := value.(string); is && asJSON(text) == nil && isSentence(path, text) {
			say(path, top, text)
		}
	})
	return said
}

// eachField visits all that is in a status, in a sorted order: each field, each item of a list, which has no key, and
// what is written as JSON in a text. top is the status' own field that it is in.
func eachField(status map[string]any, visit func(path, top, key string, value any)) {
	var walk func(path, top, key string, value any)
	walk = func(path, top, key string, value any) {
		visit(path, top, key, value)
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				walk(path+"."+name, cmp.Or(top, name), name, value[name])
			}
		case []any:
			for i, inside := range value {
				walk(fmt.Sprintf("%s[%d]", path, i), top, "", inside)
			}
		case string:
			if inside := asJSON(value); inside != nil {
				walk(path, top, "", inside)
			}
		}
	}
	walk("status", "", "", status)
}

// asJSON is an object that is written as JSON in a text, as in result: '{"error": "bucket is locked"}'; else nil.
func asJSON(text string) (object map[string]any) {
	if !strings.HasPrefix(text, "{") || json.Unmarshal([]byte(text), &object) != nil {
		return nil
	}
	return object
}

// errorsWithin are the errors anywhere in a status: those of gRPC, whose form shows what they are, in fields of any
// name, and others in fields for errors. What conditions say has readers of its own, which know what a condition is
// about.
func errorsWithin(status map[string]any, context statusContext) []Report {
	found := slices.DeleteFunc(inOtherFields(status, context), func(one Report) bool {
		return strings.HasPrefix(one.Where, "status.conditions") || !isError(one, context.names)
	})
	for i := range found {
		found[i].Loose = true
	}
	return found
}

func isError(said Report, names []string) bool {
	if strings.Contains(said.Words, "rpc error: code = ") {
		return JudgeAbout(said.Words, names...) == Trouble
	}
	field, _, _ := strings.Cut(said.Where[strings.LastIndex(said.Where, ".")+1:], "[")
	return slices.Contains(errorFields(), field) && !past(said.Words) &&
		Judge(field+": "+withoutNames(said.Words, names...)) == Trouble
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

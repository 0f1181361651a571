package logs

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// LoggedName is the name of an object in logs.
type LoggedName struct {
	Kind, Namespace, Name, UID string
}

// In reports whether a line of a log names the object: by its uid, by NAMESPACE/NAME, or by its name as a whole, which
// is no part of another name, and isn't said to be in another namespace or of another kind. A name that may be any word
// counts only where something marks it as a name: web in name=web, "web" or database web, and not in "no web proxy".
func (n LoggedName) In(line string) bool {
	if n.UID != "" && strings.Contains(line, n.UID) {
		return true
	}
	if n.Name == "" || !strings.Contains(line, n.Name) {
		return false
	}
	for from := 0; ; {
		at := strings.Index(line[from:], n.Name)
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(n.Name)
		if wholeName(line, start, end) && n.meant(line, start, end) {
			return true
		}
		from = start + 1
	}
}

// meant reports whether a whole name in a line is the object's.
func (n LoggedName) meant(line string, start, end int) bool {
	before, after := line[:start], line[end:]
	path, inPath := strings.CutSuffix(before, "/")
	whose := lastName(path)
	switch {
	case inPath && n.Namespace != "" && whose == n.Namespace:
		return true
	case inPath:
		return n.kindWord(whose) && !n.elsewhere(line)
	case strings.HasPrefix(after, "/") && len(after) > 1 && nameByte(after[1]):
		return false // a namespace or a kind, if something else of it is named
	case keyOfNamespace().MatchString(before):
		return n.Kind == "Namespace"
	}
	return (!anyWord(n.Name) || n.marked(before)) && !n.elsewhere(line)
}

// marked reports whether what is before a word says that it is a name: a quotation mark, an equals sign, its kind.
func (n LoggedName) marked(before string) bool {
	if strings.HasSuffix(before, "=") || strings.HasSuffix(before, `"`) || strings.HasSuffix(before, "'") {
		return true
	}
	words := strings.Fields(before)
	return len(words) > 0 && strings.HasSuffix(before, " ") && n.kindWord(strings.Trim(words[len(words)-1], `"':`))
}

// kindWord reports whether a word stands for the object's kind, in the singular or the plural: Database, databases.
func (n LoggedName) kindWord(word string) bool {
	kind, word := strings.ToLower(n.Kind), strings.ToLower(word)
	word, _, _ = strings.Cut(word, ".") // databases.shop.example.com
	forms := []string{kind, kind + "s", kind + "es", strings.TrimSuffix(kind, "y") + "ies"}
	return kind != "" && slices.Contains(forms, word)
}

// elsewhere reports whether a line says of what it names that it is in another namespace.
func (n LoggedName) elsewhere(line string) bool {
	named := namedNamespace().FindAllStringSubmatch(line, -1)
	return n.Namespace != "" && len(named) > 0 && !slices.ContainsFunc(named, func(match []string) bool {
		return match[1] == n.Namespace
	})
}

// keyOfNamespace is what is before a namespace's name, and namedNamespace is that with the name.
var (
	keyOfNamespace = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)namespaces?\\?["']?\s*[:=/]?\s*\\?["']?$`)
	})
	namedNamespace = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)namespaces?\\?["']?\s*[:=/]\s*\\?["']?([a-z0-9][a-z0-9-]*)`)
	})
)

// wholeName reports whether a part of a line is a complete name of Kubernetes, with no more of the name before or
// behind it. A dot may end a sentence.
func wholeName(line string, start, end int) bool {
	switch {
	case start > 0 && nameByte(line[start-1]), end < len(line) && nameByte(line[end]):
		return false
	case start > 1 && line[start-1] == '.' && nameByte(line[start-2]):
		return false
	}
	return end+1 >= len(line) || line[end] != '.' || !nameByte(line[end+1])
}

func nameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '_'
}

// lastName is the name with which a text ends.
func lastName(text string) string {
	start := len(text)
	for start > 0 && (nameByte(text[start-1]) || text[start-1] == '.') {
		start--
	}
	return text[start:]
}

// anyWord reports whether a name may be any word of a sentence: it is made of letters alone.
func anyWord(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' })
}

package finding

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"text/template"

	"sigs.k8s.io/yaml"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
)

//go:embed texts/*.yaml
var textFiles embed.FS

// texts are all sentences of the program about the cluster, by situation and form. They are read once.
var texts = sync.OnceValue(func() *sentences {
	all, err := readTexts(textFiles)
	if err != nil {
		panic(err) // they are part of the program, and TestTexts reads them
	}
	return all
})

// sentences are the texts, and what else is declared beside them.
type sentences struct {
	*template.Template
	traits map[string]string
}

// readTexts reads the maps of situations to forms to templates, and to traits. It fails at what is no template, is no
// value of a trait, or is twice.
func readTexts(files fs.FS) (*sentences, error) {
	all := &sentences{traits: map[string]string{},
		Template: template.New("texts").Option("missingkey=error").Funcs(textFunctions())}
	names, err := fs.Glob(files, "texts/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		var situations map[string]map[string]string
		if err := yaml.UnmarshalStrict(data, &situations); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for situation, forms := range situations {
			for form, text := range forms {
				if err := all.add(textKey(situation, form), form, strings.TrimSpace(text)); err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	return all, nil
}

func (s *sentences) add(key, form, text string) error {
	allowed, isTrait := traitValues()[form]
	unknown := func(value string) bool { return !slices.Contains(allowed, value) }
	switch {
	case s.Lookup(key) != nil || s.traits[key] != "":
		return fmt.Errorf("%s is there twice", key)
	case isTrait && slices.ContainsFunc(values(text), unknown):
		return fmt.Errorf("%s is %q, and not one of %s", key, text, strings.Join(allowed, ", "))
	case isTrait, IsCase(form):
		s.traits[key] = text
		return nil
	}
	_, err := s.New(key).Parse("{{with .Details}}" + text + "{{end}}") // the dot is the details, $ is the sentence
	return err
}

// values are the values of a trait.
func values(text string) []string { return strings.Fields(text) }

func textKey(situation, form string) string { return situation + "." + form }

func hasText(situation, form string) bool { return texts().Lookup(textKey(situation, form)) != nil }

// textFunctions are what texts can call beside the methods of a sentence.
func textFunctions() template.FuncMap {
	return template.FuncMap{
		"quote":    marked,
		"told":     told,
		"glimpse":  Glimpse,
		"some":     func(few int, names []string) string { return Some(names, few) },
		"many":     manyKinds,
		"few":      Few,
		"fewAnd":   FewAnd,
		"numbered": numbered,
		"join":     func(between string, names []string) string { return strings.Join(names, between) },
		"and":      And,
		"listed":   Listed,
		"either":   func(yes bool, text, other string) string { return map[bool]string{true: text, false: other}[yes] },
		"plural":   Plural,
		"lower":    lowerFirst,
		"upper":    upperFirst,
		"number":   Number,
		"minus":    func(all, others int) int { return all - others },
		"seconds":  seconds,
		"holds":    holdNames,
	}
}

// Each returns what a function makes of each of several things. It is never nil.
func Each[T, R any](things []T, makes func(T) R) []R {
	made := make([]R, len(things))
	for i, thing := range things {
		made[i] = makes(thing)
	}
	return made
}

// Quoted puts the words of another program into quotation marks.
func Quoted(words string) string { return `"` + strings.TrimSpace(words) + `"` }

// Glimpse quotes the beginning of a quotation that is complete elsewhere in the answer. Nothing is left out of their
// middle: what is left could say the opposite. Credentials go before it is cut: half of one isn't recognized. Nor may
// the cut make one: "secret: Secret" is none before a name, and looks like one at the end.
func Glimpse(words string) string {
	const most = 160
	runes := []rune(strings.TrimSpace(words))
	if len(runes) > most {
		words = credential.Clean(words)
		runes = []rune(strings.TrimSpace(words))
	}
	if len(runes) <= most {
		return Quoted(words)
	}
	begin := string(runes[:most])
	for blank := strings.LastIndexByte(begin, ' '); blank > 0; blank = strings.LastIndexByte(begin, ' ') {
		if begin = begin[:blank]; !credential.Has(Quoted(begin + " …")) {
			break
		}
	}
	return Quoted(begin + " …")
}

// Some returns the first few of several names, and how many more there are.
func Some(names []string, few int) string {
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// Listed names all of a few, or the first few and how many more there are.
func Listed(few int, names []string) string {
	if len(names) > few {
		return Some(names, few)
	}
	return And(names)
}

// Few is Some, which leaves no single one out.
func Few(few int, names []string) string {
	if len(names) == few+1 {
		few++
	}
	return Some(names, few)
}

// FewAnd is Few within a sentence: a, b and c.
func FewAnd(few int, names []string) string {
	if len(names) <= few+1 {
		return And(names)
	}
	return Some(names, few)
}

// ByColons joins the texts that are not empty by colons: condition Ready is False: KubeletNotReady.
func ByColons(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), ": ")
}

// And joins names: a, b and c.
func And(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// AndClauses lists clauses with a verb each: a is, and b is; a is, b is, and c is.
func AndClauses(clauses []string) string {
	last := len(clauses) - 1
	if last < 1 {
		return And(clauses)
	}
	return strings.Join(clauses[:last], ", ") + ", and " + clauses[last]
}

// Plural writes how many there are of something: 1 object, 2 objects, 3 Policies.
func Plural(count int, noun string) string {
	if count == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", count, plural(noun))
}

// plural is the plural of a noun, or of a kind. A kind that ends in a single s is one already: Endpoints.
func plural(noun string) string {
	ends := func(suffixes ...string) bool {
		return slices.ContainsFunc(suffixes, func(suffix string) bool { return strings.HasSuffix(noun, suffix) })
	}
	switch {
	case ends("ss", "x", "ch", "sh"):
		return noun + "es"
	case ends("s"):
		return noun
	case ends("y") && !ends("ay", "ey", "oy", "uy"):
		return strings.TrimSuffix(noun, "y") + "ies"
	}
	return noun + "s"
}

// Number is a count in words, where that is a word that people write.
func Number(count int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
	if count < 0 || count >= len(words) {
		return fmt.Sprint(count)
	}
	return words[count]
}

func lowerFirst(text string) string {
	first := min(1, len(text))
	return strings.ToLower(text[:first]) + text[first:]
}

func upperFirst(text string) string {
	first := min(1, len(text))
	return strings.ToUpper(text[:first]) + text[first:]
}

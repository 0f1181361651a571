package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

// collect returns everything that people read, of a repository: its pages, the sentences of findings, the words of the
// catalogue, the golden files, comments of roles and of Go files, and the help. Pages that are generated from these are
// left out.
func collect(repository fs.FS) ([]passage, error) {
	all := helpOf(cli.Command())
	err := fs.WalkDir(repository, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains([]string{".git", "bin", "dist", "node_modules", "docs/reference"}, path) {
				return fs.SkipDir
			}
			return nil
		}
		read := readerOf(path)
		if read == nil {
			return nil
		}
		data, err := fs.ReadFile(repository, path)
		if err != nil {
			return err
		}
		found, err := read(path, strings.ReplaceAll(string(data), "\r\n", "\n"))
		all = append(all, found...)
		return err
	})
	return all, err
}

// readerOf chooses how a file is taken apart; nil means that people don't read it.
func readerOf(path string) func(path, text string) ([]passage, error) {
	folder, extension := filepath.ToSlash(filepath.Dir(path)), filepath.Ext(path)
	switch {
	case extension == ".go":
		return comments
	case path == "CHANGELOG.md":
		return unreleased
	case extension == ".md" && slices.Contains([]string{".", "docs", "docs/decisions", "krew"}, folder):
		return page
	case extension == ".yaml" && folder == "pkg/finding/texts":
		return values
	case extension == ".yaml" && folder == "plugins":
		return prose
	case extension == ".yaml" && folder == "docs/rbac":
		return yamlComments
	case strings.HasPrefix(folder, "pkg/diagnosis/testdata/human"):
		return answers
	}
	return nil
}

// helpOf returns the help of a command and of all below it: its texts and the usage of its flags.
func helpOf(command *cobra.Command) []passage {
	source := "help: " + command.CommandPath()
	all := []passage{
		{source, 1, command.Short}, {source, 1, command.Long}, {source, 1, command.Example},
	}
	command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
		all = append(all, passage{source + " --" + flag.Name, 1, flag.Usage})
	})
	for _, below := range command.Commands() {
		all = append(all, helpOf(below)...)
	}
	return all
}

// comments returns the comments of a Go file, without their slashes. Lines of code in them, which are indented,
// directives, and the declared name that a comment begins with are left out.
func comments(path, text string) ([]passage, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	declared := map[string]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		if name, is := node.(*ast.Ident); is {
			declared[name.Name] = true
		}
		return true
	})
	var all []passage
	for _, group := range file.Comments {
		text := commentText(group)
		if name, rest, found := strings.Cut(text, " "); found && declared[name] {
			text = " " + rest
		}
		all = append(all, passage{path, files.Position(group.Pos()).Line, text})
	}
	return all, nil
}

func commentText(group *ast.CommentGroup) string {
	var lines []string
	for _, comment := range group.List {
		for _, line := range strings.Split(comment.Text, "\n") {
			line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(line, "//"), "/*"), "*/")
			if strings.HasPrefix(line, "\t") || strings.HasPrefix(comment.Text, "//go:") {
				line = ""
			}
			lines = append(lines, strings.TrimPrefix(line, " "))
		}
	}
	return withoutCode(strings.Join(lines, "\n"))
}

// page returns a page of Markdown in one piece. Names of fields and commands in it are left out; the answers that
// `make transcripts` writes are a source of their own.
func page(path, text string) ([]passage, error) {
	var all []passage
	transcripts := regexp.MustCompile("(?s)<!-- transcript: [^\n]+ -->\n```\n.*?\n```\n")
	text = transcripts.ReplaceAllStringFunc(text, func(answer string) string {
		all = append(all, passage{path + " (transcripts)", 1, answer})
		return strings.Repeat("\n", strings.Count(answer, "\n"))
	})
	return append(all, passage{path, 1, withoutCode(text)}), nil
}

// withoutCode blanks what is between backquotes within a paragraph.
func withoutCode(text string) string {
	return regexp.MustCompile("`[^`\n]+(?:\n[^`\n]+)?`").ReplaceAllStringFunc(text, func(code string) string {
		return "`" + strings.Repeat("\n", strings.Count(code, "\n")) + "`"
	})
}

// unreleased returns what the changelog says of the coming version.
func unreleased(path, text string) ([]passage, error) {
	before, after, _ := strings.Cut(text, "\n## Unreleased\n")
	after, _, _ = strings.Cut(after, "\n## ")
	return []passage{{path, strings.Count(before, "\n") + 3, withoutCode(after)}}, nil
}

// values returns the values of a YAML file, its sentences, without the actions of their templates, and its comments.
func values(path, text string) ([]passage, error) {
	return valuesOf(path, text, func(string) bool { return true })
}

// prose returns the comments of a file of the catalogue, and the values of the fields that are words for people: names,
// patterns, expressions and sources are not.
func prose(path, text string) ([]passage, error) {
	return valuesOf(path, text, func(field string) bool {
		return slices.Contains([]string{"addedBy", "removedBy", "mayRunOutside", "waitsFor", "loses", "start",
			"endsWait", "ifRunning", "safeWayOut", "safeWayOutElsewhere", "notes", "says", "because"}, field)
	})
}

// valuesOf returns the comments of a YAML file and, without the actions of their templates, the values of the wanted
// fields.
func valuesOf(path, text string, wanted func(field string) bool) ([]passage, error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, err
	}
	all, err := yamlComments(path, text)
	actions := regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	var walk func(field string, node *yaml.Node)
	walk = func(field string, node *yaml.Node) {
		for i, child := range node.Content {
			if node.Kind != yaml.MappingNode {
				walk(field, child)
			} else if i%2 == 1 {
				walk(node.Content[i-1].Value, child)
			}
		}
		if node.Kind == yaml.ScalarNode && wanted(field) {
			all = append(all, passage{path, node.Line, actions.ReplaceAllString(node.Value, "{{}}")})
		}
	}
	walk("", &document)
	return all, err
}

// yamlComments returns the comments of a YAML file: blocks of lines, and comments after a value.
func yamlComments(path, text string) ([]passage, error) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		before, comment, found := strings.Cut(line, "# ")
		if !found || strings.TrimSpace(before) != "" && !strings.HasSuffix(before, " ") {
			comment = ""
		}
		lines[i] = comment
	}
	return []passage{{path, 1, withoutCode(strings.Join(lines, "\n"))}}, nil
}

// answers returns golden answers without the names of their sections.
func answers(path, text string) ([]passage, error) {
	heading := regexp.MustCompile(`(?m)^-- .* --$`)
	return []passage{{path, 1, heading.ReplaceAllString(text, "")}}, nil
}

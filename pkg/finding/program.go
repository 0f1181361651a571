package finding

import (
	"cmp"
	"path/filepath"
	"strings"
)

// ownName is the executable's name as it is released.
const ownName = "kubectl-finalizers"

// Program is the name of the executable by which this program was called, without folder and .exe: kubectl-terminating.
// The zero value is its own name. Commands that the program offers begin with it.
type Program string

// ProgramAt is the program that was called by a path. The empty path is the program's own name.
func ProgramAt(path string) Program {
	if path == "" {
		return ""
	}
	name := filepath.Base(path)
	if extension := filepath.Ext(name); strings.EqualFold(extension, ".exe") {
		name = strings.TrimSuffix(name, extension)
	}
	return Program(name)
}

// Name is the executable's name, by which shells know it: kubectl-terminating.
func (p Program) Name() string { return cmp.Or(string(p), ownName) }

// String is how people call it: kubectl terminating. A name that doesn't make a plugin of kubectl is as it is.
func (p Program) String() string { return strings.Join(p.words(), " ") }

// Command is a command of this program: kubectl terminating why ….
func (p Program) Command(words ...string) Command { return append(p.words(), words...) }

// words are the first words of the program's commands. kubectl has a word for what dashes in a plugin's file name
// separate, and its words have dashes for underscores (k8s v1.37 kubectl/pkg/cmd/plugin.go:HandlePluginCommand,
// kubectl/pkg/cmd/plugin/plugin_completion.go).
func (p Program) words() Command {
	plugin, is := strings.CutPrefix(p.Name(), "kubectl-")
	if !is || plugin == "" {
		return Command{p.Name()}
	}
	return append(Command{"kubectl"}, Each(strings.Split(plugin, "-"), func(word string) string {
		return strings.ReplaceAll(word, "_", "-")
	})...)
}

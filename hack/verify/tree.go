package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// tree is the source of a module, and of the modules whose folders are inside its own.
type tree struct {
	dir string
	// nested are the folders of modules inside this one that were read from elsewhere, by where they belong.
	nested map[string]string
	// modules are the paths of the modules in the tree, by their folders.
	modules map[string]string
	// required are the versions that the module's go.mod asks for, by path.
	required map[string]string
	goFiles  []string
	texts    []string // manifests, charts and templates
}

// largestText is the largest file that is read, in bytes. Longer manifests are bundles of what others files have.
const largestText = 2 << 20

// openTree finds the files of a module.
func openTree(ctx context.Context, dir string) (*tree, error) {
	t := &tree{dir: dir, nested: map[string]string{}, modules: map[string]string{}, required: map[string]string{}}
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && leftOut(entry.Name()) && file != dir:
			return filepath.SkipDir
		case entry.Type().IsRegular():
			return t.add(ctx, file, entry)
		}
		return nil
	})
	return t, err
}

// leftOut reports whether a folder has the source of others, or what only tests read.
func leftOut(name string) bool {
	return name == "vendor" || name == "testdata" || name == "node_modules" || name == ".git"
}

func (t *tree) add(ctx context.Context, file string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil {
		return err
	}
	relative, err := filepath.Rel(t.dir, file)
	if err != nil || info.Size() > largestText {
		return err
	}
	relative = filepath.ToSlash(relative)
	switch ext := path.Ext(relative); {
	case path.Base(relative) == "go.mod":
		t.addModule(ctx, relative)
	case ext == ".go" && !strings.HasSuffix(relative, "_test.go"):
		t.goFiles = append(t.goFiles, relative)
	case ext == ".yaml", ext == ".yml", ext == ".tpl", ext == ".tmpl", ext == ".json":
		t.texts = append(t.texts, relative)
	}
	return nil
}

// addModule reads a go.mod. A template of one is no module.
func (t *tree) addModule(ctx context.Context, file string) {
	name := filepath.Join(t.dir, filepath.FromSlash(file))
	out, err := exec.CommandContext(ctx, "go", "mod", "edit", "-json", name).Output() //nolint:gosec // no shell
	var parsed struct {
		Module  struct{ Path string }
		Require []struct{ Path, Version string }
	}
	if err != nil || json.Unmarshal(out, &parsed) != nil {
		return
	}
	t.modules[path.Dir(file)] = parsed.Module.Path
	for _, require := range parsed.Require {
		t.required[require.Path] = require.Version
	}
}

func (t *tree) read(file string) (string, error) {
	dir, name := t.dir, file
	for folder, nested := range t.nested {
		if rest, inside := strings.CutPrefix(file, folder+"/"); inside {
			dir, name = nested, rest
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	return string(data), err
}

// nest adds the modules that the module requires and that belong inside its own folder: the module proxy has each by
// itself. What it doesn't have stays out.
func (t *tree) nest(ctx context.Context, modules *store, module string) error {
	modulePath, version, _ := strings.Cut(module, "@")
	for _, required := range slices.Sorted(maps.Keys(t.required)) {
		folder, inside := strings.CutPrefix(required, modulePath+"/")
		if _, has := t.modules[folder]; !inside || has || majorOnly.MatchString(folder) {
			continue
		}
		dir, err := modules.dir(ctx, required+"@"+version)
		if err != nil {
			dir, err = modules.dir(ctx, required+"@"+t.required[required])
		}
		if errors.Is(err, errNotServed) {
			continue
		}
		if err != nil {
			return err
		}
		other, err := openTree(ctx, dir)
		if err != nil {
			return err
		}
		t.nested[folder], t.modules[folder] = dir, required
		for _, name := range other.goFiles {
			t.goFiles = append(t.goFiles, folder+"/"+name)
		}
		for _, name := range other.texts {
			t.texts = append(t.texts, folder+"/"+name)
		}
	}
	return nil
}

// majorOnly is the end of the path of another major version.
var majorOnly = regexp.MustCompile(`^v\d+$`)

// folderOf returns the folder in the tree that has a package, if one has.
func (t *tree) folderOf(importPath string) (string, bool) {
	longest, found := "", ""
	for folder, module := range t.modules {
		rest, inside := strings.CutPrefix(importPath+"/", module+"/")
		if inside && len(module) > len(longest) {
			longest, found = module, path.Join(folder, strings.TrimSuffix(rest, "/"))
		}
	}
	return found, longest != ""
}

// errNotServed says that the module proxy doesn't have a module, or that its Go is newer than the one that runs.
var errNotServed = errors.New("the module proxy doesn't have it, or it needs a newer Go")

// store finds modules: in a folder that has some, by their paths, or else at the module proxy.
type store struct {
	folder string
	// catalogued are the paths of the modules that the catalogue names.
	catalogued []string
	// strings are those of modules that others require, once they were needed.
	strings map[string]map[string]string
	mu      sync.Mutex
	known   map[string]string // folders of modules that were asked for, empty for what isn't served
}

// dir returns the folder with the source of a module, as PATH@VERSION.
func (s *store) dir(ctx context.Context, module string) (string, error) {
	modulePath, _, _ := strings.Cut(module, "@")
	if s.folder != "" {
		if dir := filepath.Join(s.folder, filepath.FromSlash(modulePath)); isDir(dir) {
			return dir, nil
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	dir, asked := s.known[module]
	if !asked {
		var err error
		if dir, err = download(ctx, module); err != nil {
			return "", err
		}
		s.known[module] = dir
	}
	if dir == "" {
		return "", fmt.Errorf("%s: %w", module, errNotServed)
	}
	return dir, nil
}

// literals are the strings of a module, and whether it could be read.
func (s *store) literals(ctx context.Context, module string) (found map[string]string, read bool) {
	found, known := s.strings[module]
	if !known {
		if source, _, err := open(ctx, s, module); err == nil && source != nil {
			found = source.literals
		}
		s.strings[module] = found
	}
	return found, found != nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// notServed is how the go command says so.
var notServed = regexp.MustCompile(
	`40[34] |410 Gone|malformed module path|not found|unknown revision|invalid version|requires go >=`)

// download returns the folder of a module's source, or none if the proxy doesn't have it. What this module requires
// doesn't matter.
func download(ctx context.Context, module string) (string, error) {
	nowhere, err := os.MkdirTemp("", "verify-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(nowhere) }()
	command := exec.CommandContext(ctx, "go", "mod", "download", "-json", module) //nolint:gosec // from the catalogue
	command.Dir = nowhere
	out, err := command.Output()
	var answer struct{ Dir, Error string }
	if json.Unmarshal(out, &answer) != nil {
		return "", fmt.Errorf("go mod download %s: %w", module, err)
	}
	if answer.Error != "" && !notServed.MatchString(answer.Error) {
		return "", fmt.Errorf("go mod download %s: %s", module, answer.Error)
	}
	return answer.Dir, nil
}

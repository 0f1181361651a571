package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// program is the packages that read objects, type-checked.
type program struct {
	packages []*checked
	importer types.Importer
	own      map[string]*types.Package // by path: what others import of a package lacks what it keeps to itself
}

type checked struct {
	path  string
	files []*ast.File
	info  *types.Info
}

// listed is a package in the output of go list.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	DepOnly                 bool
}

// load type-checks what is below pkg of the module at dir. What that imports is read as the compiler left it.
func load(dir string) (*program, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,DepOnly", "./pkg/...")
	list.Dir, list.Stderr = dir, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	exports, own := map[string]string{}, []listed{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var one listed
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[one.ImportPath] = one.Export
		if !one.DepOnly && !slices.Contains(notOfRecordings(), one.ImportPath) {
			own = append(own, one)
		}
	}
	files := token.NewFileSet()
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	p := &program{own: map[string]*types.Package{}, importer: importer.ForCompiler(files, "gc", open)}
	for _, one := range own {
		checked, err := p.check(files, one)
		if err != nil {
			return nil, err
		}
		p.packages = append(p.packages, checked)
	}
	return p, nil
}

func (p *program) check(files *token.FileSet, one listed) (*checked, error) {
	c := &checked{path: one.ImportPath, info: &types.Info{
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
		Uses: map[*ast.Ident]types.Object{},
	}}
	for _, name := range one.GoFiles {
		file, err := parser.ParseFile(files, filepath.Join(one.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		c.files = append(c.files, file)
	}
	config := types.Config{Importer: p.importer}
	made, err := config.Check(one.ImportPath, files, c.files, c.info)
	p.own[one.ImportPath] = made
	return c, err
}

// named returns a type by its package and name.
func (p *program) named(full string) (types.Type, error) {
	at := strings.LastIndex(full, ".")
	from := p.own[full[:at]]
	if from == nil {
		var err error
		if from, err = p.importer.Import(full[:at]); err != nil {
			return nil, err
		}
	}
	object := from.Scope().Lookup(full[at+1:])
	if object == nil {
		return nil, fmt.Errorf("there is no type %s any more", full)
	}
	return types.Unalias(object.Type()), nil
}

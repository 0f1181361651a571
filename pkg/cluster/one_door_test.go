package cluster

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// doors are what requests to an API server are made with, and the files that may use it: request.go alone makes paths.
// The others make clients, hand them to it, or let the watch's client make the path of a scope that was checked.
// manifests.go fetches the addresses of -f, which the user types: from no API server, and without credentials.
func doors() map[string][]string {
	return map[string][]string{
		".AbsPath": {"pkg/cluster/request.go"}, ".RequestURI": nil, "rest.NewRequest": nil, "rest.NewRequestWithClient": nil,
		".RESTClient": {
			"pkg/cluster/dry_run.go", "pkg/cluster/identity.go", "pkg/cluster/live.go", "pkg/cluster/token_reviewer.go",
		},
		"http.NewRequest": nil, "http.NewRequestWithContext": {"pkg/cli/manifests.go"},
		"http.Get": nil, "http.Head": nil, "http.Post": nil,
		"http.PostForm": nil, "http.DefaultClient": {"pkg/cli/manifests.go"}, "http.Client": nil, "net.Dial": nil,
		"rest.HTTPClientFor": {"pkg/cluster/live.go"}, "rest.RESTClientFor": nil, "rest.UnversionedRESTClientFor": nil,
		"rest.RESTClientForConfigAndClient": nil, "rest.UnversionedRESTClientForConfigAndClient": nil,
		"import k8s.io/client-go/metadata": {"pkg/cluster/watch.go"},
		"import k8s.io/client-go/dynamic":  nil, "import k8s.io/client-go/kubernetes": nil, "import net/rpc": nil,
		"import k8s.io/cli-runtime/pkg/resource": {"pkg/cli/targets.go"},
	}
}

// TestOneDoor holds that requests are made in one place, which checks their paths: a new one that goes past it fails
// here.
func TestOneDoor(t *testing.T) {
	used := map[string]map[string]bool{}
	for door := range doors() {
		used[door] = map[string]bool{}
	}
	eachFile(t, func(name string, file *ast.File) {
		for _, imported := range file.Imports {
			path, _ := strconv.Unquote(imported.Path.Value)
			if uses, is := used["import "+path]; is {
				uses[name] = true
			}
		}
		ast.Inspect(file, func(node ast.Node) bool {
			selector, is := node.(*ast.SelectorExpr)
			if !is {
				return true
			}
			if uses, is := used["."+selector.Sel.Name]; is {
				uses[name] = true
			}
			if ident, is := selector.X.(*ast.Ident); is && used[ident.Name+"."+selector.Sel.Name] != nil {
				used[ident.Name+"."+selector.Sel.Name][name] = true
			}
			return true
		})
	})
	for door, files := range doors() {
		for file := range used[door] {
			if !slices.Contains(files, file) {
				t.Errorf("%s uses %s. Make requests with request, which checks what their paths are made of", file, door)
			}
		}
		for _, file := range files {
			if !used[door][file] {
				t.Errorf("%s doesn't use %s any more", file, door)
			}
		}
	}
}

// TestSelectorsAreNotGlued holds that what selects objects on the server's side is not put together from values: a
// comma in a name would be a term of its own.
func TestSelectorsAreNotGlued(t *testing.T) {
	glued := 0
	eachFile(t, func(name string, file *ast.File) {
		ast.Inspect(file, func(node ast.Node) bool {
			field, is := node.(*ast.KeyValueExpr)
			if !is {
				return true
			}
			key, is := field.Key.(*ast.Ident)
			if !is || key.Name != "Fields" && key.Name != "Labels" && key.Name != "FieldSelector" {
				return true
			}
			if sum, is := field.Value.(*ast.BinaryExpr); is {
				glued++
				if begin, is := leftmost(sum).(*ast.BasicLit); is && !constant(sum, packagesOf(file)) {
					t.Errorf("%s: %s is %s and something. Use cluster.FieldIs or labels.Set", name, key.Name, begin.Value)
				}
			}
			return true
		})
	})
	if glued == 0 {
		t.Error("no selector is made of several terms: is this still how they are written?")
	}
}

func leftmost(sum ast.Expr) ast.Expr {
	for {
		binary, is := sum.(*ast.BinaryExpr)
		if !is {
			return sum
		}
		sum = binary.X
	}
}

// constant reports whether a sum has only literals and what packages declare.
func constant(sum ast.Expr, packages []string) bool {
	switch part := sum.(type) {
	case *ast.BinaryExpr:
		return constant(part.X, packages) && constant(part.Y, packages)
	case *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		ident, is := part.X.(*ast.Ident)
		return is && slices.Contains(packages, ident.Name)
	}
	return false
}

// packagesOf returns the names that a file has for the packages that it imports.
func packagesOf(file *ast.File) (names []string) {
	for _, imported := range file.Imports {
		path, _ := strconv.Unquote(imported.Path.Value)
		name := path[strings.LastIndex(path, "/")+1:]
		if imported.Name != nil {
			name = imported.Name.Name
		}
		names = append(names, name)
	}
	return names
}

// eachFile parses what the program is made of, without tests.
func eachFile(t *testing.T, visit func(name string, file *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	for _, below := range []string{"cmd", "pkg", "plugins"} {
		err := filepath.WalkDir(filepath.Join(root, below), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			name, _ := filepath.Rel(root, path)
			seen[filepath.Dir(name)] = true
			visit(filepath.ToSlash(name), file)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(seen) < 20 {
		t.Errorf("only these folders were seen: %v", slices.Sorted(maps.Keys(seen)))
	}
}

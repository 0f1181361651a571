// Package sizes holds the code to the sizes in CONTRIBUTING.md.
package sizes

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const mostMethods, mostLinesOfFunction, mostLinesOfFile = 40, 60, 250

// TestSizes counts the methods of receivers, those of embedded types included, and the lines of functions and files.
func TestSizes(t *testing.T) {
	methods, embedded, sizes := map[string]int{}, map[string][]string{}, map[string]int{}
	for _, root := range []string{"pkg", "cmd", "plugins"} {
		err := filepath.WalkDir(filepath.Join("..", "..", root), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}
			name := filepath.ToSlash(strings.TrimPrefix(path, filepath.Join("..", "..")+string(filepath.Separator)))
			if lines := set.Position(file.FileEnd).Line - 1; lines > mostLinesOfFile {
				sizes[name] = lines
			}
			ast.Inspect(file, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.FuncDecl:
					lines := set.Position(node.End()).Line - set.Position(node.Pos()).Line + 1
					if lines > mostLinesOfFunction {
						sizes[name+":"+node.Name.Name] = lines
					}
					if node.Recv != nil {
						methods[typeIn(filepath.Dir(name), node.Recv.List[0].Type)]++
					}
				case *ast.TypeSpec:
					if fields, is := node.Type.(*ast.StructType); is {
						for _, field := range fields.Fields.List {
							if len(field.Names) == 0 {
								text := typeIn(filepath.Dir(name), node.Name)
								embedded[text] = append(embedded[text], typeIn(filepath.Dir(name), field.Type))
							}
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var reach func(receiver string) int
	reach = func(receiver string) int {
		count := methods[receiver]
		for _, inner := range embedded[receiver] {
			count += reach(inner)
		}
		return count
	}
	receivers := map[string]bool{}
	for receiver := range methods {
		receivers[receiver] = true
	}
	for receiver := range embedded {
		receivers[receiver] = true
	}
	for receiver := range receivers {
		if count := reach(receiver); count > mostMethods {
			sizes[receiver] = count
		}
	}
	for what, size := range sizes {
		t.Errorf("%s is too large: %d methods or lines", what, size)
	}
}

// typeIn is the name of a type as written in a package, with the package's folder. One of another package is no
// receiver here.
func typeIn(folder string, written ast.Expr) string {
	switch written := written.(type) {
	case *ast.StarExpr:
		return typeIn(folder, written.X)
	case *ast.IndexExpr:
		return typeIn(folder, written.X)
	case *ast.IndexListExpr:
		return typeIn(folder, written.X)
	case *ast.SelectorExpr:
		return "pkg/" + typeIn("", written.X) + "." + written.Sel.Name
	case *ast.Ident:
		if folder == "" {
			return written.Name
		}
		return filepath.ToSlash(folder) + "." + written.Name
	}
	return ""
}

// TestArchitecture holds docs/architecture.md to the lines that there are, to within a twentieth.
func TestArchitecture(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	err = filepath.WalkDir(filepath.Join("..", "..", "pkg"), func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		lines += bytes.Count(text, []byte("\n"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`about (\d+),000\s+lines`).FindSubmatch(page)
	if said == nil {
		t.Fatal("it doesn't say how many lines there are")
	}
	if thousands, _ := strconv.Atoi(string(said[1])); max(thousands*1000-lines, lines-thousands*1000) > lines/20 {
		t.Errorf("it says %d,000 lines of %d", thousands, lines)
	}
}

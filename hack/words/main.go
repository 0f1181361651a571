// Command words finds the banned words and phrases of banned.txt in what people read: pages, sentences of findings, the
// catalogue, golden files, help, and comments. Run it at the top of the repository:
//
//	go run ./hack/words                 every one, with what to say instead
//	go run ./hack/words pkg/graph docs  only where the source begins so
//	go run ./hack/words -counts         how many there are in each folder
//
// It ends with 1 where it finds any. TestWords holds all sources to it that unrevised.txt doesn't list.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
)

func main() {
	counts := flag.Bool("counts", false, "print how many there are in each folder")
	flag.Parse()
	found, err := search(".", flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
	if *counts {
		printCounts(os.Stdout, found)
	} else {
		for _, one := range found {
			fmt.Println(one)
		}
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// search returns what is banned in the sources of a repository that begin with one of the prefixes, in all if there
// are none.
func search(repository string, prefixes []string) ([]finding, error) {
	rules, err := parseRules(banned)
	if err != nil {
		return nil, err
	}
	passages, err := collect(os.DirFS(repository))
	if err != nil {
		return nil, err
	}
	if len(prefixes) > 0 {
		passages = slices.DeleteFunc(passages, func(p passage) bool { return !beginsWith(p.source, prefixes) })
	}
	return check(passages, rules), nil
}

// beginsWith reports whether a source is one of the prefixes or below it.
func beginsWith(source string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool {
		rest, below := strings.CutPrefix(source, strings.TrimSuffix(prefix, "/"))
		return below && (rest == "" || strings.ContainsAny(rest[:1], "/ :"))
	})
}

func printCounts(to io.Writer, found []finding) {
	counts := map[string]int{}
	for _, one := range found {
		folder := one.source
		if strings.HasSuffix(folder, ".go") || strings.HasPrefix(folder, "pkg/") {
			folder = path.Dir(folder)
		}
		counts[folder]++
	}
	folders := make([]string, 0, len(counts))
	for folder := range counts {
		folders = append(folders, folder)
	}
	slices.Sort(folders)
	for _, folder := range folders {
		fmt.Fprintf(to, "%5d  %s\n", counts[folder], folder)
	}
	fmt.Fprintf(to, "%5d  in all\n", len(found))
}

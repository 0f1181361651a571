// Command reference writes the command reference and the man pages from the commands themselves:
//
//	reference FOLDER
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: reference FOLDER")
		os.Exit(1)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// write puts what pages returns in the place of what is in the folder.
func write(folder string) error {
	all, err := pages(".")
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(filepath.Join(folder, "man"), 0o755)); err != nil {
		return err
	}
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// pages returns the text of each file of the reference, by its name: README.md, one Markdown file per
// command, one man page per command below man/, and details.md. repository is where the source lies.
func pages(repository string) (map[string][]byte, error) {
	root := cli.Command()
	root.DisableAutoGenTag = true // the day on which it was written would change the files every day
	neutral(root)
	situations, err := details(repository)
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{"README.md": contents(root), "details.md": situations}
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if !cmd.IsAvailableCommand() && cmd != root {
			continue
		}
		var markdown, man bytes.Buffer
		if err := doc.GenMarkdown(cmd, &markdown); err != nil {
			return nil, err
		}
		all[fileOf(cmd)] = markdown.Bytes()
		header := &doc.GenManHeader{
			Title: strings.ToUpper(dashed(cmd)), Section: "1", Source: "kubectl-finalizers",
			Manual: "kubectl finalizers",
		}
		if err := doc.GenMan(cmd, header, &man); err != nil {
			return nil, err
		}
		// The third field is the day on which the page was written.
		page := regexp.MustCompile(`(?m)^(\.TH "[^"]*" "[^"]*") "[^"]*"`).ReplaceAll(man.Bytes(), []byte(`$1 ""`))
		all["man/"+dashed(cmd)+".1"] = page
	}
	return all, nil
}

// contents is the page that leads to all the others.
func contents(root *cobra.Command) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out,
		"# Command reference\n\nWritten by `make docs` from the commands themselves; the same pages are in `man/` "+
			"for man(1).\n\n")
	fmt.Fprintf(&out,
		"What the JSON says of each finding: [situations and details](details.md).\n\n| command | does |\n"+
			"|---|---|\n| [%s](%s) | %s |\n", root.CommandPath(), fileOf(root), root.Short)
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			fmt.Fprintf(&out, "| [%s](%s) | %s |\n", cmd.CommandPath(), fileOf(cmd), cmd.Short)
		}
	}
	return out.Bytes()
}

// fileOf is the name that cobra's links between the pages use.
func fileOf(cmd *cobra.Command) string {
	return strings.ReplaceAll(cmd.CommandPath(), " ", "_") + ".md"
}

func dashed(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// neutral takes the home folder of whoever writes the reference out of the defaults, and what KUBECACHEDIR names.
func neutral(root *cobra.Command) {
	home, err := os.UserHomeDir()
	if err != nil || len(home) < 2 {
		return
	}
	root.PersistentFlags().VisitAll(func(flag *pflag.Flag) {
		if flag.Name == "cache-dir" {
			flag.DefValue = "$HOME/.kube/cache"
			return
		}
		flag.DefValue = strings.Replace(filepath.ToSlash(flag.DefValue), filepath.ToSlash(home)+"/", "$HOME/", 1)
	})
}

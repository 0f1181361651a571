package removal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// TestMutatedOnItsWay lets something on the way to storage take off more than was sent.
func TestMutatedOnItsWay(t *testing.T) {
	full := removal.Options{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes"}
	t.Run("the dry run shows it", func(t *testing.T) {
		b := newBench(t, held, full, "configmaps/notes")
		b.writer.told, b.writer.strip = true, "b/y"
		done := b.run(t)
		last := done.Guards[len(done.Guards)-1]
		if written := b.writer.written(); len(written) > 0 || last.Number != 6 || !strings.Contains(last.Why,
			"mutating webhook") {
			t.Errorf("it sent %q: %+v", written, last)
		}
	})
	t.Run("only the write shows it", func(t *testing.T) {
		b := newBench(t, held+"---"+strings.ReplaceAll(held, "notes", "other"), full, "configmaps/notes", "configmaps/other")
		b.writer.told = true
		b.writer.answer = func(what string) error {
			if !strings.HasPrefix(what, "dry run") {
				b.writer.strip = "b/y"
			}
			return nil
		}
		done := b.run(t)
		if written := b.writer.written(); len(written) != 1 || done.Outcome != result.Failed ||
			!strings.Contains(done.Summary, "not as planned") {
			t.Errorf("%s: it sent %q: %s", done.Outcome, written, done.Summary)
		}
	})
}

// TestHostileNames has everything in a name that the API server lets through, and more.
func TestHostileNames(t *testing.T) {
	const name = "x\x1b[2J\u202e rm -rf ~;$(id)'\n..\\é"
	objects := strings.Replace(held, "name: notes", `name: "x\x1b[2J\u202e rm -rf ~;$(id)'\n..\\é"`, 1)
	objects = strings.Replace(objects, "uid: notes-1", `uid: "../../evil"`, 1)
	b := newBench(t, objects, removal.Options{Finalizers: []string{"a/x", "b/y"}, Force: true, BackupDir: t.TempDir()},
		"configmaps/"+name)
	asked := ""
	b.Ask = func(_ context.Context, question string) (string, error) {
		asked = question
		return escape.Text(name), nil // what a person can type
	}
	var shown *result.RemovalReport
	b.Tell = func(plan *removal.Plan) error {
		shown = plan.Shown()
		return nil
	}
	done := b.run(t)
	if done.Outcome != result.Gone || len(b.writer.written()) != 1 {
		t.Fatalf("%s: %s: %q", done.Outcome, done.Summary, b.writer.sent)
	}
	var text strings.Builder
	for _, answer := range []result.Result{result.RemovalPlan{RemovalReport: shown}, done} {
		if err := print.Result(t.Context(), &text, answer, print.FormatHuman, print.Style{}); err != nil {
			t.Fatal(err)
		}
	}
	for where, printed := range map[string]string{"the question": asked, "the report": strings.ReplaceAll(text.String(),
		"\n", " "), "the file's name": filepath.Base(done.Items[0].Backup.Path)} {
		if strings.ContainsAny(printed, "\x1b\u202e\n") {
			t.Errorf("%s reaches the terminal as it is: %q", where, printed)
		}
	}
	files, err := os.ReadDir(b.Options.BackupDir)
	if err != nil || len(files) != 2 || strings.ContainsAny(files[0].Name()+files[1].Name(), " /\\'$;\x1b") {
		t.Errorf("saved as %v: %v", files, err)
	}
	content, err := os.ReadFile(done.Items[0].Backup.Path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(content)) {
		if strings.Contains(line, "\x1b") || strings.HasPrefix(line, "#") && strings.Contains(line, "\u202e") {
			t.Errorf("the file shows it as it is: %q", line)
		}
	}
}

// TestNamesLikeCredentials removes finalizers whose names have the form of a token: guards compare names as they are,
// and the plan shows them.
func TestNamesLikeCredentials(t *testing.T) {
	for _, name := range []string{
		"glpat-abcdefghij0123456789.example.com/cleanup", "backup.platformservices.example.com/cleanup",
		"syncer.configmanagement.gke.io", "x\x1b[2J/hold",
	} {
		objects := strings.ReplaceAll(held, "[a/x, b/y, a/x]", fmt.Sprintf("[%q]", name))
		b := newBench(t, objects, removal.Options{Finalizers: []string{name}, Force: true}, "configmaps/notes")
		b.Ask = func(context.Context, string) (string, error) { return "notes", nil }
		var text strings.Builder
		b.Tell = func(plan *removal.Plan) error {
			plain := result.RemovalPlan{RemovalReport: plan.Shown()}
			return print.Result(t.Context(), &text, plain, print.FormatHuman, print.Style{Width: print.Unwrapped})
		}
		done := b.run(t)
		if done.Outcome != result.Gone || len(b.writer.written()) != 1 {
			t.Errorf("%q: %s: %s: %q", name, done.Outcome, done.Summary, b.writer.sent)
		}
		if shown := escape.Text(name); !strings.Contains(text.String(), shown) {
			t.Errorf("the plan doesn't show %s:\n%s", shown, text.String())
		}
		if got := done.Items[0].Entries[0].Hold.Name; got != name {
			t.Errorf("the report has %q", got)
		}
	}
}

// TestFolders saves into folders of all sorts, or refuses and writes nothing.
func TestFolders(t *testing.T) {
	mode := func(mode os.FileMode) func(*testing.T, string) string {
		return func(t *testing.T, dir string) string {
			folder := filepath.Join(dir, "folder")
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(folder, mode); err != nil {
				t.Fatal(err)
			}
			return folder
		}
	}
	cases := []struct {
		name   string
		folder func(*testing.T, string) string
		says   string // in the refusal; empty for none
	}{
		{"new", func(_ *testing.T, dir string) string { return filepath.Join(dir, "a", "b") }, ""},
		{"readable by everybody", mode(0o755), ""},
		{"writable by everybody", mode(0o777), "anyone can write"},
		{"shared, each their own", mode(0o777 | os.ModeSticky), ""},
		{"a link", func(t *testing.T, dir string) string {
			link := filepath.Join(dir, "link")
			if err := os.Symlink(mode(0o700)(t, dir), link); err != nil {
				t.Fatal(err)
			}
			return link
		}, ""},
		{"a link to nowhere", func(t *testing.T, dir string) string {
			link := filepath.Join(dir, "link")
			if err := os.Symlink(filepath.Join(dir, "nowhere"), link); err != nil {
				t.Fatal(err)
			}
			return link
		}, "could not be saved"},
		{"a file", func(t *testing.T, dir string) string {
			file := filepath.Join(dir, "file")
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return file
		}, "could not be saved"},
		{"taken by links in advance", func(t *testing.T, dir string) string {
			folder := mode(0o700)(t, dir)
			for _, number := range []string{"", "-2"} {
				if err := os.Symlink(filepath.Join(dir, "target"),
					filepath.Join(folder, "20260102T030405Z-configmaps-shop-notes-notes-1"+number+".yaml")); err != nil {
					t.Fatal(err)
				}
			}
			return folder
		}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			b := newBench(t, held, removal.Options{Finalizers: []string{"a/x"}, Force: true, Confirm: "yes",
				BackupDir: c.folder(t, dir)}, "configmaps/notes")
			done := b.run(t)
			if c.says != "" {
				if written := b.writer.written(); len(written) > 0 || !strings.Contains(done.Summary, c.says) {
					t.Errorf("it sent %q: %s", written, done.Summary)
				}
				return
			}
			backup := done.Items[0].Backup
			if backup == nil {
				t.Fatalf("not saved: %s", done.Summary)
			}
			for path, whole := range map[string]bool{backup.Path: true, backup.Create: false} {
				info, err := os.Lstat(path)
				if err != nil || info.Mode() != 0o600 {
					t.Errorf("%s: %v, %v", path, info, err)
				}
				content, err := os.ReadFile(path)
				if err != nil || strings.Contains(string(content), "uid: notes-1") != whole || !strings.Contains(string(content),
					"key: value") {
					t.Errorf("%v:\n%s", err, content)
				}
			}
			if _, err := os.Lstat(filepath.Join(dir, "target")); err == nil {
				t.Error("it wrote through a link")
			}
		})
	}
}

// TestOneObjectTwice plans an object once that is named twice, as two API groups serve it.
func TestOneObjectTwice(t *testing.T) {
	again := strings.Replace(strings.Replace(held, "apiVersion: v1", "apiVersion: apps/v1", 1), "kind: ConfigMap",
		"kind: Deployment", 1)
	b := newBench(t, held+"---"+again, removal.Options{Finalizers: []string{"a/x", "b/y"}, Force: true, Confirm: "yes"},
		"configmaps/notes", "deployments.apps/notes")
	done := b.run(t)
	if len(done.Items) != 1 || len(b.writer.written()) != 1 || done.Outcome != result.Gone {
		t.Errorf("%s: %q", done.Summary, b.writer.written())
	}
}

// TestInterruptedPlan interrupts while the plan is made: that is no refusal, and there is no plan.
func TestInterruptedPlan(t *testing.T) {
	for _, when := range []string{"dry run", "never"} {
		b := newBench(t, held, removal.Options{Finalizers: []string{"a/x", "b/y"}}, "configmaps/notes")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		b.writer.answer = func(what string) error {
			if strings.HasPrefix(what, when) {
				cancel()
				return ctx.Err()
			}
			return nil
		}
		plan, err := b.Plan(ctx, b.targets)
		if interrupted := when == "dry run"; interrupted != errors.Is(err, context.Canceled) || interrupted != (plan == nil) {
			t.Errorf("%s: %v", when, err)
		}
	}
}

// TestInterrupted stops in the middle: what was sent is told, and nothing more is sent.
func TestInterrupted(t *testing.T) {
	objects := strings.ReplaceAll(held, "notes", "one") + "---" + strings.ReplaceAll(held, "notes", "two") + "---" +
		strings.ReplaceAll(held, "notes", "three")
	cases := []struct {
		when     string // what is sent at that moment
		outcomes []result.RemovalOutcome
		written  int
	}{
		{"patch shop/one", []result.RemovalOutcome{result.Gone, result.Failed, result.NotDone}, 1},
		{"dry run: patch shop/two", []result.RemovalOutcome{result.Gone, result.Refused, result.NotDone}, 1},
		{"patch shop/two", []result.RemovalOutcome{result.Gone, result.Gone, result.Failed}, 2},
	}
	for _, c := range cases {
		t.Run(c.when, func(t *testing.T) {
			b := newBench(t, objects, removal.Options{Finalizers: []string{"a/x", "b/y"}, Force: true}, "configmaps/one",
				"configmaps/two", "configmaps/three")
			plan, err := b.planned(t)
			if err != nil {
				t.Fatal(err)
			}
			b.Options.Confirm = plan.Report.Token
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			b.writer.answer = func(what string) error {
				if strings.HasPrefix(what, c.when) {
					cancel()
				}
				return nil
			}
			done := b.Run(ctx, plan)
			var outcomes []result.RemovalOutcome
			for _, item := range done.Items {
				outcomes = append(outcomes, item.Outcome)
			}
			if !slices.Equal(outcomes, c.outcomes) || len(b.writer.written()) != c.written || done.Outcome != result.Failed {
				t.Errorf("%v (%s), and it sent %q: %s", outcomes, done.Outcome, b.writer.written(), done.Summary)
			}
		})
	}
}

package follow

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/follow/followtest"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// drawing is a Screen on a terminal in memory, whose answers are lines.
func drawing(columns, rows int) (*Screen, *followtest.Terminal) {
	terminal := followtest.NewTerminal(columns, rows)
	return &Screen{
		Out: terminal, Size: terminal.Size, Header: "it",
		Print: func(out io.Writer, answer result.Result, style print.Style) error {
			_, err := fmt.Fprintf(out, "%d columns\n\x1b[1m%s\x1b[0m\n", style.Width, answer.(*result.Diagnosis).Summary)
			return err
		},
	}, terminal
}

func saying(text string) *Answer { return &Answer{Result: &result.Diagnosis{Summary: text}} }

func isGoneNow(names ...string) result.Change {
	return result.Change{At: noon, What: result.IsGone, Objects: finding.Each(names, named)}
}

func TestScreen(t *testing.T) {
	screen, terminal := drawing(60, 12)
	first, clock := saying("first"), noon.Local().Format(time.TimeOnly)
	show := func(moment Moment) {
		t.Helper()
		moment.At, moment.Looked = noon, noon.Add(time.Minute)
		if err := screen.Show(moment); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(when string, want ...string) {
		t.Helper()
		looked := noon.Add(time.Minute).Local().Format(time.TimeOnly)
		want = append(want, "Watching it since "+clock+". Last update: "+looked+". To stop,", "press Ctrl-C.")
		if got := terminal.Screen(); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant:\n%s", when, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	_, _ = io.WriteString(terminal, "$ command\r\n")
	show(Moment{Answer: first})
	expect("at first", "60 columns", "first", "")
	_, _, frames, _ := terminal.State()
	show(Moment{Answer: first})
	if _, _, again, _ := terminal.State(); again != frames {
		t.Error("a frame that changes nothing is drawn")
	}
	show(Moment{Answer: first, Changes: []result.Change{isGoneNow("a")}, Progress: result.Progress{Left: 1, Of: 2}})
	expect("one has gone", "60 columns", "first", "", "DONE", "  ✓ "+clock+"  ConfigMap shop/a is gone", "",
		"1 of 2 left")
	show(Moment{Answer: saying("x"), Changes: []result.Change{isGoneNow("b")}})
	expect("two have", "60 columns", "x", "", "DONE", "  ✓ "+clock+"  2 × ConfigMap (shop/a, shop/b) are gone", "")

	long := saying(strings.Repeat("long\n", 40))
	show(Moment{Answer: long})
	if got := terminal.Screen(); len(got) != 12 || !strings.Contains(got[5], "… and 37 more lines, printed") {
		t.Errorf("of what is too long, the beginning is seen and said to be that:\n%s", strings.Join(got, "\n"))
	}
	terminal.Resize(40, 8)
	show(Moment{Answer: long})
	if got := terminal.Screen(); got[0] != "40 columns" || len(got) != 8 ||
		got[6] != "Watching it since "+clock+". Last update:" {
		t.Errorf("a smaller terminal:\n%s", strings.Join(got, "\n"))
	}
	terminal.Resize(5, 2)
	show(Moment{Answer: long})
	if err := screen.Close(TimedOut, Moment{Answer: long}); err != nil {
		t.Fatal(err)
	}
	other, hidden, _, unknown := terminal.State()
	if other || hidden || len(unknown) > 0 {
		t.Errorf("it leaves the other screen: %v, a hidden cursor: %v; it wrote %q", other, hidden, unknown)
	}
	text := terminal.Text()
	if !strings.HasPrefix(text, "$ com") || strings.Count(text, "long") != 40 {
		t.Errorf("the whole answer stands behind the command at the end:\n%s", text)
	}
}

func TestScreenWhenGone(t *testing.T) {
	screen, terminal := drawing(80, 24)
	answer := saying("first")
	if err := screen.Show(Moment{At: noon, Answer: answer}); err != nil {
		t.Fatal(err)
	}
	if err := screen.Close(Gone, Moment{At: noon, Answer: answer, Changes: []result.Change{isGoneNow("a")}}); err != nil {
		t.Fatal(err)
	}
	if text := terminal.Text(); text != "DONE\n  ✓ "+noon.Local().Format(time.TimeOnly)+"  ConfigMap shop/a is gone" {
		t.Errorf("of what has gone, what was done is left:\n%s", text)
	}
}

// TestScreenInShort shows an answer that doesn't fit in short, with nothing of a sentence cut off, and whole again when
// the terminal grows.
func TestScreenInShort(t *testing.T) {
	screen, terminal := drawing(60, 12)
	screen.Brief = func(out io.Writer, _ result.Result, _ print.Style) error {
		_, err := fmt.Fprintln(out, "the sentence\n  -> the step")
		return err
	}
	long := saying(strings.Repeat("long\n", 20))
	for _, c := range []struct {
		rows  int
		first string
		has   string
	}{
		{12, "the sentence", "… in short; the whole answer has 22 lines, printed"},
		{40, "60 columns", "long"},
		{5, "the sentence", "  -> the step"},
		{4, "the sentence", "… in short; the whole answer has 22 lines, printed"},
	} {
		terminal.Resize(60, c.rows)
		if err := screen.Show(Moment{At: noon, Looked: noon, Answer: long}); err != nil {
			t.Fatal(err)
		}
		got := terminal.Screen()
		if got[0] != c.first || !strings.Contains(strings.Join(got, "\n"), c.has) {
			t.Errorf("%d rows:\n%s", c.rows, strings.Join(got, "\n"))
		}
	}
}

// TestRows fills rows to their last column, in which terminals behave strangely.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"1234", []string{"1234"}},
		{"12345", []string{"1234", "5"}},
		{"12345678", []string{"1234", "5678"}},
		{"日本語", []string{"日本", "語"}},
		{"1日本", []string{"1日", "本"}},
		{"\x1b[31m12345\x1b[0m", []string{"1234", "5"}},
	} {
		terminal := followtest.NewTerminal(4, 5)
		_, _ = io.WriteString(terminal, "xxxx\r\nxxxx\r\nxxxx\x1b[H")
		rows := append(split(c.text, 4), "", "")
		_, _ = io.WriteString(terminal, draw(rows[:3], 4))
		got := terminal.Screen()
		if len(got) == 0 {
			got = []string{""}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

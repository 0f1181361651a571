package print

import (
	"fmt"
	"io"
	"slices"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Change says in a sentence without an end what has happened.
func Change(c result.Change) string {
	const few = 3
	if c.What == result.NowSays || len(c.Objects) == 0 {
		return escape.Text(credential.Clean(c.Text))
	}
	are, objects := "is", c.Objects[0].String()
	if len(c.Objects) > 1 {
		sorted := slices.SortedFunc(slices.Values(c.Objects), finding.Compare)
		are = "are"
		objects = fmt.Sprintf("%s (%s)", Counted(len(sorted), sorted[0].Kind),
			some(sorted, finding.Ref.Path, few, false, "more"))
	}
	text := ""
	switch c.What {
	case result.WasReleased:
		text = fmt.Sprintf("%s: the finalizer %s was removed", objects, c.Finalizer)
	case result.IsGone:
		text = fmt.Sprintf("%s %s gone", objects, are)
		if !c.Since.IsZero() {
			text += fmt.Sprintf(", %s after it was deleted", finding.Length(c.At.Sub(c.Since)))
		}
	case result.IsPassed:
		text = fmt.Sprintf("%s %s no longer in the way", objects, are)
	case result.IsCleared:
		text = fmt.Sprintf("%s is no longer a root cause: %s", c.Reason, objects)
		if c.Finalizer != "" {
			text += ", finalizer " + c.Finalizer
		}
	case result.IsUnread:
		text = fmt.Sprintf("%s can't be read at present; what became of %s is not known", objects,
			map[bool]string{true: "them", false: "it"}[len(c.Objects) > 1])
	case result.IsReadAgain:
		text = fmt.Sprintf("%s %s back: the API server serves %s again", objects, are, c.Objects[0].Kind)
	case result.HasJoined:
		text = fmt.Sprintf("%s %s Terminating, too", objects, are)
	}
	return escape.Text(text)
}

// Counted writes how many objects there are of a kind, of whose plural nothing is known: 1,500 × Pod.
func Counted(count int, kind string) string {
	return message.NewPrinter(language.English).Sprintf("%d × %s", count, kind)
}

// Progress says how many objects are left, and how long that may take: 214 of 1,500 left, about 2 min. It is empty
// where that says nothing.
func Progress(p result.Progress) string {
	if p.Left == 0 || p.Left >= p.Of {
		return ""
	}
	text := message.NewPrinter(language.English).Sprintf("%d of %d left", p.Left, p.Of)
	switch about := p.Remaining; {
	case about <= 0:
	case about < time.Minute:
		text += fmt.Sprintf(", about %d s", max(1, int(about.Round(time.Second)/time.Second)))
	case about < 90*time.Minute:
		text += fmt.Sprintf(", about %d min", int(about.Round(time.Minute)/time.Minute))
	default:
		text += fmt.Sprintf(", about %d h", int(about.Round(time.Hour)/time.Hour))
	}
	return text
}

// Done writes what has come to an end, ticked off, with the time of day.
func Done(out io.Writer, changes []result.Change, earlier int, style Style) error {
	w := &writer{out: out, style: style}
	if len(changes) == 0 {
		return nil
	}
	w.line(style.headingText("DONE"))
	if earlier > 0 {
		w.line("  ", message.NewPrinter(language.English).Sprintf("(%d before that)", earlier))
	}
	for _, change := range changes {
		w.paragraph("  ✓ "+change.At.Local().Format(time.TimeOnly)+"  ", Change(change), style.safeText)
	}
	return w.err
}

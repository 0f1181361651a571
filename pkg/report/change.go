package report

import (
	"fmt"
	"io"
	"slices"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// ChangeKind is what can become of an object, or of an answer, while it is watched.
type ChangeKind int

// The kinds of changes, in the order in which those of one moment are told.
const (
	WasReleased ChangeKind = iota // a finalizer was removed from objects
	IsGone                        // objects don't exist any more
	IsPassed                      // the answer doesn't speak of objects any more that waited in it
	IsCleared                     // root causes aren't found any more
	IsUnread                      // objects can't be read any more, for now: whether they are there isn't known
	IsReadAgain                   // such objects can be read again
	HasJoined                     // objects are waited for now, or listed
	NowSays                       // the answer is another one
)

// Change is one thing that a watch has seen happen, to objects of one kind.
type Change struct {
	At        time.Time
	What      ChangeKind
	Objects   []finding.Ref
	Finalizer string         // that was released
	Reason    finding.Reason // of the root cause
	Text      string         // what the answer says
	Since     time.Time      // when the deletion of what has gone was requested, or zero
}

// Done reports whether something has come to an end: it can be ticked off.
func (c Change) Done() bool { return c.What <= IsCleared }

// Counts reports whether all that has changed is how many objects are left.
func (c Change) Counts() bool { return c.What == WasReleased || c.What == IsGone || c.What == IsPassed }

// Alike reports whether two changes are the same but for their objects, and these of one kind.
func (c Change) Alike(other Change) bool {
	return len(c.Objects) > 0 && len(other.Objects) > 0 && c.What == other.What && c.Finalizer == other.Finalizer &&
		c.Reason == other.Reason && c.Objects[0].Kind == other.Objects[0].Kind
}

// String says in a sentence without an end what has happened.
func (c Change) String() string {
	const few = 3
	if c.What == NowSays || len(c.Objects) == 0 {
		return EscapeText(CleanText(c.Text))
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
	case WasReleased:
		text = fmt.Sprintf("%s: the finalizer %s was removed", objects, c.Finalizer)
	case IsGone:
		text = fmt.Sprintf("%s %s gone", objects, are)
		if !c.Since.IsZero() {
			text += fmt.Sprintf(", %s after it was deleted", finding.Length(c.At.Sub(c.Since)))
		}
	case IsPassed:
		text = fmt.Sprintf("%s %s no longer in the way", objects, are)
	case IsCleared:
		text = fmt.Sprintf("%s is no longer a root cause: %s", c.Reason, objects)
	case IsUnread:
		text = fmt.Sprintf("%s can't be read at present; what became of %s is not known", objects,
			map[bool]string{true: "them", false: "it"}[len(c.Objects) > 1])
	case IsReadAgain:
		text = fmt.Sprintf("%s %s back: the API server serves %s again", objects, are, c.Objects[0].Kind)
	case HasJoined:
		text = fmt.Sprintf("%s %s Terminating, too", objects, are)
	}
	return EscapeText(text)
}

// Counted writes how many objects there are of a kind, of whose plural nothing is known: 1,500 × Pod.
func Counted(count int, kind string) string {
	return message.NewPrinter(language.English).Sprintf("%d × %s", count, kind)
}

// Progress is how far a deletion has come while it was watched.
type Progress struct {
	Left, Of  int
	Remaining time.Duration // zero if not known
}

// String says how many objects are left, and how long that may take: 214 of 1,500 left, about 2 min. It is empty where
// that says nothing.
func (p Progress) String() string {
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

// PrintDone writes what has come to an end, ticked off, with the time of day.
func PrintDone(out io.Writer, changes []Change, earlier int, style Style) error {
	w := &writer{out: out, style: style}
	if len(changes) == 0 {
		return nil
	}
	w.line(style.headingText("DONE"))
	if earlier > 0 {
		w.line("  ", message.NewPrinter(language.English).Sprintf("(%d before that)", earlier))
	}
	for _, one := range changes {
		w.paragraph("  ✓ "+one.At.Local().Format(time.TimeOnly)+"  ", one.String(), style.safeText)
	}
	return w.err
}

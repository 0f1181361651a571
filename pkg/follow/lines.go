package follow

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// Lines is the View of what is no terminal: each change is a line, with its time.
type Lines struct {
	Out, ErrOut io.Writer
	troubled    bool
	left        int // that was told last
}

// Beat implements View.
func (*Lines) Beat() time.Duration { return 0 }

// Show implements View.
func (l *Lines) Show(moment Moment) error {
	if troubled := moment.Trouble != nil; troubled != l.troubled {
		l.troubled = troubled
		text := "the cluster can be reached again"
		if troubled {
			text = "the cluster can't be reached; trying again: " + escape.Text(credential.Clean(moment.Trouble.Error()))
		}
		if _, err := fmt.Fprintln(l.ErrOut, "warning: "+text); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	for _, change := range moment.Changes {
		text := print.Change(change)
		if left := print.Progress(moment.Progress); change.Done() && left != "" && moment.Progress.Left != l.left {
			text += "; " + left
			l.left = moment.Progress.Left
		}
		fmt.Fprintf(&out, "%s  %s\n", result.InSeconds(change.At).Format(time.RFC3339), text)
	}
	_, err := l.Out.Write(out.Bytes())
	return err
}

// Close implements View.
func (l *Lines) Close(_ End, moment Moment) error { return l.Show(moment) }

// Documents is the View for programs: the whole answer, whenever it has changed.
type Documents struct {
	Print   func(result.Result) error
	ErrOut  io.Writer
	changed bool
}

// Beat implements View.
func (*Documents) Beat() time.Duration { return 0 }

// Show implements View.
func (d *Documents) Show(moment Moment) error {
	d.changed = d.changed || len(moment.Changes) > 0
	if !moment.Fresh || !d.changed || moment.Answer.Result == nil {
		return nil
	}
	d.changed = false
	return d.Print(moment.Answer.Result)
}

// Close implements View.
func (d *Documents) Close(end End, moment Moment) error {
	err := d.Show(moment)
	for _, change := range moment.Changes {
		if end == Gone && change.What == result.IsGone {
			_, _ = fmt.Fprintf(d.ErrOut, "%s.\n", print.Change(change))
		}
	}
	return err
}

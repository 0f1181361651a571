package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// part is the recording of one of several clusters, in a file of its own until all are there.
type part struct {
	file    string
	objects int
	missing []string // what could not be read, in words
}

// recordFleet records several clusters to one file.
func (o *snapshotOptions) recordFleet(ctx context.Context, f *fleet, args []string) error {
	defer f.done()
	now := time.Now()
	if o.clock != nil {
		now = o.clock()
	}
	head := snapshot.Header{
		RecordedAt: now, By: thisBuild().Version, Context: "clusters", Scope: fmt.Sprintf("%d clusters", len(f.Members)),
		Redacted: o.redact,
	}
	file, err := createRecording(o.out.IOStreams, o.file, head)
	if err != nil {
		return err
	}
	defer file.discard() // unless it was kept
	folder, err := os.MkdirTemp(filepath.Dir(file.name), ".snapshot-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	defer collectAt(200)()
	answers := askFleet(ctx, f, func(ctx context.Context, c *connection) (*part, error) {
		return o.recordPart(ctx, f, c, folder, args)
	})
	head.Context, head.Clusters = "", clustersOfParts(answers, o.redact)
	if err := errors.Join(writeParts(file, head, answers), file.keep(ctx, false)); err != nil {
		return err
	}
	return o.tellParts(file, answers)
}

// recordPart records one cluster to a file in a folder.
func (o *snapshotOptions) recordPart(
	ctx context.Context, f *fleet, c *connection, folder string, args []string,
) (*part, error) {
	own := *o
	own.out.ErrOut = f.notes
	var targets []session.Target
	if len(args) > 0 {
		var failures []error
		var err error
		if targets, failures, err = own.resolve(ctx, c, args); err != nil || len(failures) > 0 {
			return nil, missing(errors.Join(append(failures, err)...))
		}
	}
	to, err := os.CreateTemp(folder, "part-*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = to.Close() }()
	// Its name is not given before it is complete: nothing with names in it reaches the disk.
	file := &recordingFile{name: to.Name(), stdout: to}
	namespace := own.namespace(c)
	writer := snapshot.NewWriter(file.out(o.redact), headOf(c, targets, namespace), c.options.Plugins)
	recorder := snapshot.NewRecorder(c.reader, writer)
	err = own.record(ctx, c, recorder, targets, namespace)
	if err = errors.Join(err, writer.Close()); err == nil {
		err = file.keep(ctx, o.redact)
	}
	if err != nil {
		return nil, missing(err)
	}
	return &part{file: to.Name(), objects: writer.Objects(), missing: missingTexts(recorder.Missing())}, ctx.Err()
}

// clustersOfParts says what became of each cluster. A recording that isn't complete is none. Where names are replaced,
// so are those of clusters, and what failed is left out, as it has addresses in it.
func clustersOfParts(answers []finalizers.Answer[*part], redact bool) (clusters []result.Cluster) {
	for i := range answers {
		one := &answers[i].Cluster
		if one.State != result.Answered {
			one.State = result.Unanswered
		}
		kept := *one
		kept.Error = credential.Clean(kept.Error)
		if redact {
			kept.Name, kept.Also = fmt.Sprintf("cluster-%d", i+1), nil
			if kept.Error != "" {
				kept.Error = "it could not be recorded"
			}
		}
		clusters = append(clusters, kept)
	}
	return clusters
}

func writeParts(out io.Writer, head snapshot.Header, answers []finalizers.Answer[*part]) error {
	if err := snapshot.BeginSeveral(out, head); err != nil {
		return err
	}
	recorded := 0
	for _, one := range answers {
		if one.Cluster.State != result.Answered {
			continue
		}
		recorded++
		if err := copyPart(out, one.Answer.file); err != nil {
			return err
		}
	}
	if recorded == 0 && len(answers) > 0 {
		return fmt.Errorf("no cluster could be recorded. %s: %s", answers[0].Cluster.Name, answers[0].Cluster.Error)
	}
	return nil
}

func copyPart(out io.Writer, name string) error {
	from, err := os.Open(name) //nolint:gosec // made above
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	_, err = io.Copy(out, from)
	return err
}

// tellParts says what was recorded, and of which clusters nothing was.
func (o *snapshotOptions) tellParts(file *recordingFile, answers []finalizers.Answer[*part]) error {
	objects, recorded := 0, 0
	for _, one := range answers {
		if one.Cluster.State == result.Answered {
			recorded, objects = recorded+1, objects+one.Answer.objects
		}
	}
	errOut := o.out.ErrOut
	_, _ = fmt.Fprintf(errOut, "Recorded %d of %d clusters, %s, in %s (%s).\n", recorded, len(answers),
		finding.Plural(objects, "object"), escape.Text(file.name), size(file.size))
	for _, one := range answers {
		if one.Cluster.State != result.Answered {
			warn(errOut, fmt.Sprintf("%s was not recorded: %s", one.Cluster.Name, credential.Clean(one.Cluster.Error)))
			continue
		}
		for _, text := range one.Answer.missing {
			_ = print.Paragraph(errOut, one.Cluster.Name+": "+text, plainStyle(errOut)) // there is nowhere left to complain
		}
	}
	if o.redact {
		_ = print.Paragraph(errOut, namesLeft, plainStyle(errOut))
	}
	return nil
}

package cli

import (
	"bytes"
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
	data    []byte // instead of the file, if names are to be replaced: nothing with names in it reaches the disk
	objects int
	missing []string // what could not be read, in words
}

// recordFleet records several clusters to one file.
func (o *snapshotOptions) recordFleet(ctx context.Context, f *fleet, args []string) error {
	defer f.done()
	now := time.Now()
	if o.time.Now != nil {
		now = o.time.Now()
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
	beside := ""         // where temporary files are
	if file.stdout == nil {
		beside = filepath.Dir(file.name)
	}
	folder, err := os.MkdirTemp(beside, ".snapshot-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	defer collectAt(200)()
	answers := askFleet(ctx, f, func(ctx context.Context, c *connection) (*part, error) {
		return o.recordPart(ctx, f, c, folder, args)
	})
	head.Context, head.Clusters = "", clustersOfParts(answers, o.redact)
	if err := writeParts(ctx, file, head, answers); err != nil {
		return err
	}
	if err := file.keep(ctx, false); err != nil {
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
	var data bytes.Buffer
	var out io.Writer = &data
	recorded := &part{}
	if !o.redact {
		to, err := os.CreateTemp(folder, "part-*")
		if err != nil {
			return nil, err
		}
		defer func() { _ = to.Close() }()
		out, recorded.file = to, to.Name()
	}
	namespace := own.namespace(c)
	writer := snapshot.NewWriter(out, headOf(c, targets, namespace), c.options.Plugins)
	recorder := snapshot.NewRecorder(c.reader, writer)
	if err := errors.Join(own.record(ctx, c, recorder, targets, namespace), writer.Close()); err != nil {
		return nil, missing(err)
	}
	recorded.data, recorded.objects, recorded.missing = data.Bytes(), writer.Objects(), missingTexts(recorder.Missing())
	return recorded, ctx.Err()
}

// clustersOfParts says what became of each cluster. A recording that isn't complete is none. Where names are replaced,
// so are those of clusters, and what failed is left out, as it has addresses in it.
func clustersOfParts(answers []finalizers.Answer[*part], redact bool) (clusters []result.Cluster) {
	for i := range answers {
		cluster := &answers[i].Cluster
		if cluster.State != result.Answered {
			cluster.State = result.Unanswered
		}
		kept := *cluster
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

// writeParts writes the recordings that there are, one after another.
func writeParts(
	ctx context.Context, out io.Writer, head snapshot.Header, answers []finalizers.Answer[*part],
) error {
	var parts []*part
	for _, one := range answers {
		if one.Cluster.State == result.Answered {
			parts = append(parts, one.Answer)
		}
	}
	if len(parts) == 0 {
		return fmt.Errorf("no cluster could be recorded. %s: %s", answers[0].Cluster.Name, answers[0].Cluster.Error)
	}
	if err := snapshot.BeginSeveral(out, head); err != nil {
		return err
	}
	if head.Redacted {
		return snapshot.RedactAll(ctx, finding.Each(parts, func(one *part) []byte { return one.data }), out)
	}
	for _, one := range parts {
		if err := copyPart(out, one.file); err != nil {
			return err
		}
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

// tellParts says what was recorded, and which clusters were not.
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

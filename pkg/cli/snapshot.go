package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

type snapshotOptions struct {
	targetOptions
	file         string
	deep, redact bool
}

func newSnapshot(common options) *cobra.Command {
	o := &snapshotOptions{targetOptions: targetOptions{options: common}}
	cmd := &cobra.Command{
		Use:   "snapshot [TYPE/NAME ... | TYPE NAME ...] [-n NAMESPACE | -A] [-o FILE]",
		Short: "Record to a file, without secrets, what a diagnosis reads",
		Long: `Record to a file what a diagnosis reads: what the cluster serves, the metadata of everything in a namespace
or in the cluster, whole objects of the few kinds whose spec or status matters, and what could not be
read. With named objects, record only what is needed to explain them.

why, list, tree, check, preview and explain answer from that file with --snapshot FILE, without a cluster;
ages are as of the recording. What was not recorded counts as unreadable, never as absent.

A recording never contains the data of Secrets, last-applied annotations, or tokens. Of environment values,
arguments and the data of ConfigMaps, it has only what says which objects a controller acts on, such as
names of namespaces. It contains names, unless --redact replaces them. Check it before
you share it: it is gzipped JSON, one line per object. snapshot is read-only; see docs/offline.md.`,
		Example: `  # Record a namespace, and cluster-scoped objects
  kubectl finalizers snapshot -n shop -o shop.snapshot

  # Record the whole cluster, with names replaced
  kubectl finalizers snapshot -A --redact -o cluster.snapshot

  # Record only what is needed to explain one object, and explain it from the recording
  kubectl finalizers snapshot ns/payments -o payments.snapshot
  kubectl finalizers why ns/payments --snapshot payments.snapshot`,
		RunE: o.run,
	}
	flags := cmd.Flags()
	o.addAllNamespaces(flags, inAllNamespaces)
	flags.StringVarP(&o.file, "output", "o", "",
		"The file to write; - is standard output (default CONTEXT-TIME.snapshot in this folder)")
	flags.BoolVar(&o.deep, "deep", false, "With named objects, also record what why --deep reads")
	flags.BoolVar(&o.redact, "redact", false,
		"Replace the names of objects, namespaces and nodes. Equal names get equal substitutes")
	o.several.addFlags(flags)
	o.addPlugins(flags)
	_ = cmd.MarkFlagFilename("output", "snapshot") // fails for flags that don't exist: it does
	return cmd
}

func (o *snapshotOptions) run(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && o.allNamespaces {
		return errors.New("name objects, or record everything with -A, but not both")
	}
	ctx := cmd.Context()
	if f, err := openFleet(ctx, &o.options, cmd.Flags()); err != nil {
		return err
	} else if f != nil {
		return o.recordFleet(ctx, f, args)
	}
	connection, err := o.open(ctx)
	if err != nil {
		return err
	}
	var targets []session.Target
	if len(args) > 0 {
		var failures []error
		if targets, failures, err = o.resolve(ctx, connection, args); err != nil || len(failures) > 0 {
			return errors.Join(append(failures, err)...)
		}
	}
	namespace := o.namespace(connection)
	head := headOf(connection, targets, namespace)
	file, err := createRecording(o.out.IOStreams, o.file, head)
	if err != nil {
		return err
	}
	defer file.discard() // unless it was kept
	// All that is read is garbage as soon as it is written: little stays, and three times as much is not much more.
	defer collectAt(200)()
	writer := snapshot.NewWriter(file.out(o.redact), head, connection.options.Plugins)
	recorder := snapshot.NewRecorder(connection.reader, writer)
	done := tellRecording(o.out.ErrOut, writer)
	err = o.record(ctx, connection, recorder, targets, namespace)
	done()
	if err != nil {
		return errors.Join(err, writer.Close())
	}
	if err := errors.Join(writer.Close(), file.keep(ctx, o.redact)); err != nil {
		return err
	}
	if text, missing := noNamespace(ctx, connection, namespace); missing && len(targets) == 0 {
		warn(o.out.ErrOut, "only cluster-scoped objects were recorded: "+text)
	}
	tellRecorded(o.out.ErrOut, file, writer, recorder)
	if o.redact {
		_ = print.Paragraph(o.out.ErrOut, namesLeft, plainStyle(o.out.ErrOut))
	}
	return nil
}

func headOf(c *connection, targets []session.Target, namespace string) snapshot.Header {
	head := snapshot.Header{RecordedAt: c.reader.Now(), By: thisBuild().Version, Namespace: c.namespace}
	if at := slices.Index(c.options.Flags, "--context"); at >= 0 { // the one that commands repeat
		head.Context = c.options.Flags[at+1]
	}
	if version, err := c.discovery.ServerVersion(); err == nil {
		head.Server = version.GitVersion
	}
	switch {
	case len(targets) > 0:
		name := func(target session.Target) string { return target.Resource.QualifiedName() + "/" + target.Name }
		head.Scope = strings.Join(finding.Each(targets, name), ", ") + ", and what explains its state"
		if len(targets) > 1 {
			head.Scope = strings.Join(finding.Each(targets, name), ", ") + ", and what explains their state"
		}
	case namespace != "":
		head.Scope = "namespace " + namespace + ", and cluster-scoped objects"
	default:
		head.Scope = "all namespaces"
	}
	return head
}

func (o *snapshotOptions) record(
	ctx context.Context, c *connection, recorder *snapshot.Recorder, targets []session.Target, namespace string,
) error {
	recorded := &diagnosis.Recorded{Options: c.options, Namespace: namespace}
	recorded.Deep = o.deep
	if len(targets) > 0 {
		return recorder.RecordAnswer(ctx, func(ctx context.Context, reader cluster.Reader) (failed error) {
			for _, target := range targets {
				if err := recorded.Why(ctx, reader, target); err != nil {
					failed = errors.Join(failed, explainTarget(ctx, c, target, err))
				}
			}
			return failed
		})
	}
	return recorder.RecordArea(ctx, namespace, recorded)
}

func tellRecording(errOut io.Writer, writer *snapshot.Writer) (done func()) {
	if !isTerminal(errOut) {
		return func() {}
	}
	return tell(errOut, func() string { return fmt.Sprintf("recording: %d objects so far", writer.Objects()) })
}

func tellRecorded(errOut io.Writer, file *recordingFile, writer *snapshot.Writer, recorder *snapshot.Recorder) {
	objects := finding.Plural(writer.Objects(), "object")
	_, _ = fmt.Fprintf(errOut, "Recorded %s in %s (%s).\n", objects, escape.Text(file.name), size(file.size))
	for _, text := range missingTexts(recorder.Missing()) {
		_ = print.Paragraph(errOut, text, plainStyle(errOut)) // there is nowhere left to complain
	}
}

// namesLeft says what --redact can't know.
const namesLeft = "A name that is only in a message or in an expression of a policy, and that no recorded object " +
	"has, is not replaced. Check the file before you pass it on."

// notAllowed completes why something was not recorded.
const notAllowed = "is not allowed"

// mostMissing is how many of the kinds that were missed for one reason are named. All are in the file.
const mostMissing = 8

// missingTexts says what could not be read, a line for each reason: first what diagnoses read whole, and miss most.
func missingTexts(missing []cluster.Failure) (texts []string) {
	names := map[string]sets.Set[string]{notAllowed: {}, "failed": {}}
	for _, failure := range missing {
		why, what := "failed", failure.Resource
		if apierrors.IsForbidden(failure.Err) {
			why = notAllowed
		}
		if failure.Name != "" {
			what += "/" + failure.Name
		}
		names[why].Insert(what)
	}
	for _, why := range []string{notAllowed, "failed"} {
		found, more := sets.List(names[why]), ""
		if len(found) == 0 {
			continue
		}
		slices.SortStableFunc(found, func(a, b string) int { return importance(a) - importance(b) })
		if len(found) > mostMissing+1 {
			more = fmt.Sprintf(" and %d more", len(found)-mostMissing)
			found = found[:mostMissing]
		}
		texts = append(texts, fmt.Sprintf("Not recorded, because reading it %s: %s%s. Answers will say where that matters.",
			why, strings.Join(found, ", "), more))
	}
	return texts
}

func importance(what string) int {
	if snapshot.Whole(what) {
		return 0
	}
	return 1
}

func size(bytes int64) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	case bytes >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", bytes)
}

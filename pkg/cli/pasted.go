package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot/files"
)

// mayBePasted reports whether what is asked about may be in the files themselves: nothing else is named, and nothing is
// asked for that only a cluster can answer.
func mayBePasted(o *whyOptions, args []string) bool {
	piped := len(args) == 1 && args[0] == "-"
	return (piped && len(o.files.Filenames) == 0 || len(args) == 0 && len(o.files.Filenames) > 0) &&
		len(o.snapshots) == 0 && o.files.Kustomize == "" && !o.selects() && !o.watching.on && !o.probe && !o.logs &&
		!slices.ContainsFunc(o.files.Filenames, isURL)
}

// answerPasted answers about what is Terminating in the files that are given, or in what is piped in. It leaves names
// of objects to the cluster, and manifests in which nothing is being deleted: these say which objects are meant.
func answerPasted(ctx context.Context, o *whyOptions, args []string) (answered bool, err error) {
	names := o.files.Filenames
	if len(args) > 0 {
		names = []string{"-"}
	}
	in := io.Reader(bytes.NewReader(nil))
	if slices.Contains(names, "-") {
		data, err := readInput(ctx, &o.targetOptions)
		if words := strings.Fields(string(data[:min(len(data), mostInput)])); err != nil || areNames(words) {
			return false, err
		}
		if in = bytes.NewReader(data); len(data) > mostInput {
			in = io.MultiReader(in, o.out.In)
		}
	}
	recording, err := files.Open(ctx, names, in)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil && (len(args) > 0 || errors.Is(err, files.ErrNothing)):
		return false, cantBeUsed(names, err)
	case err != nil:
		return false, nil // kubectl's code says what is wrong with manifests
	case !recording.Terminating() && len(args) == 0 && !recording.Quoted:
		return false, nil
	}
	o.input = nil
	return true, answerRecording(ctx, o, recording, names)
}

// answerRecording answers about everything Terminating in a recording.
func answerRecording(
	ctx context.Context, o *whyOptions, recording *snapshot.Recording, names []string,
) error {
	known, err := o.loadPlugins()
	if err != nil {
		return err
	}
	c, err := connectRecorded(ctx, recording, names, o.config, o.out.ErrOut)
	if err != nil {
		return err
	}
	c.options.Plugins, c.options.Program = known, o.program
	o.snapshots, o.recorded, o.allNamespaces = names, c, true
	targets, err := c.over(c.reader).Terminating(ctx)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		sayNothing(o.out.ErrOut, recording)
		return nil
	}
	topics := slices.DeleteFunc(slices.Clone(targets), func(target session.Target) bool {
		return !recording.IsTopic(target.Resource.GroupKind(), target.Namespace, target.Name)
	})
	if len(topics) > 0 {
		targets = topics
	}
	o.prepare(c)
	if len(targets) > 1 && o.out.isForPeople() {
		list, err := c.over(c.reader).List(ctx, finalizers.ListOptions{})
		if err != nil {
			return err
		}
		return o.out.answer(ctx, list, verdictCode(verdictsOf(list), 0))
	}
	return answerTargets(ctx, o, c, targets)
}

// sayNothing says that nothing in a recording is known to be Terminating, and how to find out about what it only names.
func sayNothing(errOut io.Writer, recording *snapshot.Recording) {
	var named []*session.Object
	for _, one := range recording.Named {
		named = append(named, session.Named(one.Resource, one.Namespace, one.Name))
	}
	command := session.AskWhole(named...)
	switch {
	case len(command) > 0:
		_, _ = fmt.Fprintf(errOut, "Nothing that it shows is Terminating, but it does not show that of everything: of %s, "+
			"it has only the name.\nRun this where the cluster is, and give its output together with the rest. "+
			"It only reads, and reads no Secrets.\n  %s\n", named[0].Ref, command)
	case len(recording.Skipped) > 0:
		_, _ = fmt.Fprintln(errOut, "Nothing that could be read of it is Terminating.")
	default:
		_, _ = fmt.Fprintln(errOut, "Nothing in it is Terminating.")
	}
}

func verdictsOf(list *result.List) []result.Verdict {
	return finding.Each(list.Items, func(item result.ListItem) result.Verdict { return item.Verdict })
}

// answerTargets asks about each target, and prints one answer as that.
func answerTargets(ctx context.Context, o *whyOptions, c *connection, targets []session.Target) error {
	list, failures := o.askEach(ctx, c, targets)
	verdicts := finding.Each(list.Items, func(item result.Diagnosis) result.Verdict { return item.Verdict })
	var answer result.Result = list
	switch {
	case len(list.Items) == 1 && len(targets) == 1:
		answer = &list.Items[0]
	case len(list.Items) == 0:
		return exitError(exitFailed)
	}
	if err := o.out.answer(ctx, answer, verdictCode(verdicts, 0)); err != nil || len(failures) == 0 {
		return err
	}
	return exitError(exitFailed)
}

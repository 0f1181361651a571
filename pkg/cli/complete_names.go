package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// connect opens what the command line asks: the recording that it names, or else the cluster. Nothing is printed while
// a word is completed, and standard input is the shell's.
func (c completer) connect(ctx context.Context, cmd *cobra.Command) (*connection, error) {
	names, _ := cmd.Flags().GetStringArray("snapshot") // none where there is no such flag
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > 0 { // cobra reads the line twice
		silent := genericiooptions.IOStreams{In: strings.NewReader(""), Out: io.Discard, ErrOut: io.Discard}
		recorded := &options{snapshots: names, config: c.config, out: output{IOStreams: silent}}
		return recorded.connect(ctx, nil)
	}
	if cmd.Flags().Changed("contexts") {
		return nil, errors.New("several clusters are not asked for words") // and no other than these
	}
	return connect(ctx, c.config, nil)
}

// terminatingStarting offers what is Terminating where the command would look, as TYPE/NAME, of the types that begin
// with what is typed: as far as that can be listed from the API server's memory before the patience ends.
func (r request) terminatingStarting(ctx context.Context) (words []string) {
	all, _ := r.cmd.Flags().GetBool("all-namespaces") // false where there is no such flag
	namespace := r.namespace
	if all {
		namespace = ""
	}
	var inNamespaces, others []cluster.Resource
	for _, resource := range r.servedKinds.Deletable(false) {
		switch {
		case !strings.HasPrefix(resource.QualifiedName(), r.toComplete):
		case resource.Namespaced:
			inNamespaces = append(inNamespaces, resource)
		case all || resource.GroupResource() == cluster.Namespaces().GroupResource():
			others = append(others, resource)
		}
	}
	found := map[string]string{}
	visit := func(resource cluster.Resource, object *metav1.PartialObjectMetadata) {
		word := resource.QualifiedName() + "/" + object.Name
		if !strings.ContainsAny(word, " \t\n\r\x1b") {
			found[word] = word + r.terminating(object)
		}
	}
	selector := cluster.Selector{Keep: cluster.KeepTerminating, Recent: true}
	cluster.ScanFor(ctx, r.reader, others, "", selector, visit)
	cluster.ScanFor(ctx, r.reader, inNamespaces, namespace, selector, visit)
	for _, word := range keys(found) {
		words = append(words, found[word])
	}
	return slices.Clip(words)
}

// terminating is what shells show beside the name of an object: since when it is Terminating.
func (r request) terminating(object *metav1.PartialObjectMetadata) string {
	says := "\tTerminating"
	if age := r.reader.Now().Sub(object.DeletionTimestamp.Time); age >= time.Second {
		says += " for " + finding.Length(age)
	}
	return says
}

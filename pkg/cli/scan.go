package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

const inAllNamespaces = "In all namespaces, and what has none"

// scan is one look at a namespace or at the whole cluster.
type scan struct {
	*connection
	watched   cluster.Reader // tells how far it is
	namespace string         // that is asked about; empty for all of them
	done      func()         // takes the line of progress away, before anything else is printed
}

// begin connects, and prepares to look. Whoever calls it must call done.
func (o *options) begin(ctx context.Context) (*scan, error) {
	connection, err := o.open(ctx)
	if err != nil {
		return nil, err
	}
	namespace, err := o.namespace(connection)
	if err != nil {
		return nil, err
	}
	reader, done := watch(connection.reader, o.ErrOut)
	return &scan{connection: connection, watched: reader, namespace: namespace, done: done}, nil
}

// namespace returns the namespace that is asked about, or nothing for all of them.
func (o *options) namespace(c *connection) (string, error) {
	if o.allNamespaces {
		return "", nil
	}
	namespace, _, err := c.loader.Namespace()
	return namespace, err
}

// nothing answers that nothing was found: what says what of, as in "nothing is Terminating". Like kubectl's words for
// an empty list that goes to stderr. Where not everything could be looked at, that is the answer, and what is
// missing stands beneath it.
func (o *options) nothing(ctx context.Context, s *scan, what string, unreadable []report.Unreadable) error {
	warnOfNamespace(ctx, s.connection, o.ErrOut, s.namespace)
	if !o.isForPeople() {
		return nil
	}
	if s.reader.Source() == cluster.FromManifests {
		what += " among what the files hold"
	}
	if s.namespace != "" {
		what += fmt.Sprintf(" in namespace %q", s.namespace)
	}
	if len(unreadable) == 0 {
		_, err := fmt.Fprintln(o.ErrOut, strings.ToUpper(what[:1])+what[1:]+".")
		return err
	}
	says := "Not everything could be looked at. Of what could, " + what + "."
	forbidden := func(one report.Unreadable) bool { return one.Why == "forbidden" }
	if s.namespace == "" && slices.ContainsFunc(unreadable, forbidden) {
		says += " What you may not list in all namespaces you may be able to list in one: name it with -n."
	}
	return o.print(&report.Nothing{Says: says, Unreadable: unreadable})
}

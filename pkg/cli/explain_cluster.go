package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// How long explain waits for a cluster, unless --request-timeout says: what it knows needs none, and people
// ask on a train as well.
const (
	explainRequest = "4s"
	explainAll     = 10 * time.Second
)

// inCluster asks the cluster at hand, if there is one, whether a finalizer's controller is there. That there is
// none, or that it doesn't answer, is no error.
func (o *explainOptions) inCluster(
	ctx context.Context, set *plugins.Set, finalizer string, known []plugins.Finalizer,
) *report.InCluster {
	if o.offline {
		return notAsked("--offline says not to")
	}
	ctx, cancel := o.hurry(ctx)
	defer cancel()
	answer, err := untilDone(ctx, func() (*report.InCluster, error) {
		connection, err := o.connect(ctx)
		if err != nil {
			return nil, err
		}
		connection.options.Plugins = set
		answer, err := diagnosis.Presence(ctx, connection.reader, finalizer, known, o.kind, connection.options)
		if err == nil {
			if answer.Server = strings.Join(o.snapshots, ", "); connection.live != nil {
				answer.Server = connection.config.Host
			}
		}
		return answer, err
	})
	if err != nil {
		return notAsked(unreached(err))
	}
	return answer
}

// hurry bounds how long a cluster is waited for, unless the user does.
func (o *explainOptions) hurry(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.patient || len(o.snapshots) > 0 {
		return ctx, func() {}
	}
	*o.config.Timeout = explainRequest
	return context.WithTimeout(ctx, explainAll)
}

func notAsked(why string) *report.InCluster {
	return &report.InCluster{WhyNot: why, Controllers: []report.Presence{}, Unreadable: []report.Unreadable{}}
}

// unreached says in one clause why no cluster answered.
func unreached(err error) string {
	var none noClusterError
	switch {
	case errors.As(err, &none):
		return "no kubeconfig leads to one"
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("it did not answer within %s", explainAll)
	case errors.Is(err, context.Canceled):
		return "that was interrupted"
	}
	return strings.TrimSuffix(err.Error(), ".")
}

// unknown says of a finalizer that no plugin knows what the cluster could not tell of it either: nil where it
// could.
func (o *explainOptions) unknown(notKnown error, told *report.InCluster) error {
	switch {
	case len(told.Controllers) > 0:
		return nil
	case !told.Asked:
		return fmt.Errorf("%w. The cluster was not asked: %s", notKnown, told.WhyNot)
	case o.kind != "":
		return fmt.Errorf("%w. This cluster serves no kind %s", notKnown, o.kind)
	}
	return fmt.Errorf("%w, or name the kind that has it with --kind", notKnown)
}

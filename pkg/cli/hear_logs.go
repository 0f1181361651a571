package cli

import (
	"context"
	"sync/atomic"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/print"
)

// countedLogs counts the logs that are read.
type countedLogs struct {
	cluster.LogReader
	reads atomic.Int64
}

// Log implements cluster.LogReader.
func (c *countedLogs) Log(
	ctx context.Context, namespace, pod string, wanted cluster.LogPart,
) (lines []byte, all bool, err error) {
	c.reads.Add(1)
	return c.LogReader.Log(ctx, namespace, pod, wanted)
}

// hearLogs has answers quote logs, where the user wants that. tell says afterwards if there were none to read: silence
// would look as if they said nothing.
func (o *whyOptions) hearLogs(c *connection) (tell func()) {
	if !o.logs {
		return func() {}
	}
	logs := &countedLogs{LogReader: c.live}
	c.options.LogReader = logs
	return func() {
		if logs.reads.Load() == 0 {
			const none = "No log was read: no responsible controller with a known pod was found."
			_ = print.Paragraph(o.out.ErrOut, none, plainStyle(o.out.ErrOut)) // there is nowhere left to complain
		}
	}
}

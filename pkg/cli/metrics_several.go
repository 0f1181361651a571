package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/metrics"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// runSeveral exports the metrics of several clusters, each with a look of its own.
func (o *metricsOptions) runSeveral(ctx context.Context) error {
	if o.authenticate {
		return errors.New("--authenticate can't be used with --contexts: it is not clear which cluster knows the tokens")
	}
	known, err := o.loadPlugins()
	if err != nil {
		return err
	}
	_, chosen, unknown, err := chooseClusters(ctx, &o.options)
	if err != nil {
		return err
	}
	for _, name := range unknown {
		warn(o.out.ErrOut, name+" can't be asked: no context of the kubeconfig leads to it")
	}
	turns := make(chan struct{}, o.several.atOnce)
	var exporters []*metrics.Exporter
	for _, one := range chosen {
		member := &metricsMember{
			options: o, name: one.Name, also: one.Also, known: known, turns: turns,
		}
		exporters = append(exporters, metrics.NewExporter(metrics.Options{
			Cluster: one.Name, Look: member.look, Requests: member.requests.Load, Interval: o.interval,
			Named: o.named, Series: o.series, Report: member.report,
		}))
	}
	if !o.once {
		return o.listen(ctx, &metrics.Server{Exporters: exporters})
	}
	return o.printSeveral(ctx, exporters)
}

// printSeveral looks at each cluster once, and prints the numbers. It fails if no look succeeds.
func (o *metricsOptions) printSeveral(ctx context.Context, exporters []*metrics.Exporter) error {
	failures := make([]error, len(exporters))
	var looking sync.WaitGroup
	for i, exporter := range exporters {
		looking.Go(func() { failures[i] = exporter.LookOnce(ctx) })
	}
	looking.Wait()
	failed := 0
	for i, err := range failures {
		if err != nil {
			failed++
			warn(o.out.ErrOut, fmt.Sprintf("%s could not be asked: %s", exporters[i].Cluster, err))
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failed == len(exporters):
		return errors.New("no cluster could be asked")
	}
	return o.write(exporters...)
}

// metricsMember is one of several clusters that are looked at.
type metricsMember struct {
	options  *metricsOptions
	name     string
	also     []string
	known    *plugins.Set
	turns    chan struct{} // of the looks that run at the same time
	requests atomic.Int64
	seen     *cluster.ServedKinds // by the last look
}

// looked is what a look has found, and what the cluster served then.
type looked struct {
	numbers *metrics.Numbers
	served  *cluster.ServedKinds
}

// look looks at the cluster, through a connection of its own, when it is its turn. Looks at one cluster don't overlap.
func (m *metricsMember) look(ctx context.Context) (*metrics.Numbers, error) {
	select {
	case m.turns <- struct{}{}:
		defer func() { <-m.turns }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	var c *connection // of this look alone
	before := m.seen
	fleet := &finalizers.Fleet{Limit: m.options.several.limit, Members: []finalizers.Member{{
		Name: m.name, Also: m.also, Connect: func(ctx context.Context) (_ *finalizers.Cluster, err error) {
			flags := flagsFor(m.options.config, m.name)
			flags.WrapConfigFn = countRequests(&m.requests)
			// The kubeconfig is read again: credentials may have changed.
			c, err = connectContext(ctx, &m.options.options, flags.ToRawKubeConfigLoader(), flags, before)
			if err != nil {
				return nil, err
			}
			c.options.Plugins, c.options.Program = m.known, m.options.program
			return c.over(c.reader), nil
		},
	}}}
	namespace := *m.options.config.Namespace
	answer := finalizers.AskEach(ctx, fleet, func(ctx context.Context, _ int, of *finalizers.Cluster) (looked, error) {
		numbers, err := metrics.Look(ctx, of, namespace)
		return looked{numbers, c.servedKinds}, err
	})[0]
	if answer.Err != nil {
		return nil, answer.Err
	}
	m.seen = answer.Answer.served
	return answer.Answer.numbers, nil
}

// report says that a look ended otherwise than the one before.
func (m *metricsMember) report(err error) {
	if m.options.once {
		return // the error is reported with the others
	}
	text := fmt.Sprintf("%s can be read again", m.name)
	if err != nil {
		text = fmt.Sprintf("the look at %s failed; the numbers of the last successful one stay: %v", m.name, err)
	}
	warn(m.options.out.ErrOut, text)
}

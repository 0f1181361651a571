package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/metrics"
)

type metricsOptions struct {
	options
	once              bool
	interval          time.Duration
	listenAddress     string
	named, series     int
	authenticate      bool
	certFile, keyFile string
	requests          atomic.Int64
}

// Bounds of what is asked for.
const (
	shortestInterval = time.Second
	usualInterval    = time.Minute
	usualNamed       = 20
	usualSeries      = 1000
	servingGCPercent = 50
)

func newMetrics(common options) *cobra.Command {
	o := &metricsOptions{options: common}
	cmd := &cobra.Command{
		Use:   "metrics",
		Short: "Export what list -A and check -A find as Prometheus metrics",
		Long: `Export what list -A and check -A find as Prometheus metrics: how many objects are Terminating, since when,
by kind, namespace, verdict and root cause, and what will get stuck when it is deleted.

metrics looks at the whole cluster, or with -n at one namespace, at an interval, and keeps the numbers of the last look
that succeeded. After a look that fails, finalizers_last_look_successful is 0, the other numbers stay, and
finalizers_last_look_success_timestamp_seconds says when they were read.

/metrics has the numbers. /readyz answers 200 after the first successful look, and /healthz as long as no look hangs.
After Ctrl-C or SIGTERM, metrics exits with 0. It only reads. With --authenticate, it also sends a TokenReview and a
SubjectAccessReview for each client that reads /metrics. They store nothing.`,
		Example: `  # Look once, and print the numbers, for example for node_exporter's textfile collector
  kubectl finalizers metrics --once

  # Serve them at http://127.0.0.1:9955/metrics
  kubectl finalizers metrics

  # Serve them to other machines, with TLS, and only to users who are allowed to get the path /metrics
  kubectl finalizers metrics --listen-address :9955 --authenticate --tls-cert-file a.crt --tls-private-key-file a.key`,
		Args: o.noObjects,
		RunE: o.run,
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.once, "once", false,
		"Look once, print the metrics, and exit. If the look fails, nothing is printed")
	flags.DurationVar(&o.interval, "interval", usualInterval, "Time from the start of one look to the start of the next")
	flags.StringVar(&o.listenAddress, "listen-address", "127.0.0.1:9955",
		"Where to serve: HOST:PORT, or :PORT for all addresses of this machine")
	flags.IntVar(&o.named, "max-named", usualNamed, "How many of the worst objects to name")
	flags.IntVar(&o.series, "max-series", usualSeries,
		"How many groups of Terminating objects to count separately. If there are more, the smallest are counted together")
	flags.BoolVar(&o.authenticate, "authenticate", false,
		"Serve /metrics only to users whose token the API server accepts, and who are allowed to get that path. "+
			"Requires TLS")
	flags.StringVar(&o.certFile, "tls-cert-file", "",
		"Serve with TLS, with this certificate; it is read again when it changes")
	flags.StringVar(&o.keyFile, "tls-private-key-file", "", "The private key of --tls-cert-file")
	flags.StringArrayVar(&o.snapshots, "snapshot", nil, "With --once: answer from a recording or from manifests "+
		"instead of a cluster, as list does. Can be given several times")
	o.several.addFlags(flags)
	o.addPlugins(flags)
	return cmd
}

func (o *metricsOptions) validate(flags *pflag.FlagSet) error {
	if o.once {
		for _, name := range []string{
			"interval", "listen-address", "authenticate", "tls-cert-file", "tls-private-key-file",
		} {
			if flags.Changed(name) {
				return fmt.Errorf("--%s can't be used with --once, which serves nothing", name)
			}
		}
	}
	switch {
	case len(o.snapshots) > 0 && !o.once:
		return errors.New("--snapshot requires --once: a recording doesn't change")
	case o.interval < shortestInterval:
		return fmt.Errorf("--interval %s is too short; the shortest is %s", o.interval, shortestInterval)
	case o.named < 0 || o.series < 0:
		return errors.New("--max-named and --max-series must not be negative")
	case (o.certFile == "") != (o.keyFile == ""):
		return errors.New("to serve with TLS, name both --tls-cert-file and --tls-private-key-file")
	case o.authenticate && o.certFile == "":
		return errors.New("--authenticate requires --tls-cert-file: tokens must not be sent unencrypted")
	}
	return nil
}

func (o *metricsOptions) run(cmd *cobra.Command, _ []string) error {
	if err := o.validate(cmd.Flags()); err != nil {
		return err
	}
	ctx := cmd.Context()
	if asked, err := o.several.asked(cmd.Flags()); err != nil {
		return err
	} else if asked {
		return o.runSeveral(ctx)
	}
	o.config.WrapConfigFn = countRequests(&o.requests)
	c, err := o.open(ctx)
	if err != nil {
		return err
	}
	if namespace := *o.config.Namespace; namespace != "" {
		warnOfNamespace(ctx, c, o.out.ErrOut, namespace)
	}
	exporter := metrics.NewExporter(metrics.Options{
		Look: o.look(c), Requests: o.requests.Load, Interval: o.interval, Named: o.named, Series: o.series,
		Report: o.report,
	})
	if o.once {
		return o.printOnce(ctx, exporter)
	}
	return o.serve(ctx, c, exporter)
}

// look returns what looks once. Each look connects as if the command were given again, as those of --watch do: what the
// cluster serves, and the credentials, may have changed.
func (o *metricsOptions) look(c *connection) func(context.Context) (*metrics.Numbers, error) {
	namespace := *o.config.Namespace
	return func(ctx context.Context) (*metrics.Numbers, error) {
		if c.live == nil {
			return metrics.Look(ctx, c.over(c.reader), namespace)
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		again, err := o.again(ctx, c)
		if err != nil {
			return nil, err
		}
		return metrics.Look(ctx, again.over(again.reader), namespace)
	}
}

// countRequests returns what has the clients of a configuration count what they send.
func countRequests(sent *atomic.Int64) func(*rest.Config) *rest.Config {
	return func(config *rest.Config) *rest.Config {
		config.Wrap(func(next http.RoundTripper) http.RoundTripper {
			return promhttp.RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
				sent.Add(1)
				return next.RoundTrip(request)
			})
		})
		return config
	}
}

// report says that a look ended otherwise than the one before.
func (o *metricsOptions) report(err error) {
	if o.once {
		return // the error is the answer
	}
	if err != nil {
		warn(o.out.ErrOut, "the look failed; the numbers of the last successful one stay: "+err.Error())
		return
	}
	_, _ = fmt.Fprintln(o.out.ErrOut, "The cluster can be read again.")
}

func (o *metricsOptions) printOnce(ctx context.Context, exporter *metrics.Exporter) error {
	if err := exporter.LookOnce(ctx); err != nil {
		return err
	}
	return o.write(exporter)
}

// write prints the metrics: all of them, or nothing.
func (o *metricsOptions) write(exporters ...*metrics.Exporter) error {
	var text bytes.Buffer
	if err := metrics.Write(&text, thisBuild().Version, exporters...); err != nil {
		return err
	}
	_, err := o.out.Out.Write(text.Bytes())
	return err
}

func (o *metricsOptions) serve(ctx context.Context, c *connection, exporter *metrics.Exporter) error {
	server := &metrics.Server{Exporters: []*metrics.Exporter{exporter}}
	if o.authenticate {
		reviewer, err := cluster.NewTokenReviewer(c.plain)
		if err != nil {
			return err
		}
		server.Guard = metrics.Guard(reviewer)
	}
	return o.listen(ctx, server)
}

func (o *metricsOptions) listen(ctx context.Context, server *metrics.Server) error {
	server.Version, server.CertFile, server.KeyFile = thisBuild().Version, o.certFile, o.keyFile
	scheme := "http"
	if o.certFile != "" {
		scheme = "https"
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.listenAddress)
	if err != nil {
		return fmt.Errorf("--listen-address %s can't be used: %w", o.listenAddress, err)
	}
	// Each look leaves garbage of some ten megabytes behind. To collect it twice as often costs a fifth of the
	// processor time, and saves a quarter of the memory that a pod must be given (docs/performance.md).
	defer collectAt(servingGCPercent)()
	_, _ = fmt.Fprintf(o.out.ErrOut, "Serving %s://%s/metrics, with a look every %s.\n", scheme, listener.Addr(),
		o.interval)
	return server.Serve(ctx, listener)
}

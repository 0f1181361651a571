// Command certmanager is cert-manager's controller: all controllers of its module, which leaves the main package of
// theirs to a module that isn't published. Its flags are the ones that the chart sets.
package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/cert-manager/cert-manager/pkg/controller"
	_ "github.com/cert-manager/cert-manager/pkg/controller/acmechallenges"
	_ "github.com/cert-manager/cert-manager/pkg/controller/acmeorders"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/acme"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/approver"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/ca"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificaterequests/selfsigned"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/issuing"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/keymanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/readiness"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/requestmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/revisionmanager"
	_ "github.com/cert-manager/cert-manager/pkg/controller/certificates/trigger"
	_ "github.com/cert-manager/cert-manager/pkg/controller/clusterissuers"
	_ "github.com/cert-manager/cert-manager/pkg/controller/issuers"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/acme"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/ca"
	_ "github.com/cert-manager/cert-manager/pkg/issuer/selfsigned"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

func main() {
	var options controller.ContextOptions
	var namespace, nameserver string
	klog.InitFlags(nil)
	flag.StringVar(&options.ClusterResourceNamespace, "cluster-resource-namespace", "kube-system", "of ClusterIssuers")
	flag.StringVar(&namespace, "leader-election-namespace", "kube-system", "of the Lease")
	flag.StringVar(&options.HTTP01SolverImage, "acme-http01-solver-image", "", "of the solver's pods")
	flag.IntVar(&options.MaxConcurrentChallenges, "max-concurrent-challenges", 60, "that are worked on")
	flag.StringVar(&nameserver, "dns01-recursive-nameservers", "127.0.0.1:53", "that is asked")
	flag.Parse()
	options.DNS01Nameservers, options.HTTP01SolverNameservers = []string{nameserver}, []string{nameserver}
	options.DNS01CheckRetryPeriod, options.ACMEHTTP01SolverRunAsNonRoot = 10*time.Second, true
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, options, namespace); err != nil {
		klog.Fatal(err)
	}
}

// run runs all controllers for as long as it leads. A leader that has lost its Lease ends, and is started again.
func run(ctx context.Context, options controller.ContextOptions, namespace string) error {
	config, err := rest.InClusterConfig()
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	name, err := os.Hostname()
	if err != nil {
		return err
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Namespace: namespace, Name: "cert-manager-controller"},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: name + "-external-cert-manager-controller"},
		},
		LeaseDuration: time.Minute, RenewDeadline: 40 * time.Second, RetryPeriod: 5 * time.Second, ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				if err := lead(ctx, options); err != nil {
					klog.Fatal(err)
				}
			},
			OnStoppedLeading: func() { klog.Info("leads no more") },
		},
	})
	return nil
}

func lead(ctx context.Context, options controller.ContextOptions) error {
	factory, err := controller.NewContextFactory(ctx, options)
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	for name, construct := range controller.Known() {
		one, err := construct(factory)
		if err != nil {
			return err
		}
		all.Go(func() {
			if err := one.Run(5, ctx); err != nil {
				klog.Fatalf("%s: %v", name, err)
			}
		})
	}
	shared, err := factory.Build()
	if err != nil {
		return err
	}
	shared.SharedInformerFactory.Start(ctx.Done())
	shared.KubeSharedInformerFactory.Start(ctx.Done())
	shared.HTTP01ResourceMetadataInformersFactory.Start(ctx.Done())
	all.Wait()
	return nil
}

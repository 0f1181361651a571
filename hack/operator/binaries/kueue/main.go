// Command kueue is Kueue's controller manager for Jobs: the controllers and the scheduler of its module, without
// webhooks and without the kinds of jobs that other projects bring. Its own main package needs all of these, in
// versions that don't fit together here.
package main

import (
	"context"
	"flag"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/discovery"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	configapi "sigs.k8s.io/kueue/apis/config/v1beta2"
	kueuev1beta1 "sigs.k8s.io/kueue/apis/kueue/v1beta1"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	qcache "sigs.k8s.io/kueue/pkg/cache/queue"
	schdcache "sigs.k8s.io/kueue/pkg/cache/scheduler"
	"sigs.k8s.io/kueue/pkg/config"
	"sigs.k8s.io/kueue/pkg/constants"
	"sigs.k8s.io/kueue/pkg/controller/core"
	"sigs.k8s.io/kueue/pkg/controller/core/indexer"
	"sigs.k8s.io/kueue/pkg/controller/jobframework"
	_ "sigs.k8s.io/kueue/pkg/controller/jobs/job"
	"sigs.k8s.io/kueue/pkg/controller/tas"
	tasindexer "sigs.k8s.io/kueue/pkg/controller/tas/indexer"
	"sigs.k8s.io/kueue/pkg/scheduler"
	"sigs.k8s.io/kueue/pkg/scheduler/preemption/expectations"
	"sigs.k8s.io/kueue/pkg/util/kubeversion"
)

func main() {
	file := flag.String("config", "", "the Configuration")
	choices := zap.Options{}
	choices.BindFlags(flag.CommandLine)
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.UseFlagOptions(&choices)))
	if err := run(ctrl.SetupSignalHandler(), *file); err != nil {
		panic(err)
	}
}

func run(ctx context.Context, file string) error {
	scheme := runtime.NewScheme()
	adds := []func(*runtime.Scheme) error{
		clientgoscheme.AddToScheme, kueue.AddToScheme, kueuev1beta1.AddToScheme, configapi.AddToScheme,
	}
	for _, add := range adds {
		if err := add(scheme); err != nil {
			return err
		}
	}
	options, settings, err := config.Load(scheme, file)
	if err != nil {
		return err
	}
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), options)
	if err != nil {
		return err
	}
	if err := index(ctx, mgr, settings); err != nil {
		return err
	}
	if err := control(ctx, mgr, settings); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

func index(ctx context.Context, mgr manager.Manager, settings configapi.Configuration) error {
	if err := indexer.Setup(ctx, mgr.GetFieldIndexer()); err != nil {
		return err
	}
	if err := tasindexer.SetupIndexes(ctx, mgr.GetFieldIndexer()); err != nil {
		return err
	}
	frameworks := jobframework.WithEnabledFrameworks(settings.Integrations.Frameworks)
	return jobframework.SetupIndexes(ctx, mgr.GetFieldIndexer(), frameworks)
}

// control adds the controllers and the scheduler, which share what they know of the queues.
func control(ctx context.Context, mgr manager.Manager, settings configapi.Configuration) error {
	served, err := discovery.NewDiscoveryClientForConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	version := kubeversion.NewServerVersionFetcher(served)
	if err := version.FetchServerVersion(); err != nil {
		return err
	}
	requeuer, expected := qcache.NewRequeuer(), expectations.New()
	if err := mgr.Add(requeuer); err != nil {
		return err
	}
	admitted := schdcache.New(mgr.GetClient())
	queues := qcache.NewManager(mgr.GetClient(), admitted, requeuer, qcache.WithPreemptionExpectations(expected))
	if _, err := core.SetupControllers(mgr, queues, admitted, &settings, nil, expected, nil); err != nil {
		return err
	}
	if _, err := tas.SetupControllers(mgr, queues, admitted, &settings, nil); err != nil {
		return err
	}
	selector, err := metav1.LabelSelectorAsSelector(settings.ManagedJobsNamespaceSelector)
	if err != nil {
		return err
	}
	err = jobframework.SetupControllers(ctx, mgr, ctrl.Log,
		jobframework.WithKubeServerVersion(version),
		jobframework.WithEnabledFrameworks(settings.Integrations.Frameworks),
		jobframework.WithManagerName(constants.KueueName),
		jobframework.WithCache(admitted), jobframework.WithQueues(queues),
		jobframework.WithManagedJobsNamespaceSelector(selector),
	)
	if err != nil {
		return err
	}
	go queues.CleanUpOnContext(ctx)
	go admitted.CleanUpOnContext(ctx)
	events := mgr.GetEventRecorderFor(constants.AdmissionName)
	return mgr.Add(scheduler.New(queues, admitted, mgr.GetClient(), events,
		scheduler.WithPreemptionExpectations(expected)))
}

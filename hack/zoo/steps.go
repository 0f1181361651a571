package zoo

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// stepTimeout bounds every wait. It is never what a step waits for.
const stepTimeout = 5 * time.Minute

// Breaker carries out steps on a control plane.
type Breaker struct {
	plane  *controlplane.ControlPlane
	client dynamic.Interface
	mapper meta.RESTMapper
	hush   *sync.Map // what ends a patch that is repeated, by its object
}

// NewBreaker returns a Breaker that acts as cluster administrator.
func NewBreaker(plane *controlplane.ControlPlane) (*Breaker, error) {
	config, err := plane.AdminConfig()
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	found, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	cached := memory.NewMemCacheClient(found)
	mapper := restmapper.NewShortcutExpander(restmapper.NewDeferredDiscoveryRESTMapper(cached), cached, nil)
	return &Breaker{plane: plane, client: client, mapper: mapper, hush: &sync.Map{}}, nil
}

// Break carries out all steps of a scenario.
func (b *Breaker) Break(ctx context.Context, scenario Scenario) error {
	for number, step := range scenario.Steps {
		if err := b.do(ctx, step); err != nil {
			return fmt.Errorf("%s, step %d: %w", scenario.ID, number+1, err)
		}
	}
	return nil
}

// Clean carries out the cleanup of a scenario, all of it, whatever fails on the way.
func (b *Breaker) Clean(ctx context.Context, scenario Scenario) error {
	var failed error
	for number, step := range scenario.Cleanup {
		if err := b.do(ctx, step); err != nil && !apierrors.IsNotFound(err) && !meta.IsNoMatchError(err) {
			failed = errors.Join(failed, fmt.Errorf("%s, cleanup %d: %w", scenario.ID, number+1, err))
		}
	}
	return failed
}

func (b *Breaker) do(ctx context.Context, step Step) error {
	switch {
	case step.Apply != "":
		return b.apply(ctx, step.Apply)
	case step.Many != nil:
		return b.createMany(ctx, *step.Many)
	case step.Patch != nil:
		return b.keepPatching(ctx, *step.Patch)
	case step.Delete != nil:
		return b.delete(ctx, *step.Delete)
	case step.DeadNode != "":
		return b.plane.DeadNode(ctx, step.DeadNode)
	case step.AliveNode != "":
		return b.plane.AliveNode(ctx, step.AliveNode)
	case step.Until != nil:
		return b.Await(ctx, *step.Until)
	case step.Own != nil:
		return b.own(ctx, *step.Own)
	case step.Refused != nil:
		return b.refused(ctx, *step.Refused)
	case step.ControllerManager == "pause":
		return b.plane.PauseControllerManager(ctx)
	case step.ControllerManager == "alone":
		return b.plane.RunControllerManagerAlone(ctx)
	case step.ControllerManager == "resume":
		return b.plane.ResumeControllerManager(ctx)
	case step.Finalize != nil:
		return b.finalize(ctx, *step.Finalize)
	case step.Restart == "apiserver":
		return b.plane.RestartAPIServer(ctx)
	case step.Etcd != nil:
		return b.etcd(ctx, *step.Etcd)
	case step.Aged != nil:
		return b.aged(ctx, *step.Aged)
	case step.Log != nil:
		return b.log(ctx, *step.Log)
	}
	return errors.New("the step says nothing to do")
}

func describe(err error, verb, object string) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", verb, object, err)
}

func poll(ctx context.Context, condition wait.ConditionWithContextFunc) error {
	return wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, stepTimeout, true, condition)
}

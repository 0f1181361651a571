package mechanism

import (
	"cmp"
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// withStopHook adds to an answer that knows no controller what the pod itself may do: a preStop hook can remove the
// finalizer, with the rights of the pod's ServiceAccount. It runs once, before the container is stopped (k8s v1.37
// pkg/kubelet/kuberuntime/kuberuntime_container.go:executePreStopHook). What a script does is not known, so the hook is
// named, with what its account lacks, and no cause.
func withStopHook(ctx context.Context, t *Tools, held Held, said Answer) Answer {
	details, unknown := unknownController(said)
	if !unknown || !held.Object.Is("", "Pod") {
		return said
	}
	pod, err := session.ReadAs[corev1.Pod](ctx, t.Session, held.Object)
	if err != nil {
		return said // what failed is noted
	}
	hook, found := stopHook(pod, held.Hold.Name)
	if !found {
		return said
	}
	account := stopHookAccount(ctx, t, held, &hook)
	cause := said.Causes[0]
	named := held.Ref.Observed("preStop hook of container %s", hook.Container)
	cause.Evidence = slices.Concat([]Evidence{named}, cause.Evidence, account)
	details.Hook = &hook
	cause.Details = details
	said.Causes = []Finding{cause}
	return said
}

// unknownController returns the details of an answer that says nothing but that it knows no controller.
func unknownController(said Answer) (details finding.ControllerUnknownDetails, unknown bool) {
	if len(said.Causes) != 1 || said.Causes[0].Reason != finding.ControllerUnknown {
		return details, false
	}
	details, unknown = said.Causes[0].Details.(finding.ControllerUnknownDetails)
	return details, unknown && details.Controller == nil
}

// stopHook returns the preStop hook that may remove a finalizer: first one whose command is about it, or about
// finalizers. One that sleeps is none.
func stopHook(pod *corev1.Pod, finalizer string) (hook finding.StopHookDetails, found bool) {
	account := cmp.Or(pod.Spec.ServiceAccountName, "default") // k8s v1.37 plugin/pkg/admission/serviceaccount/admission.go
	hook.Account = session.Named(cluster.ServiceAccounts(), pod.Namespace, account).Ref
	for _, container := range slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers) {
		if container.Lifecycle == nil || container.Lifecycle.PreStop == nil || container.Lifecycle.PreStop.Exec == nil {
			continue
		}
		command := strings.Join(container.Lifecycle.PreStop.Exec.Command, " ")
		switch {
		case naming.HasName(command, finalizer), naming.HasName(command, naming.FinalizersField):
			hook.Container, hook.Finalizers = container.Name, true
			return hook, true
		case !naming.HasName(command, naming.Sleep):
			hook.Container = cmp.Or(hook.Container, container.Name)
		}
	}
	return hook, hook.Container != ""
}

// stopHookAccount says of a hook whether its ServiceAccount exists today, and may update the pod.
func stopHookAccount(ctx context.Context, t *Tools, held Held, hook *finding.StopHookDetails) (evidence []Evidence) {
	account, reads := hook.Account, cmp.Or(t.Session.Today, t.Session)
	switch _, err := reads.Read(ctx, cluster.ServiceAccounts(), account.Namespace, account.Name); {
	case apierrors.IsNotFound(err):
		hook.Gone = true
		evidence = append(evidence, account.NotFound())
	case err == nil && attribution.LacksRights(ctx, t.Attribution, held.Object, account):
		hook.Forbidden = true
		evidence = append(evidence, finding.Observed("RBAC", "%s can't update %s", account, held.Ref))
	}
	return evidence
}

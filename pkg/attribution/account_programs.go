package attribution

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// program is one workload, or a pod that nothing runs, which runs as a candidate's ServiceAccount. Several may share
// one.
type program struct {
	workload *session.Object // nil for a pod without one
	name     string
	template corev1.PodTemplateSpec
	pods     []*corev1.Pod
	signs    signs.List
}

func (p *program) ready() bool { return slices.ContainsFunc(p.pods, podReady) }

func (p *program) ref(namespace string) finding.Ref {
	if p.workload != nil {
		return p.workload.Ref
	}
	return session.Named(cluster.Pods(), namespace, p.name).Ref
}

// programsOf lists the workloads of some kinds that run as a candidate's ServiceAccount.
func (e examination) programsOf(ctx context.Context, kinds ...cluster.Resource) (programs []*program, read bool) {
	for _, resource := range kinds {
		list, err := e.search.session.Reader.List(ctx, resource, e.c.namespace, cluster.Selector{})
		if err != nil && !apierrors.IsNotFound(err) {
			return nil, e.search.cannot(finding.Unread{Kinds: []string{"workloads"}, Namespace: e.c.namespace}, err)
		}
		for i := range list {
			if !e.c.runsAs(accountOf(&list[i])) {
				continue
			}
			typed, err := session.As[podRunner](&list[i])
			if err != nil {
				continue
			}
			if found, err := session.FromWhole(resource, &list[i]); err == nil {
				programs = append(programs,
					&program{workload: found, name: found.Ref.Name, template: typed.Spec.Template})
			}
		}
	}
	return programs, true
}

// runsAs reports whether a template's ServiceAccount is a candidate's.
func (c *candidate) runsAs(account string) bool {
	return account == c.account.Name || account == "" && c.account.Name == "default"
}

// assign gives each pod to the workload that selects it; what none selects stands for itself, where nothing controls
// it.
func assign(pods []*corev1.Pod, programs []*program) []*program {
	for _, pod := range pods {
		of := slices.IndexFunc(programs, func(one *program) bool {
			return one.workload != nil && selects(one.workload, pod)
		})
		switch {
		case of >= 0:
			programs[of].pods = append(programs[of].pods, pod)
		case metav1.GetControllerOfNoCopy(pod) == nil:
			alone := &program{name: pod.Name, pods: []*corev1.Pod{pod}}
			alone.template = templateOf(pod)
			programs = append(programs, alone)
		}
	}
	return programs
}

// templateOf is what a pod was made of, as far as the pod tells.
func templateOf(pod *corev1.Pod) corev1.PodTemplateSpec {
	meta := metav1.ObjectMeta{Labels: pod.Labels, Annotations: pod.Annotations}
	return corev1.PodTemplateSpec{ObjectMeta: meta, Spec: pod.Spec}
}

// template is what a candidate's pods are made of, or the first of them was; an empty one where it has neither. It
// answers false for a workload that can't be decoded.
func (c *candidate) template() (template corev1.PodTemplateSpec, known bool) {
	switch {
	case c.workload != nil && c.workload.Whole != nil:
		typed, err := session.As[podRunner](c.workload.Whole)
		if err != nil {
			return template, false
		}
		template = typed.Spec.Template
	case len(c.pods) > 0:
		template = templateOf(c.pods[0])
	}
	return template, true
}

func selects(object *session.Object, pod *corev1.Pod) bool {
	selector, known := podSelector(object)
	if !known {
		owner := metav1.GetControllerOfNoCopy(pod)
		return owner != nil && (owner.Name == object.Ref.Name || strings.HasPrefix(owner.Name, object.Ref.Name+"-"))
	}
	parsed, err := labels.Parse(selector)
	return err == nil && parsed.Matches(labels.Set(pod.Labels))
}

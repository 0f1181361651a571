package attribution

import (
	"cmp"
	"context"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

type podRunner struct {
	Spec struct {
		Selector *metav1.LabelSelector  `json:"selector"`
		Template corev1.PodTemplateSpec `json:"template"`
	} `json:"spec"`
}

// accountOf is the ServiceAccount that a workload's pods run as, or empty where it names none.
func accountOf(workload *unstructured.Unstructured) string {
	account, _, _ := unstructured.NestedString(workload.Object, "spec", "template", "spec", "serviceAccountName")
	return account
}

// runBy reports whether something of a kind runs one of some pods.
func runBy(pods []*corev1.Pod, kind string) bool {
	return slices.ContainsFunc(pods, func(pod *corev1.Pod) bool {
		return slices.ContainsFunc(pod.OwnerReferences, func(owner metav1.OwnerReference) bool {
			return owner.Kind == kind || owner.Kind == "ReplicaSet" && kind == "Deployment"
		})
	})
}

// workloadsByName returns the workloads named after the project, the best first: Deployments, others only on a trace.
func (s *search) workloadsByName(ctx context.Context, leases []leaseItem) (found []*candidate, read bool) {
	looked := "Deployments"
	for _, resource := range cluster.WorkloadKinds() {
		if resource.Kind == "StatefulSet" {
			if len(found) > 0 || !traced(s.criteria, s.leads) {
				break
			}
			looked = "Deployments, StatefulSets and DaemonSets"
		}
		list, err := session.ListServed[podRunner](ctx, s.session, resource.Group, resource.Resource, "", cluster.Selector{})
		if err != nil {
			return nil, s.cannot(finding.Unread{Kinds: []string{resource.Kind + "s"}}, err)
		}
		sees(s, resource.Kind+"s")
		for _, item := range list {
			if c := s.workloadCandidate(item.Object, item.Typed.Spec.Template, leases); c != nil {
				found = append(found, c)
			}
		}
	}
	sortByScore(found)
	if len(found) == 0 {
		name := cmp.Or(s.leads.project.Group, finding.Some(s.terms().all(), mostNamed))
		s.note(looked, "none is named after "+name+" or mentions it other than in a host name")
	}
	return found, true
}

// programs are the workloads of all namespaces. Where they can't be listed, what names the ones that were not read.
func programs(ctx context.Context, reads *session.Session) (found []*program, what finding.Unread, err error) {
	for _, kind := range cluster.WorkloadKinds() {
		list, err := session.ListServed[podRunner](ctx, reads, kind.Group, kind.Resource, "", cluster.Selector{})
		if err != nil {
			return nil, finding.Unread{Kinds: []string{kind.Kind + "s"}, Namespace: finding.AllNamespaces}, err
		}
		for _, item := range list {
			template := item.Typed.Spec.Template
			found = append(found, &program{workload: item.Object, name: item.Object.Ref.Name, template: template})
		}
	}
	return found, finding.Unread{}, nil
}

// Told returns the workloads whose programs are told a name. Where they can't be listed, what names the ones that were
// not read.
func (f *Finder) Told(ctx context.Context, name string) (found []*session.Object, what finding.Unread, err error) {
	programs, what, err := programs(ctx, f.Session)
	for _, one := range programs {
		if session.Names(one.template, name) {
			found = append(found, one.workload)
		}
	}
	return found, what, err
}

// traced reports whether something besides the API group's name leads to a workload: a program that wrote the
// finalizer, a Lease, an installation, something that answers for the group.
func traced(criteria criteria, leads leads) bool {
	answered := slices.ContainsFunc(leads.endpoints, func(one endpoint) bool { return one.selector != nil })
	return leads.liveLease || leads.oldLease || leads.installed != (installation{}) || answered || criteria.written
}

// workloadCandidate judges whether a workload may be the controller. One name in common is not enough.
func (s *search) workloadCandidate(
	workload *session.Object, template corev1.PodTemplateSpec, leases []leaseItem,
) *candidate {
	name := workload.Ref.Name
	c := &candidate{workload: workload, namespace: workload.Ref.Namespace}
	c.account = rbac.Subject{ // pods that name none run as this one (k8s v1.37 plugin/pkg/admission/serviceaccount)
		Kind: "ServiceAccount", Namespace: c.namespace, Name: cmp.Or(template.Spec.ServiceAccountName, "default"),
	}
	if slices.ContainsFunc(s.criteria.managers, func(text string) bool { return writesAs(text, name, template) }) {
		c.points(signs.SetFinalizer, finding.Clue{})
	}
	if name, kind := s.terms().mentioned(template); name != "" {
		c.points(kind, finding.Clue{Name: name})
	}
	release := workload.Meta.Annotations["meta.helm.sh/release-name"]
	if release != "" && release == s.leads.installed.release && c.namespace == s.leads.installed.namespace {
		c.points(signs.OfSameRelease, finding.Clue{Name: s.leads.installed.String()})
	}
	c.addLeases(s, workload, leases)
	operates := naming.LooksLikeOperator(name) || naming.LooksLikeOperator(c.namespace)
	if word := naming.WordOfName(c.namespace, name, s.terms().all()...); operates && word != "" {
		c.signs = c.signs.With(signs.NamedAsProjectsOperator, finding.Clue{}, word)
	}
	switch named := s.terms().namedForKind(c); {
	case named && (s.bare(c) != notBare || mayDoEverything(s.subjects, c)):
		word := naming.WordOfName(c.namespace, name, s.terms().ofKind()...)
		c.signs = c.signs.With(signs.NamedAsKindsOperator, finding.Clue{}, word)
	case named && !knownElsewhere(s, c): // and with rights on other projects' resources
		s.subjects.namesakes = append(s.subjects.namesakes, c)
	}
	if lost := c.lostRole(s.unbound()); lost != "" {
		c.points(signs.NamedAsRole, finding.Clue{Name: lost})
	}
	if own, beside := answers(s.leads, c.namespace, template.Labels); own != nil {
		c.points(signs.AnswersFor, finding.Clue{Rights: own})
	} else if beside != nil {
		c.points(signs.BesideAnswering, finding.Clue{Rights: beside})
	}
	if c.score() < signs.EnoughSigns {
		return nil
	}
	named := session.ObservedOf(workload, finding.And(voiceAsOf(s.session).Phrases(c.signs.Phrases())))
	c.evidence = append(c.evidence, named.Ranked(finding.Second))
	return c
}

// podsOf returns the pods that run as a candidate's ServiceAccount and have not finished. Many workloads run as a
// namespace's default one, so that then the candidate's own pods are asked for.
func podsOf(ctx context.Context, reads *session.Session, c *candidate) ([]*corev1.Pod, error) {
	selector := cluster.Selector{Fields: cluster.FieldIs("spec.serviceAccountName", c.account.Name)}
	switch own, known := podSelector(c.workload); {
	case known:
		selector = cluster.Selector{Labels: own}
	case c.account.Name == "":
		return nil, nil
	}
	items, err := session.ListWhole[corev1.Pod](ctx, reads, cluster.Pods(), c.namespace, selector)
	var pods []*corev1.Pod
	c.ended = nil
	for _, item := range items {
		if health.PodEnded(item.Typed) {
			c.ended = append(c.ended, item.Typed)
		} else {
			pods = append(pods, item.Typed)
		}
	}
	return pods, err
}

// podSelector is what a workload selects its pods by, if it was read.
func podSelector(object *session.Object) (selector string, known bool) {
	if object == nil || object.Whole == nil {
		return "", false
	}
	typed, err := session.As[podRunner](object.Whole)
	if err != nil || typed.Spec.Selector == nil {
		return "", false
	}
	selects, err := metav1.LabelSelectorAsSelector(typed.Spec.Selector)
	return selects.String(), err == nil && !selects.Empty()
}

func podReady(pod *corev1.Pod) bool {
	ready := health.PodCondition(pod, corev1.PodReady)
	return pod.DeletionTimestamp == nil && ready != nil && ready.Status == corev1.ConditionTrue
}

// since is the pod of a candidate that has been ready the longest, and since when. One that starts over and over counts
// from its creation: each start would be a first moment else.
func (c *candidate) since() (pod string, ready time.Time) {
	for _, one := range c.pods {
		if !podReady(one) {
			continue
		}
		at := health.PodCondition(one, corev1.PodReady).LastTransitionTime.Time
		again := func(is corev1.ContainerStatus) bool { return is.RestartCount > 0 }
		if slices.ContainsFunc(one.Status.ContainerStatuses, again) {
			at = one.CreationTimestamp.Time
		}
		if pod == "" || at.Before(ready) {
			pod, ready = one.Name, at
		}
	}
	return pod, ready
}

// deletedEvidence is about something that is being deleted, and what follows.
func deletedEvidence(reads *session.Session, object *session.Object, follows string) finding.Evidence {
	deleted := session.ObservedOf(object, reads.Deleted(object.RequestedAt())+follows)
	return deleted.When(object.RequestedAt())
}

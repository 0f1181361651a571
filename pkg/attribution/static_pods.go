package attribution

import (
	"context"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// byStaticPod looks for a controller among the static pods, if RBAC lets Users remove the finalizer: a static pod can
// have no ServiceAccount (k8s v1.37 plugin/pkg/admission/serviceaccount/admission.go:Validate), so it acts as a User.
// It is the one if it has the name of that User, or of the program that set the finalizer. It answers false if the pods
// can't be read.
func byStaticPod(ctx context.Context, s *search) (found decision, read bool) {
	if len(certified(s)) == 0 {
		return found, true
	}
	// Pods with no ServiceAccount: there are a few on each node of a control plane, and all others have one.
	selector := cluster.Selector{Fields: cluster.FieldIs("spec.serviceAccountName", "")}
	pods, err := session.ListWhole[corev1.Pod](ctx, s.session, cluster.Pods(), "", selector)
	if err != nil {
		return found, s.cannot(finding.Unread{Kinds: []string{"pods"}, Namespace: finding.AllNamespaces}, err)
	}
	sees(s, ofStaticPods)
	var same []*corev1.Pod // on several nodes
	var chosen *candidate
	for _, pod := range pods {
		user, by, tied := tiedTo(s, pod.Typed)
		if !tied || pod.Typed.Annotations[corev1.MirrorPodAnnotationKey] == "" {
			continue
		}
		if same = append(same, pod.Typed); chosen == nil || podReady(pod.Typed) && !podReady(chosen.pods[0]) {
			chosen = &candidate{
				account: user.Subject, access: user, namespace: pod.Object.Ref.Namespace, workload: pod.Object,
				pods: []*corev1.Pod{pod.Typed}, programs: programNames([]*corev1.Pod{pod.Typed}), signs: signs.List{by},
			}
		}
	}
	if chosen == nil {
		return found, true
	}
	if podReady(chosen.pods[0]) {
		chosen.state = candidateAlive
		observeReady(chosen, chosen.pods[0])
		if !(examination{s, chosen}).leases(ctx, same) {
			return found, false
		}
	} else if !(examination{s, chosen}).down(ctx, same) {
		return found, false
	}
	meet(s, chosen)
	if chosen.state == candidateAlive {
		return decision{Running, chosen}, true
	}
	return decision{Down, chosen}, true
}

// tiedTo returns the User as which a static pod probably acts, if that may remove the finalizer: the one of its name,
// or the only one where its name is that of the program that set the finalizer.
func tiedTo(s *search, pod *corev1.Pod) (user *rbac.Access, by signs.Sign, tied bool) {
	names := []string{strings.TrimSuffix(pod.Name, "-"+pod.Spec.NodeName)}
	for _, container := range pod.Spec.Containers {
		names = append(names, container.Name)
	}
	names = slices.DeleteFunc(append(names, slices.Collect(maps.Values(pod.Labels))...), naming.Generic)
	users := certified(s)
	for _, user := range users {
		if slices.ContainsFunc(names, func(name string) bool { return name == bareUser(user.Name) }) {
			return user, signs.Of(signs.NamedAsUser, finding.Clue{Name: user.Name}), true
		}
	}
	at := slices.IndexFunc(s.criteria.managers, func(manager string) bool { return slices.Contains(names, manager) })
	if at < 0 || len(users) > 1 {
		return nil, by, false
	}
	return users[0], signs.Of(signs.NamedAsSetter, finding.Clue{Name: s.criteria.managers[at]}), true
}

// certified are the Users who may remove the finalizer and have no address: a program on a node has a certificate with
// its name.
func certified(s *search) []*rbac.Access {
	return slices.DeleteFunc(slices.Clone(s.subjects.users), func(user *rbac.Access) bool {
		return strings.Contains(user.Name, "@")
	})
}

// bareUser is the name of a User without what says where it comes from: system:acme, acme@example.com.
func bareUser(name string) string {
	name, _, _ = strings.Cut(name[strings.LastIndex(name, ":")+1:], "@")
	return name
}

// actsAsUser reports whether the program that set the finalizer has the name of a User who may remove it: it may act as
// that one wherever it runs.
func actsAsUser(s *search) (*rbac.Access, bool) {
	for _, user := range s.subjects.users {
		same := func(manager string) bool { return alike(manager, bareUser(user.Name)) }
		if slices.ContainsFunc(s.criteria.managers, same) {
			return user, true
		}
	}
	return nil, false
}

// addUser remembers a User who may remove the finalizer by rules about the kind.
func (s *subjects) addUser(access *rbac.Access) {
	if access.Kind == rbacv1.UserKind {
		s.users = append(s.users, access)
	}
}

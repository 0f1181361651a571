package attribution

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// cataloguedWorkloads returns the workloads that fit the catalogue: in the usual or own namespace, or else all.
func (s *search) cataloguedWorkloads(ctx context.Context) (found []*candidate, err error) {
	for _, resource := range cluster.WorkloadKinds() {
		patterns := patterns(s.criteria, resource.Kind)
		if len(patterns)+len(s.criteria.known.Labels)+len(s.criteria.known.Containers) == 0 {
			continue
		}
		list, err := s.session.Reader.List(ctx, resource, "", cluster.Selector{})
		if err != nil {
			s.cannot(finding.Unread{Kinds: []string{resource.Kind + "s"}}, err)
			return nil, err
		}
		for i := range list {
			clue, fits := described(s.criteria, &list[i], patterns)
			if !fits {
				continue
			}
			workload, err := session.FromWhole(resource, &list[i])
			if err != nil {
				return nil, err
			}
			namespace, account := workload.Ref.Namespace, cmp.Or(accountOf(&list[i]), "default")
			one := &candidate{
				account:  rbac.Subject{Kind: "ServiceAccount", Namespace: namespace, Name: account},
				workload: workload, namespace: namespace,
				signs: signs.List{}.With(clue, finding.Clue{Name: s.criteria.known.RemovedBy}),
			}
			if typed, err := session.As[podRunner](&list[i]); err == nil {
				one.addTemplate(s.terms(), workload.Ref.Name, typed.Spec.Template)
			}
			found = append(found, one)
		}
	}
	usual := slices.DeleteFunc(slices.Clone(found), func(c *candidate) bool { // some are installed for one namespace
		return !matchesAny(s.criteria.known.Namespaces, c.namespace) && c.namespace != s.criteria.namespace
	})
	if len(usual) > 0 {
		return usual, nil
	}
	return found, nil
}

// described says what of a plugin's description fits a workload, or nothing. A name that many programs have, such as
// controller-manager, fits only in the usual namespaces, or with the project's labels beside it, and no pattern fits
// what has another value for one of these labels. A workload with another name, as Helm gives one to a release, is
// known by all labels of its pods, or by a container.
func described(
	criteria criteria, workload *unstructured.Unstructured, patterns []string,
) (clue signs.Kind, fits bool) {
	name := workload.GetName()
	all, own, other := labelled(criteria, workload)
	generic := naming.Generic(name)
	switch {
	case matchesAny(patterns, name) &&
		!(generic && !own && !matchesAny(criteria.known.Namespaces, workload.GetNamespace())) &&
		!(other && (generic || !slices.Contains(patterns, name))):
		return signs.DescribedByName, true
	case all && own:
		return signs.DescribedByLabels, true
	case !matchesAny(patterns, name) && !other && contains(criteria, workload):
		return signs.DescribedByContainer, true
	}
	return clue, false
}

// contains reports whether a workload has one of the catalogue's containers, by a name that says whose it is.
func contains(criteria criteria, workload *unstructured.Unstructured) bool {
	containers, _, _ := unstructured.NestedSlice(workload.Object, "spec", "template", "spec", "containers")
	return slices.ContainsFunc(containers, func(one any) bool {
		container, _ := one.(map[string]any)
		name, _, _ := unstructured.NestedString(container, "name")
		return !naming.Generic(name) && matchesAny(criteria.known.Containers, name)
	})
}

// labelled reports whether a workload's pods have all labels that a plugin gives, and one that names the project, or
// another value for one that does.
func labelled(criteria criteria, workload *unstructured.Unstructured) (all, own, other bool) {
	labels, _, _ := unstructured.NestedStringMap(workload.Object, "spec", "template", "metadata", "labels")
	all = len(criteria.known.Labels) > 0
	for _, label := range criteria.known.Labels {
		key, value, _ := strings.Cut(label, "=")
		has := labels[key] != "" && plugins.Match(value, labels[key])
		all = all && has
		named := !naming.Generic(strings.ReplaceAll(value, "*", ""))
		own = own || has && named
		other = other || labels[key] != "" && !has && named
	}
	return all, own, other
}

// bearsLabels reports whether a workload's pods have all labels that the catalogue gives of a controller, one of them
// with the project's name.
func bearsLabels(of plugins.Finalizer, workload *unstructured.Unstructured) bool {
	if workload == nil {
		return false
	}
	all, own, _ := labelled(criteria{known: &of}, workload)
	return all && own
}

// patterns are the names that the plugin gives of workloads of a kind, but for one without a word, which fits all.
func patterns(criteria criteria, kind string) (names []string) {
	for _, workload := range criteria.known.Workloads {
		if text, name, _ := strings.Cut(workload, "/"); text == kind && strings.Trim(name, "*-") != "" {
			names = append(names, name)
		}
	}
	return names
}

// searchable reports whether the plugin names workloads by which the controller would be found.
func searchable(criteria criteria) bool {
	named := len(patterns(criteria, "Deployment")) + len(
		patterns(criteria, "StatefulSet"),
	) + len(patterns(criteria, "DaemonSet"))
	return named+len(criteria.known.Containers) > 0
}

func matchesAny(patterns []string, text string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return plugins.Match(pattern, text) })
}

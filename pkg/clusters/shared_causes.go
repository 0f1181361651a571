package clusters

import (
	"cmp"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// found is a cause, or a finding of check, in one cluster.
type found struct {
	index     int
	reason    finding.Reason
	object    finding.Ref
	finalizer string
	program   string // that removes the finalizer, in the catalogue's words
	objects   int    // that wait for it, or that it is about
	besides   string // what else has to be the same
}

// key is the same for what has the same cause in several clusters. What a person installs in several clusters has the
// same name there: controllers, webhooks, definitions. Nodes, pods and the objects that are held have other names.
func (f found) key() string {
	named := ""
	if namedAlike(f.reason) {
		named = f.object.Path()
	}
	return finding.KeyOf(f.reason, f.finalizer, f.object.Group(), f.kind(), named, f.besides)
}

// kind is that of the object, unless the cause is about a controller and its finalizer, whatever it holds.
func (f found) kind() string {
	if f.ofController() {
		return ""
	}
	return f.object.Kind
}

// ofController reports whether the object is only an example of what a finalizer holds.
func (f found) ofController() bool {
	return f.finalizer != "" && slices.Contains([]finding.Reason{
		finding.ControllerMissing, finding.ControllerForbidden, finding.ControllerUnknown,
	}, f.reason)
}

func namedAlike(reason finding.Reason) bool {
	return slices.Contains([]finding.Reason{
		finding.ControllerDown, finding.ControlPlaneDown, finding.APIServiceUnavailable, finding.WebhookUnavailable,
		finding.AdmissionDenied, finding.ConversionWebhookUnavailable,
	}, reason)
}

// sharedCauses groups the root causes of a list.
func sharedCauses(list *result.List) []result.SharedCause {
	waiting := map[int]int{}
	for _, item := range list.Items {
		for _, cause := range item.RootCauses {
			waiting[cause.Index]++
		}
	}
	all := make([]found, len(list.RootCauses))
	for i, cause := range list.RootCauses {
		all[i] = found{
			index: i, reason: cause.Reason, object: cause.Object, finalizer: cause.Finalizer,
			program: programOf(cause.Details), objects: waiting[i],
		}
		if all[i].ofController() {
			all[i].object.APIVersion = ""
		}
	}
	return shared(all)
}

// programOf is what removes a finalizer, if the catalogue knows it.
func programOf(details any) string {
	switch of := details.(type) {
	case finding.ControllerMissingDetails:
		if of.Known != nil {
			return of.Known.RemovedBy
		}
	case finding.KnownFinalizerDetails:
		return of.RemovedBy
	}
	return ""
}

// sharedFindings groups what check found. The gravest comes first.
func sharedFindings(check *result.Check) []result.SharedCause {
	all := make([]found, len(check.Findings))
	for i, cause := range check.Findings {
		all[i] = found{
			index: i, reason: cause.Reason, object: cause.Object, finalizer: cause.Finalizer, program: programOf(cause.Details),
			objects: max(cause.Count, 1), besides: string(cause.Severity) + string(cause.Reference),
		}
		if all[i].ofController() {
			all[i].object.APIVersion = ""
		}
	}
	groups := shared(all)
	severity := func(group result.SharedCause) int {
		return slices.Index([]result.Severity{result.Error, result.Warning, result.Info},
			check.Findings[group.Causes[0]].Severity)
	}
	slices.SortStableFunc(groups, func(a, b result.SharedCause) int { return severity(a) - severity(b) })
	return groups
}

// shared groups what was found: what is in most clusters comes first, and last what is not known.
func shared(all []found) (groups []result.SharedCause) {
	at := map[string]int{}
	var members [][]found
	for _, one := range all {
		key := one.key()
		if _, known := at[key]; !known {
			at[key] = len(members)
			members = append(members, nil)
		}
		members[at[key]] = append(members[at[key]], one)
	}
	for _, group := range members {
		groups = append(groups, joinedCause(group))
	}
	unknown := func(group result.SharedCause) int {
		if group.Reason == finding.ControllerUnknown {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(groups, func(a, b result.SharedCause) int {
		return cmp.Or(unknown(a)-unknown(b), len(b.Clusters)-len(a.Clusters), b.Objects-a.Objects)
	})
	return groups
}

func joinedCause(group []found) result.SharedCause {
	counts := map[string]int{}
	for _, one := range group {
		counts[one.object.Cluster] += one.objects
	}
	slices.SortStableFunc(group, func(a, b found) int {
		return cmp.Or(counts[b.object.Cluster]-counts[a.object.Cluster],
			cmp.Compare(a.object.Cluster, b.object.Cluster), b.objects-a.objects)
	})
	joined := result.SharedCause{Reason: group[0].reason, Finalizer: group[0].finalizer, About: about(group)}
	for _, one := range group {
		joined.Causes, joined.Objects = append(joined.Causes, one.index), joined.Objects+one.objects
		if !slices.Contains(joined.Clusters, one.object.Cluster) {
			joined.Clusters = append(joined.Clusters, one.object.Cluster)
		}
	}
	return joined
}

// about names what a group is about: the program, the finalizer, or the object; if the objects differ, their kind.
func about(group []found) string {
	first := group[0]
	if first.ofController() {
		return cmp.Or(first.program, first.finalizer)
	}
	for _, one := range group {
		if one.object.Kind != first.object.Kind || one.object.Path() != first.object.Path() {
			return first.object.Kind
		}
	}
	return first.object.String()
}

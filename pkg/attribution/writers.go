package attribution

import (
	"context"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// Writer is a ServiceAccount that may change the objects of a resource, by rules that name it or its group.
type Writer struct {
	Account    finding.Ref
	everywhere bool
	in         []string // namespaces
}

// May reports whether it may change objects in a namespace; empty is that of what has none.
func (w Writer) May(namespace string) bool { return w.everywhere || slices.Contains(w.in, namespace) }

// Covers reports whether it may change whatever another one may.
func (w Writer) Covers(other Writer) bool {
	without := func(namespace string) bool { return !w.May(namespace) }
	return w.everywhere || !other.everywhere && !slices.ContainsFunc(other.in, without)
}

// Writers returns those of a custom resource. For a kind of Kubernetes' own there are none: rights on that show
// nothing. An error is that RBAC can't be read.
func (f *Finder) Writers(ctx context.Context, resource cluster.Resource) (writers []Writer, err error) {
	if cluster.ServedByKubernetes(resource.Group) {
		return nil, nil
	}
	grants, err := f.permissions(ctx)
	if err != nil {
		return nil, err
	}
	for _, access := range grants.Access(resource.GroupResource(), metav1.NamespaceAll) {
		if access.Account() && (access.Write || len(access.Elsewhere) > 0) {
			writers = append(writers, Writer{refOf(access.Subject), access.Write, access.Elsewhere})
		}
	}
	return writers, nil
}

// wroteLately reports whether a possible controller outside this cluster wrote to the held object since the deletion,
// not long ago: not one that is known to be gone since, and none if nothing may write any more.
func (w writes) wroteLately(ctx context.Context) bool {
	last := w.lastWrite()
	if last.At.IsZero() || w.search.session.Now().Sub(last.At) > signs.RecentWrite {
		return false
	}
	if instanceNamed(w.search, last.Manager) != nil {
		return true // whatever its template says
	}
	if len(w.search.gone) == 0 {
		return len(w.search.subjects.outside) > 0 || len(
			w.search.subjects.administrators,
		) > 0 || w.search.subjects.everyone != nil || mayStillWrite(*w.search, last.Manager) || w.worksUnseen(last) ||
			w.bySetter(last) && w.tellsSince(last)
	}
	return !slices.ContainsFunc(w.search.gone, func(c *candidate) bool {
		other := (writers.Setter{Manager: last.Manager}).Concrete() && !alike(last.Manager, c.account.Name)
		return !other && (c.state == candidateGone || c.namespaceGone || c.namespaceTerminating || c.stale ||
			w.search.finder.leftTraces(ctx, c) != nil)
	})
}

// bySetter reports whether a program wrote that says who it is, and that has set the finalizer.
func (w writes) bySetter(last writers.Written) bool {
	return slices.ContainsFunc(w.setters, func(setter writers.Setter) bool {
		return setter.Manager == last.Manager && setter.Concrete()
	})
}

// tellsSince reports whether what a program wrote tells that it deals with the deletion: words of it that have seen
// the deletion, and don't say that all is well. If RBAC lets no one write, it has a right that RBAC does not show, as a
// member of system:masters has, or by another authorizer. One that was uninstalled after a heartbeat tells nothing, nor
// does one that wrote in the second of the deletion, or to a live object: it may have gone before the deletion.
func (w writes) tellsSince(last writers.Written) bool {
	if !w.object.Terminating() || w.status.Manager != last.Manager ||
		last.At.Sub(w.object.RequestedAt()) < time.Second {
		return false
	}
	return slices.ContainsFunc(sayings(*w.search, w.object), func(saying statuses.Report) bool {
		its := len(saying.By) == 0 || slices.Contains(saying.By, last.Manager)
		return saying.Seen && !saying.Well && its
	})
}

// worksUnseen reports whether the last write is one of the status, by a program of another name than the catalogue's,
// which nothing here looks like: the controller may run under that name, with rights that no role shows.
func (w writes) worksUnseen(last writers.Written) bool {
	known := w.search.criteria.known
	if known == nil || w.status.Manager != last.Manager || w.status.At.Before(w.object.RequestedAt()) {
		return false
	}
	names := append(slices.Clone(known.Managers), known.RemovedBy)
	for _, workload := range known.Workloads {
		_, name, _ := strings.Cut(workload, "/")
		names = append(names, strings.Trim(name, "*-"))
	}
	return (writers.Setter{Manager: last.Manager}).Concrete() &&
		!slices.ContainsFunc(names, func(name string) bool { return name != "" && alike(last.Manager, name) })
}

// mayStillWrite reports whether a ServiceAccount that may do everything has the name of a field manager.
func mayStillWrite(search search, manager string) bool {
	return slices.ContainsFunc(
		search.subjects.ordinary, func(c *candidate) bool { return alike(manager, c.account.Name) },
	)
}

// sameProgram reports whether a field manager and something else have one program's name: the same, or one with the
// same words of its own. With other words beside, or a name for another duty, it may be another program: acme, and
// acme-backup or acme-webhook.
func sameProgram(manager, name string) bool {
	own := ownWords(manager)
	return manager == name || len(own) > 0 && slices.Equal(own, ownWords(name)) &&
		naming.NamedForOtherDuty(manager) == naming.NamedForOtherDuty(name)
}

// alike reports whether the one name is a part of the other.
func alike(manager, account string) bool {
	return naming.Mentions(manager, account) || naming.Mentions(account, manager)
}

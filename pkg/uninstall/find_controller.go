package uninstall

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// controls reports whether one of the operator's workloads is the controller of a finalizer, or another program is.
func (f *finder) controls(ctx context.Context, sort *guests, known *plugins.Finalizer) (ours, others bool) {
	if known != nil && f.options.Project != "" {
		return known.Project == f.options.Project, known.Project != f.options.Project
	}
	if len(f.parts.of(result.RoleWorkload)) == 0 {
		return false, known != nil
	}
	presence := f.presence(ctx, sort, known)
	switch {
	case presence.State == attribution.Missing:
		return false, false
	case presence.Controller == nil:
		return f.hasDuty(sort, known, presence), false
	}
	ours = f.isController(*presence.Controller)
	return ours, !ours
}

// presence looks for the controller of a finalizer: where objects name it, of these.
func (f *finder) presence(ctx context.Context, sort *guests, known *plugins.Finalizer) attribution.Presence {
	if sort.duty != "" {
		return mechanism.PresenceFor(ctx, f.tools, sort.objects[0], sort.finalizer, known)
	}
	return mechanism.Presence(ctx, f.tools, sort.resource, sort.finalizer, known)
}

// hasDuty reports whether a controller that is seen to run by something else than its workload, as by its Lease, is one
// of the operator's workloads: by the names and namespaces that the catalogue has for it.
func (f *finder) hasDuty(sort *guests, known *plugins.Finalizer, presence attribution.Presence) bool {
	_, byDuty := mechanism.DutyByObject(sort.objects[0], sort.finalizer)
	if !byDuty || known == nil || presence.State != attribution.Running {
		return false
	}
	for _, workload := range f.workloads() {
		home := len(known.Namespaces) == 0 || slices.Contains(known.Namespaces, workload.Ref.Namespace)
		if home && f.isWorkloadOf(workload, *known) {
			return true
		}
	}
	return false
}

// byDuty parts the objects that name the controller of their finalizer themselves, by that name: a driver removes it
// from its own volumes alone. What can't be read is noted by the session.
func (f *finder) byDuty(ctx context.Context, sorts []*guests) (parted []*guests) {
	for _, sort := range sorts {
		duty, is := mechanism.DutyByObject(sort.objects[0], sort.finalizer)
		if !is || duty.By == nil {
			parted = append(parted, sort)
			continue
		}
		f.tools.Session.Wholes(ctx, sort.objects[:min(len(sort.objects), mostRead)])
		named := map[string]*guests{}
		for _, object := range sort.objects[:min(len(sort.objects), mostRead)] {
			duty, _ := mechanism.DutyByObject(object, sort.finalizer)
			name, err := duty.Name(ctx, f.tools)
			if err != nil {
				continue // the session remembers it
			}
			if named[name] == nil {
				named[name] = &guests{resource: sort.resource, finalizer: sort.finalizer, duty: name}
				parted = append(parted, named[name])
			}
			named[name].objects = append(named[name].objects, object)
		}
		if more := len(sort.objects) - mostRead; more > 0 {
			f.note(finding.Finding{
				Situation: "UninstallNotAllRead", Details: finding.CheckedDetails{Asked: mostRead, More: more},
			})
		}
	}
	return parted
}

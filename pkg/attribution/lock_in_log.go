package attribution

import (
	"context"
	"slices"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/logs"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// lockDenial is what a program's log says of the Lease by which it would lead: the API server denies it.
type lockDenial struct {
	quiet    *quiet // nil for nothing
	evidence finding.Evidence
}

// toldByLog is a decision about a program that runs and elects a leader, unless its log quotes that it was denied the
// Lease lately, and RBAC doesn't allow it since: then it doesn't lead. It looks only where logs were requested, once.
func toldByLog(ctx context.Context, h *held, found decision) decision {
	c, f := found.candidate, h.search.finder
	if f.LogReader == nil || found.state != Running || c == nil || c.quiet != nil || c.leads {
		return found
	}
	if c.holder == "" && c.led == "" && !podsTold(c.pods, naming.ElectionOn) {
		return found
	}
	denied, _ := f.lockDenials.Get(c, func() (lockDenial, error) { return readLockDenial(ctx, f, c), nil })
	if denied.quiet == nil {
		return found
	}
	own := *c
	own.quiet, own.evidence = denied.quiet, append(slices.Clone(c.evidence), denied.evidence)
	return decision{Running, &own}
}

// readLockDenial reads the last two minutes of a candidate's logs: who elects tries every few seconds (k8s v1.37
// client-go/tools/leaderelection/leaderelection.go:acquire).
func readLockDenial(ctx context.Context, f *Finder, c *candidate) (last lockDenial) {
	since := f.Session.Now().Add(-signs.FreshWrite)
	grants := f.Grants()
	lock := schema.GroupResource{Group: coordinationv1.GroupName, Resource: "leases"}
	aboutLock := func(text string) int {
		denied, is := rbac.Denied(text)
		if !is || denied.Subject != c.account || denied.Resource != lock || grants != nil && grants.Allows(denied) {
			return -1
		}
		return 0
	}
	for _, part := range f.readLogs(ctx, c, since) {
		lines, _ := logs.LinesOf(part.text, aboutLock)
		if len(lines) == 0 {
			continue
		}
		line := lines[len(lines)-1]
		if line.At.Before(since) || last.quiet != nil && last.quiet.since.After(line.At) {
			continue
		}
		denied, _ := rbac.Denied(line.Text)
		lease := session.Named(cluster.Leases(), denied.Namespace, denied.Name).Ref
		last.evidence = logEvidence(f.Session, part, line)
		last.quiet = &quiet{kind: mayNotLeadLease, since: line.At, lease: lease, status: finding.Phrase{
			Situation: "MayNotLead", Details: finding.LeaderDetails{Lease: &lease, Account: c.accountRef()},
		}}
	}
	return last
}

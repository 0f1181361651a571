package preview

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// addLosses says what is lost with each object that goes, and the step that keeps the data of volumes. Dependents of
// the target may be of kinds that could not be listed, too.
func (p *previewer) addLosses(ctx context.Context, unlisted []cluster.Unlisted) {
	taken := p.cascade.losses(ctx)
	if ctx.Err() != nil {
		taken = append(taken, loss.Uncounted(p.target)...)
	}
	taken = append(taken, p.lossesInDoubt(ctx)...)
	if !contains(p.target) && p.result.Cascade != string(metav1.DeletePropagationOrphan) {
		taken = append(taken, loss.Unlisted(p.target, p.tools.Losses.UnlistedSought(ctx, p.target, unlisted))...)
	}
	taken = append(taken, p.cascade.claimsLeft(taken)...)
	taken = p.withDrivers(ctx, taken)
	p.result.Takes = finding.TellTaken(p.voice, taken)
	if first, needed := loss.Retain(p.tools.Session.Kubectl, taken); needed {
		p.result.Keep = &p.voice.Remedies([]finding.Remedy{first})[0]
	}
}

// withDrivers says of volumes whose storage driver can't delete them that they stay until it can. Each driver is looked
// for once.
func (p *previewer) withDrivers(ctx context.Context, taken []finding.Taken) []finding.Taken {
	known := map[string]mechanism.Reclaimer{}
	told := slices.Clone(taken)
	for i := range told {
		one := &told[i]
		if !finding.Is(one.Situation, finding.VolumeGoes) {
			continue
		}
		by, asked := known[one.Details.Driver]
		if !asked {
			volume, err := p.tools.Session.Read(ctx, cluster.PersistentVolumes(), "", one.Details.Volume.Name)
			if err == nil {
				by, _ = mechanism.Reclaims(ctx, p.tools, volume)
			}
			known[one.Details.Driver] = by
		}
		if by.Cause != nil {
			one.Situation, one.Details.May, one.Details.Reason = "VolumeLeft", true, by.Cause.Reason
			one.Details.By = &by.Cause.Object
		}
	}
	return told
}

// lossesInDoubt is what is lost with dependents that another owner may keep, which could not be read.
func (p *previewer) lossesInDoubt(ctx context.Context) (taken []finding.Taken) {
	for _, stay := range p.cascade.stays {
		if stay.outcome != ownership.Unknown {
			continue
		}
		taken = append(taken, p.tools.Losses.Deleting(ctx, stay.object)...)
		taken = append(taken, p.tools.Losses.Dependents(ctx, stay.object, func(owner *session.Object) []*session.Object {
			return p.cascade.byOwner[owner.Ref.UID]
		})...)
	}
	for i := range taken {
		taken[i].Details.May = true
	}
	return taken
}

package preview

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// addLosses says what is lost with each object that goes, and the step that keeps the data of volumes.
func (p *previewer) addLosses(ctx context.Context) {
	var taken []finding.Taken
	p.readForLosses(ctx)
	for _, object := range p.cascade.deleted {
		if !contains(object) { // what is in it stands for itself
			taken = append(taken, p.tools.Losses.Deleting(ctx, object)...)
		}
	}
	p.result.Takes = p.voice.TellTaken(taken)
	if first, needed := loss.Retain(p.tools.Session.Kubectl, taken); needed {
		p.result.Keep = &p.voice.Remedies([]finding.Remedy{first})[0]
	}
}

// readForLosses reads what shows losses in one list each, if it is much.
func (p *previewer) readForLosses(ctx context.Context) {
	var volumes []*session.Object
	read := slices.DeleteFunc(slices.Clone(p.cascade.deleted), func(object *session.Object) bool {
		return !object.Is("", "PersistentVolumeClaim") && !object.Is("", "PersistentVolume") && !object.Is("", "Pod") &&
			!object.Is("", "Service")
	})
	for _, claim := range p.tools.Session.Refetch(ctx, read) {
		if name := loss.VolumeOf(claim); name != "" {
			volumes = append(volumes, session.Named(cluster.PersistentVolumes(), "", name))
		}
	}
	p.tools.Session.Refetch(ctx, volumes)
}

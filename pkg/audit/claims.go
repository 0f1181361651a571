package audit

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/loss"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// checkClaims finds claims in one namespace whose volumes would stay when they are deleted, because the storage driver
// isn't there. A check of all namespaces finds that at the volumes themselves, by their finalizers.
func (c *checker) checkClaims(ctx context.Context) {
	if c.namespace == "" {
		return
	}
	var claims []*session.Object
	for _, object := range c.inventory.Held {
		if object.Is("", "PersistentVolumeClaim") && !object.Terminating() && len(claims) < mostNaming {
			claims = append(claims, object)
		}
	}
	c.tools.Session.Wholes(ctx, claims)
	var volumes []*session.Object
	for _, claim := range claims {
		if name := loss.VolumeOf(claim); name != "" {
			volumes = append(volumes, session.Named(cluster.PersistentVolumes(), "", name))
		}
	}
	c.tools.Session.Wholes(ctx, volumes)
	for _, claim := range claims {
		volume := mechanism.VolumeOf(ctx, c.tools.Session, claim)
		if volume == nil {
			continue
		}
		if by, is := mechanism.Reclaims(ctx, c.tools, volume); is && by.Cause != nil {
			c.add(found{severity: result.Warning, Finding: by.Stays(claim, volume.Ref)})
		}
	}
}

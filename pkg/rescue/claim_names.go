package rescue

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// claimNames chooses the names as which claims that are gone are created again. One name is one claim: a volume whose
// former claim has a successor, or that is one of several which claims of one name have left, gets a name of its own.
type claimNames struct {
	volumes []*volume
	reads   *session.Session
	taken   map[string]bool // by namespace and name
}

// choose gives the former name to the volume that was made last, where that name is free. If a name can't be read,
// creating the claim tells.
func (c *claimNames) choose(ctx context.Context) {
	c.taken = map[string]bool{}
	newestFirst := slices.Clone(c.volumes)
	slices.SortStableFunc(newestFirst, func(a, b *volume) int {
		return cmp.Compare(b.created(), a.created())
	})
	for _, found := range newestFirst {
		if !found.gone {
			continue
		}
		found.name = found.claim.Ref.Name
		for number := 1; c.isTaken(ctx, found, number == 1); number++ {
			found.name = found.claim.Ref.Name + "-rescued"
			if number > 1 {
				found.name += fmt.Sprintf("-%d", number)
			}
		}
		c.taken[c.place(found)] = true
	}
}

// isTaken reports whether a volume can't get a claim of the name that was chosen last. Whether another claim has the
// former name is known.
func (c *claimNames) isTaken(ctx context.Context, found *volume, former bool) bool {
	switch {
	case c.taken[c.place(found)]:
		return true
	case former:
		return found.other
	}
	_, err := c.reads.Read(ctx, found.claim.Resource, found.claim.Ref.Namespace, found.name)
	return err == nil
}

func (c *claimNames) place(found *volume) string { return found.claim.Ref.Namespace + "/" + found.name }

// created is when a volume was made, in seconds since 1970.
func (v *volume) created() int64 {
	if v.typed == nil {
		return 0
	}
	return v.typed.CreationTimestamp.Unix()
}

// renamed reports whether the claim that gets a volume has another name than its former one.
func (v *volume) renamed() bool { return v.gone && v.createdAs() != v.claim.Ref.Name }

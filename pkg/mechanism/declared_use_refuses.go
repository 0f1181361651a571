package mechanism

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// RefusingUses are what declares that an object is in use, of kinds that are made for that and of the project of a
// webhook that is asked about the object's deletion: it refuses that while the declaration is there. What can't be
// read is among what the session could not read.
func RefusingUses(ctx context.Context, t *Tools, object *Object, webhook string) (causes []Finding) {
	held := Held{Object: object, Hold: finding.Hold{Name: webhook + "/"}} // a name that has only a domain
	for _, kind := range kindsOfUse(ctx, t, held) {
		if naming.RelationOf(webhook, kind.Group) == naming.Unrelated {
			continue
		}
		list, err := t.Session.Reader.List(ctx, kind, "", cluster.Selector{})
		if err != nil {
			continue
		}
		for i := range list {
			declaration, err := session.FromWhole(kind, &list[i])
			if err != nil || declaration.Terminating() {
				continue
			}
			use := useIn(declaration)
			if slices.ContainsFunc(use.of, func(of reference) bool { return of.means(object, declaration) }) {
				causes = append(causes, refusingUse(t.Session, held, declaration, webhook, use.reason))
			}
		}
	}
	return causes
}

func refusingUse(reads *session.Session, held Held, declaration *Object, webhook, reason string) Finding {
	return Finding{
		Reason: finding.StillInUse, Situation: "UseRefusesDeletion", Object: declaration.Ref, Certainty: finding.Likely,
		Details:  finding.StillInUseDetails{Of: &held.Ref, Declaration: &declaration.Ref, Words: reason, Says: webhook},
		Key:      finding.KeyOf("UseRefusesDeletion", held.Ref, declaration.Ref),
		Evidence: []Evidence{declaration.Ref.Observed("names %s, and has no deletionTimestamp", held.Ref)},
		Remedies: []Remedy{seeUser(reads, held, declaration), endUse(reads, declaration, held)},
	}
}

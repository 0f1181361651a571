package mechanism

import (
	"context"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// declaredWait explains finalizers for which the catalogue says which objects they wait for, while any is left. How the
// controller fares comes first: one that isn't there waits for nothing, and what is left would be deleted in vain.
func declaredWait(ctx context.Context, t *Tools, held Held) (Answer, bool) {
	known, found := t.Plugins.Find(held.Hold.Name, held.Resource.GroupKind().String())
	if !found {
		return Answer{}, false
	}
	answer := declaredWaits(ctx, t, held, known)
	if answer.Empty() {
		return answer, false
	}
	fares := withoutWaits(ctx, t, held, known, false)
	if !mayWait(fares) {
		return insteadOfWaits(fares, answer), true
	}
	answer.Remarks = fares.Remarks
	return answer, true
}

// declaredWaits are what a finalizer waits for by the catalogue, whether or not its controller is there to wait.
func declaredWaits(ctx context.Context, t *Tools, held Held, known plugins.Finalizer) (answer Answer) {
	for _, wait := range known.Waits {
		answer.Add(declared(ctx, t, held, known, wait))
	}
	// The controller is waiting rightly: whether its write would pass isn't asked yet.
	answer.Removal = session.RemovalUnsure
	return answer
}

// insteadOfWaits is the answer where a controller isn't there to wait, or isn't known to be. What is being deleted
// still has to go; anything else that is left is evidence, and no one's task.
func insteadOfWaits(fares, declared Answer) Answer {
	left, going := []Evidence(nil), []Wait(nil)
	for _, wait := range declared.Waits {
		if wait.Blocker.Terminating() {
			going = append(going, wait)
			continue
		}
		for _, cause := range wait.Otherwise.Causes {
			details, _ := cause.Details.(finding.StillInUseDetails)
			left = append(left, cause.Object.Observed("it %s; no deletionTimestamp", details.Says).Ranked(finding.Second))
		}
	}
	add := func(found Finding) Finding {
		found.Evidence = append(slices.Clone(found.Evidence), left[:min(len(left), mostLeft)]...)
		return found
	}
	fares.Waits = append(slices.Clone(fares.Waits), going...)
	for i := range fares.Waits[:len(fares.Waits)-len(going)] {
		fares.Waits[i].Otherwise.Causes = finding.Each(fares.Waits[i].Otherwise.Causes, add)
	}
	fares.Causes, fares.Open = finding.Each(fares.Causes, add), append(finding.Each(fares.Open, add), declared.Open...)
	return fares
}

// mostLeft is of how many objects that are left the evidence tells.
const mostLeft = 5

// declared answers for what a wait of the catalogue looks for. What its controller deletes next isn't waited for yet.
func declared(ctx context.Context, t *Tools, held Held, known plugins.Finalizer, wait plugins.Wait) Answer {
	looked, answer := lookFor(ctx, t.Session, t.Plugins, held, wait)
	for _, candidate := range looked.candidates {
		if wait.Deletes && !candidate.Terminating() {
			continue
		}
		holds, err := looked.holds(candidate)
		if err != nil {
			answer.Open = append(answer.Open, undecided(held, known, candidate, err))
		} else if holds {
			user := session.Until(candidate, func() Answer {
				if recorded := recordedUser(ctx, t.Session, held, known, wait, candidate); !recorded.Empty() {
					return recorded
				}
				if works := declaredJob(ctx, t, held, known, wait, candidate); !works.Empty() {
					return works
				}
				return declaredUser(t.Session, held, known, wait, candidate)
			})
			answer.Waits = append(answer.Waits, user)
		}
	}
	return answer
}

func undecided(held Held, known plugins.Finalizer, candidate *Object, err error) Finding {
	return Finding{
		Situation: "DeclaredWaitUnclear", Object: held.Ref, Finalizer: held.Hold.Name,
		Key:      finding.KeyOf("DeclaredWaitUnclear", held.Hold.Name, known.RemovedBy),
		Details:  finding.DeclaredWaitDetails{Candidate: candidate.Ref, RemovedBy: known.RemovedBy, WaitsFor: known.WaitsFor},
		Evidence: []Evidence{candidate.Ref.Observed("%s", err.Error())},
	}
}

func declaredUser(reads *session.Session, held Held, known plugins.Finalizer, wait plugins.Wait, user *Object) Answer {
	certainty, about := finding.Proven, finding.StillInUseDetails{Says: wait.Says, Project: known.Project}
	if !known.Verified.WaitsFor.Done() {
		certainty, about.Unverified = finding.Likely, true
	}
	return session.Cause(Finding{
		Reason: finding.StillInUse, Situation: "DeclaredUser", Object: user.Ref, Certainty: certainty, Details: about,
		Key: finding.KeyOf("DeclaredUser", held.Hold.Name, held.Ref, user.Resource.QualifiedName(), wait.Says),
		Evidence: []Evidence{
			user.Ref.Observed("no deletionTimestamp"),
			user.Ref.Observed("true of it: %s", wait.Where).Ranked(finding.Second),
			attribution.KnownEvidence(held.Hold, known),
		},
		Remedies: []Remedy{seeUser(reads, held, user), {
			Step: "DeleteDeclaredUser", Details: finding.StepDetails{Object: &user.Ref, Text: wait.Loses},
			Command: reads.Kubectl.Command(user, "delete", "--wait=false"), Risk: finding.DataLoss,
		}},
	})
}

// withOwnersKind adds to a reference by a name alone the kind of the owner that has this name.
func withOwnersKind(field map[string]any, of *unstructured.Unstructured) map[string]any {
	for _, owner := range of.GetOwnerReferences() {
		if field["kind"] == nil && field["name"] == owner.Name {
			return map[string]any{"apiVersion": owner.APIVersion, "kind": owner.Kind, "name": owner.Name}
		}
	}
	return field
}

// recordedUser answers for the object of whose use another one is the record: empty where that names none, or one that
// is gone.
func recordedUser(
	ctx context.Context, reads *session.Session, held Held, known plugins.Finalizer, wait plugins.Wait, record *Object,
) (answer Answer) {
	if wait.Records == "" {
		return answer
	}
	whole, err := reads.Whole(ctx, record)
	if err != nil {
		return answer // which is noted
	}
	field, _, _ := unstructured.NestedMap(whole.Object, strings.Split(wait.Records, ".")...)
	by, names := referenceIn(withOwnersKind(field, whole))
	if !names {
		return answer
	}
	user, err := resolve(ctx, reads, by, record)
	switch {
	case apierrors.IsNotFound(err), err == nil && user == nil:
		return answer
	case err != nil:
		return session.Unread(finding.UnreadObject(user.Ref), err)
	}
	certainty := finding.Proven
	if !known.Verified.WaitsFor.Done() {
		certainty = finding.Likely
	}
	answer.Waits = append(answer.Waits, session.Until(user, func() Answer {
		return session.Cause(Finding{
			Reason: finding.StillInUse, Situation: "UserByDeclaration", Object: user.Ref, Certainty: certainty,
			Details: finding.StillInUseDetails{Of: &held.Ref, Declaration: &record.Ref},
			Key:     finding.KeyOf("UserByDeclaration", held.Hold.Name, held.Ref, user.Resource.QualifiedName()),
			Evidence: []Evidence{
				record.Ref.Observed("%s names %s", wait.Records, user.Ref), user.Ref.Observed("no deletionTimestamp"),
				attribution.KnownEvidence(held.Hold, known),
			},
			Remedies: []Remedy{seeUser(reads, held, user), {
				Step: "DeleteDeclaredUser", Details: finding.StepDetails{Object: &user.Ref},
				Command: reads.Kubectl.Command(user, "delete", "--wait=false"), Risk: finding.DataLoss,
			}},
		})
	}))
	return answer
}

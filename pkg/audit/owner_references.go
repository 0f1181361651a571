package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// checkReferences judges every owner reference (docs/deletion.md#how-owner-references-are-judged), and ties the garbage
// collector's own complaints to them.
func (c *checker) checkReferences(ctx context.Context) {
	complaints := map[[2]string]mechanism.Complaint{}
	for _, complaint := range mechanism.Complaints(ctx, c.tools.Session) {
		complaints[[2]string{complaint.Dependent.Ref.UID, complaint.OwnerUID}] = complaint
	}
	if len(c.inventory.Owned) > 0 {
		c.note(finding.Finding{Situation: "EventsProveNothing"})
	}
	var flaws []flaw
	for _, object := range c.inventory.Owned {
		if ctx.Err() != nil {
			return
		}
		for _, judged := range c.judge(ctx, object) {
			if judged.State != finding.Honoured && judged.State != finding.OwnerUnreadable { // which is listed as such
				flaws = append(flaws, flaw{object, judged})
			}
		}
	}
	for _, flaw := range c.lasting(ctx, flaws) {
		one := c.describe(flaw.object, flaw.Judged)
		if complaint, complained := complaints[[2]string{flaw.object.Ref.UID, string(flaw.Reference.UID)}]; complained {
			one.Evidence = append(one.Evidence, finding.Evidence{
				Source: "event OwnerRefInvalidNamespace", Observed: complaint.Message, Object: &flaw.object.Ref,
			})
		}
		c.add(one)
	}
}

func (c *checker) judge(ctx context.Context, object *session.Object) (judged []ownership.Judged) {
	unknown := map[types.UID]bool{}
	for _, reference := range object.Meta.OwnerReferences {
		owner, known := c.inventory.Find(string(reference.UID))
		if !known {
			unknown[reference.UID] = true
			continue
		}
		state := mechanism.JudgeOwner(ctx, c.tools.Session, object, reference, owner.Ref)
		judged = append(judged, ownership.Judged{Reference: reference, Owner: owner, State: state})
	}
	if len(unknown) == 0 {
		return judged
	}
	for _, one := range mechanism.Owners(ctx, c.tools, object) {
		// The inventory is a moment old: what it lacks may have come, and what it has may have gone.
		passing := one.State == finding.OwnerAbsent || one.State == finding.OwnerReplaced
		uid := one.Reference.UID
		if unknown[uid] && (!passing || session.StillOwned(ctx, c.tools.Session.Reader, object, string(uid))) {
			judged = append(judged, one)
		}
	}
	return judged
}

func flawOf(state finding.Ownership) found {
	takeOff := finding.Remedy{Step: "TakeOffOwnerReference"}
	cause := map[finding.Ownership]finding.Finding{
		finding.OwnerAbsent:            {Reason: result.OwnerMissing, Situation: "OwnerDoesNotExist"},
		finding.OwnerReplaced:          {Reason: result.OwnerMissing, Situation: "OwnerIsAnother"},
		finding.OwnerMisnamed:          {Reason: finding.InvalidOwnerReference, Situation: "OwnerIsMisnamed"},
		finding.OwnerUnserved:          {Reason: finding.UnresolvableOwner, Situation: "OwnerKindIsUnserved"},
		finding.OwnerElsewhere:         {Reason: finding.InvalidOwnerReference, Situation: "OwnerIsElsewhere"},
		finding.DependentClusterScoped: {Reason: finding.InvalidOwnerReference, Situation: "OwnerHasNamespace"},
	}[state]
	switch state {
	case finding.OwnerMisnamed:
		takeOff.Step = "TakeOffWrongReference"
	case finding.DependentClusterScoped:
		takeOff.Step = "TakeOffIgnoredReference"
	}
	cause.Remedies = []finding.Remedy{takeOff}
	if cause.Reason == result.OwnerMissing {
		return found{severity: result.Warning, reference: state, Finding: cause}
	}
	return found{severity: result.Error, reference: state, Finding: cause}
}

func (c *checker) describe(object *session.Object, judged ownership.Judged) found {
	reference, named := judged.Reference, judged.Named()
	one := flawOf(judged.State)
	if object.Terminating() {
		one.severity = result.Info
	}
	details := finding.OwnerReferenceDetails{Named: named, Terminating: object.Terminating()}
	one.Object, one.owner = object.Ref, &named
	if judged.Owner != nil {
		details.Owner, one.owner = &judged.Owner.Ref, &judged.Owner.Ref
	}
	one.Details = details
	one.Key = finding.KeyOf(
		one.Reason, judged.State, one.severity, object.Resource.QualifiedName(), object.Ref.Namespace, reference.UID,
	)
	one.Evidence = []finding.Evidence{session.ObservedOf(object, describeReference(reference))}
	one.Remedies[0].Risk = finding.NoRisk
	one.Remedies[0].Command = c.tools.Session.Kubectl.Command(
		object, "patch", "--type", "json", "-p", session.DisownPatch(object, string(reference.UID)),
	)
	if one.Reason == result.OwnerMissing && object.Terminating() { // what should follow from the reference has begun
		one.Remedies = []finding.Remedy{{
			Step: "AskAboutIt", Command: c.tools.Session.Kubectl.Why(object), Risk: finding.NoRisk,
		}}
	}
	return one
}

func describeReference(reference metav1.OwnerReference) string {
	text := fmt.Sprintf(
		"an owner reference to %s %s in %s, uid %s", reference.Kind, reference.Name, reference.APIVersion,
		reference.UID,
	)
	if reference.BlockOwnerDeletion != nil && *reference.BlockOwnerDeletion {
		text += ", with blockOwnerDeletion"
	}
	return text
}

func (c *checker) checkCycles(ctx context.Context) {
	blocking := map[finding.Ref]bool{}
	for _, members := range ownership.Circles(ctx, c.inventory.Owned, true) {
		for _, member := range members {
			blocking[member] = true
		}
	}
	for _, refs := range ownership.Circles(ctx, c.inventory.Owned, false) {
		if ctx.Err() != nil {
			return
		}
		details := finding.DeadlockDetails{
			Members: refs, Blocking: slices.ContainsFunc(refs, func(ref finding.Ref) bool { return blocking[ref] }),
		}
		names := finding.Voice{}.ListedNames(finding.MostMembers, refs)
		observed := names + " refer to one another"
		if len(refs) == 1 {
			observed = names + " refers to itself"
		}
		c.add(found{severity: result.Warning, reference: finding.OwnersCycle, others: refs[1:], Finding: finding.Finding{
			Reason: result.OwnerCycle, Situation: "OwnersInCircle", Details: details,
			Object: refs[0], Key: finding.KeyOf("OwnersInCircle", refs[0]), // each is in one circle
			Evidence: []finding.Evidence{{Source: "owner references", Observed: observed, Rank: finding.Restated}},
		}})
	}
}

// checkKinds finds dependents of kinds that the garbage collector doesn't watch
// (docs/deletion.md#dependents-that-the-collector-does-not-see).
func (c *checker) checkKinds(ctx context.Context) {
	watched := map[string]bool{}
	for _, resource := range c.servedKinds.Owned() {
		watched[resource.QualifiedName()] = true
	}
	for _, object := range c.inventory.Owned {
		if ctx.Err() != nil {
			return
		}
		name := object.Resource.QualifiedName()
		if watched[name] {
			continue
		}
		verbs := strings.Join(object.Resource.Verbs, ", ")
		c.add(found{severity: result.Warning, Finding: finding.Finding{
			Reason: result.DependentUnwatched, Situation: "KindIsUnwatched", Object: object.Ref,
			Details:  finding.UnwatchedDetails{Resource: name, Verbs: object.Resource.Verbs},
			Key:      finding.KeyOf("KindIsUnwatched", name),
			Evidence: []finding.Evidence{{Source: "discovery", Observed: name + " is served with the verbs " + verbs}},
		}})
	}
}

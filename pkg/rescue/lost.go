package rescue

import (
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// losing says what is lost.
type losing struct{ p *planner }

// tellLost says what can't be kept any more: first what is certain.
func (l *losing) tellLost() {
	l.lostObject()
	for _, found := range l.p.volumes {
		l.lostVolume(found)
	}
	for _, group := range l.p.outsideAlike() {
		l.lostOutside(group)
	}
	l.lostBesides()
	if secrets := l.p.unsavedSecrets(); len(secrets) > 0 {
		details := finding.RescueDetails{Names: named(secrets), Count: len(secrets)}
		l.p.lost(finding.Finding{Situation: "SecretsNotSaved", Object: secrets[0].Ref, Details: details}, finding.DataLoss,
			true)
	}
}

// lostObject says that the deletion of the target itself can't be taken back, and what it has taken already without a
// trace.
func (l *losing) lostObject() {
	if l.p.released {
		return // it stays
	}
	details := rescueOf(l.p.target)
	note := finding.Finding{Situation: "DeletionStands", Object: l.p.target.Ref, Details: details}
	switch {
	case l.p.untraced():
		note.Situation = "NothingOfObject"
	case l.p.gone:
		note.Situation = "ObjectIsGone"
	case !l.p.target.Terminating():
		note.Situation = "NewObjectTookPlace"
	}
	l.p.lost(note, finding.NoRisk, false)
	switch {
	case l.p.target.Is("", "Namespace"):
		l.p.lost(finding.Finding{Situation: "ContentGone", Object: l.p.target.Ref, Details: details}, finding.DataLoss, true)
	case l.p.isDefinition():
		l.p.lost(finding.Finding{Situation: "InstancesGone", Object: l.p.target.Ref, Details: details}, finding.DataLoss,
			true)
	}
}

// lostVolume says what is lost of a volume, or may be.
func (l *losing) lostVolume(found *volume) {
	note := finding.Finding{Object: found.object.Ref, Details: l.p.volumeDetails(found)}
	switch {
	case found.absent():
		note.Situation = "VolumeAlreadyGone"
		l.p.lost(note, finding.DataLoss, true)
	case found.err != nil:
		note.Situation = "VolumeNotRead"
		l.p.lost(note, finding.DataLoss, true)
	case !found.retained() && found.released():
		note.Situation = "StorageMayBeGone"
		l.p.lost(note, finding.DataLoss, true)
	}
	if found.object.Terminating() && found.err == nil && !found.object.Ref.SameAs(l.p.target.Ref) {
		note.Situation = "VolumeRecordGoes"
		l.p.lost(note, finding.NoRisk, false)
	}
}

func (p *planner) volumeDetails(found *volume) finding.RescueDetails {
	details := rescueOf(found.object)
	details.Storage = found.storage()
	if found.claim != nil {
		details.Other = &found.claim.Ref
	}
	if found.typed != nil {
		details.Policy = string(found.typed.Spec.PersistentVolumeReclaimPolicy)
		if found.typed.Spec.CSI != nil {
			details.Driver = found.typed.Spec.CSI.Driver
		}
	}
	return details
}

// outsideAlike are the objects that stand for something outside of the cluster, those of a kind with one finalizer and
// one way together.
func (p *planner) outsideAlike() (groups [][]*outside) {
	return alike(p.outside, func(found *outside) string {
		return finding.KeyOf(found.finalizer, found.object.Resource.QualifiedName(), found.way, found.object.Terminating(),
			found.keep.Patch)
	})
}

// alike puts what has the same key together, in the order in which it first appears.
func alike(all []*outside, key func(*outside) string) (groups [][]*outside) {
	places := map[string]int{}
	for _, found := range all {
		at, known := places[key(found)]
		if !known {
			at = len(groups)
			places[key(found)] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], found)
	}
	return groups
}

// ofGroup are the details of several objects that are alike, by the first.
func ofGroup(group []*outside) finding.RescueDetails {
	details := group[0].rescueDetails()
	if details.Count = len(group); details.Count > 1 {
		details.Storage = nil
	}
	details.Kind = group[0].object.Ref.Kind
	if slices.ContainsFunc(group, func(found *outside) bool { return found.object.Ref.Kind != details.Kind }) {
		details.Kind = "object"
	}
	details.Names = named(objectsOf(group))
	return details
}

func objectsOf(group []*outside) []*session.Object {
	return finding.Each(group, func(found *outside) *session.Object { return found.object })
}

// lostOutside says that what objects stand for may be gone: their controllers may have been at work since the deletion.
func (l *losing) lostOutside(group []*outside) {
	first := group[0]
	note := finding.Finding{Situation: "OutsideMayBeGone", Object: first.object.Ref, Details: ofGroup(group)}
	switch {
	case first.way == isKept:
		return
	case first.way == noWay:
		note.Situation = "OutsideNotKept"
	case !first.object.Terminating(), !first.acts() && (first.way == byStop || first.known.Creates()):
		return // else its controller may have acted before it stopped, and nothing in the cluster would show it
	}
	l.p.lost(note, finding.DataLoss, true)
}

// standsOutside reports whether an object is known to stand for something outside of the cluster.
func (p *planner) standsOutside(ref *finding.Ref) bool {
	return ref != nil && slices.ContainsFunc(p.outside, func(found *outside) bool {
		return found.object.Ref.SameAs(*ref)
	})
}

// lostBesides says what else goes with objects: what only a pod has, load balancers, what could not be listed.
func (l *losing) lostBesides() {
	var besides []finding.Taken
	for _, taken := range l.p.going.Taken {
		switch kind := taken.Object.Kind; {
		case taken.Details.Volume != nil, kind == "PersistentVolume", kind == "Secret":
		case l.p.standsOutside(taken.Details.Content): // for which there is a sentence of its own
		case kind == "StatefulSet" && taken.Details.Unread == nil: // its claims stand for themselves
		default:
			besides = append(besides, taken)
		}
	}
	for _, taken := range finding.TellTaken(l.p.voice, besides) {
		l.p.plan.Lost = append(l.p.plan.Lost, resultFact(taken))
	}
}

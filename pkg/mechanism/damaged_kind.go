package mechanism

import (
	"context"
	"net/url"
	"regexp"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// kindDamaged answers for an object of a kind that can be read only in its stored version: nothing can act on it.
func kindDamaged(ctx context.Context, reads *session.Session, checker *health.Checker, object *Object) (Answer, bool) {
	return storageAnswer(ctx, reads, checker, object, reads.DamageOf(object.Resource), true)
}

// unreadableKind explains a finalizer on an object whose kind can't be converted: its controller can't read it either.
func unreadableKind(ctx context.Context, t *Tools, held Held) (Answer, bool) {
	return kindDamaged(ctx, t.Session, t.Health, held.Object)
}

// dependentsDamaged answers for an owner whose dependents can't be listed, by the garbage collector either.
func dependentsDamaged(
	ctx context.Context, reads *session.Session, checker *health.Checker, owner *Object, unread []cluster.Unlisted,
) (Answer, bool) {
	answer := Answer{}
	if reads.Since(owner) < session.Patience {
		return Answer{}, false
	}
	if answer, down := checker.ControlPlane.ControllerManagerDown(ctx, owner); down {
		return answer, true
	}
	for _, unlisted := range unread {
		found, damaged := damagedRead(ctx, reads, checker, owner, session.Named(unlisted.Resource, "", ""), unlisted.Err)
		if !damaged {
			return Answer{}, false
		}
		for cause := range found.Blamed() {
			cause.Certainty = finding.Likely // it may be no dependent of this one
		}
		answer.Add(found)
	}
	return answer, true
}

// Unreadable answers for a target that could not be read because of err: where that is because of what is
// in storage, it is the finding. All that is known of the object is its name.
func Unreadable(
	ctx context.Context, reads *session.Session, checker *health.Checker, resource cluster.Resource, namespace,
	name string, err error,
) (*Object, Answer, bool) {
	object := session.Named(resource, namespace, name)
	answer, damaged := damagedRead(ctx, reads, checker, object, object, err)
	return object, answer, damaged
}

// ReadTarget reads the object that a question is about. Where what is in storage prevents that, the error says so in
// the words of a diagnosis (*session.UnreadError); else it is the read's own.
func (t *Tools) ReadTarget(ctx context.Context, asked session.Target) (*Object, error) {
	object, err := t.Session.Read(ctx, asked.Resource, asked.Namespace, asked.Name)
	if err == nil || !session.StorageFails(err) {
		return object, err
	}
	unread, answer, explained := Unreadable(ctx, t.Session, t.Health, asked.Resource, asked.Namespace, asked.Name, err)
	if !explained {
		return nil, err
	}
	details := finding.SummaryDetails{}
	for cause := range answer.AllCauses() {
		details.Awaits.Add(finding.Awaited{Finding: *cause, Count: 1})
	}
	voice := finding.Voice{Now: t.Session.AsOf(), Program: t.Session.Kubectl.Program}
	says := voice.Message(Finding{Situation: "NotReadable", Object: unread.Ref, Details: details})
	return nil, &session.UnreadError{Says: says, Ask: t.Session.Kubectl.Why(unread), Err: err}
}

// Aside is what is to be said of an object that was not deleted, and that is not about its holds.
func Aside(ctx context.Context, reads *session.Session, checker *health.Checker, object *Object) (answer Answer) {
	damaged, _ := kindDamaged(ctx, reads, checker, object)
	for cause := range damaged.Blamed() {
		answer.Remarks = append(answer.Remarks, Finding{
			Situation: "ReadAsStored", Object: object.Ref, Evidence: cause.Evidence,
			Details: finding.AwaitedCauseDetails{
				Object: object.Ref, Reason: cause.Reason, Situation: cause.Situation, Details: cause.Details,
				Cause: *cause,
			},
		})
	}
	return answer
}

// undecodable answers for an object that kube-apiserver can't make sense of in storage
// (docs/deletion.md#undecodable-objects). One such object can hold every namespace in the cluster: no list of its kind
// can be served from the watch cache any more.
func undecodable(
	ctx context.Context, reads *session.Session, checker *health.Checker, held *Object, damage session.Damage,
	said []Evidence,
) Answer {
	object, known := objectAt(ctx, reads, damage.Key)
	if !known {
		return session.Open(Finding{
			Situation: "SomethingUndecodable", Evidence: said,
			Details: finding.UndecodableObjectDetails{Undecodable: finding.Undecodable{
				StorageKey: damage.Key, Words: damage.Said,
			}},
		})
	}
	blamed, trusted, err := blameOf(ctx, reads, checker, object)
	if err != nil {
		return session.Unread(finding.UnreadObject(blamed.Ref), err, said...)
	}
	trusted = trusted && !keyOutOfReach(damage.Said)
	return pointAt(held, blamed, undecodableCause(reads, blamed, object, damage, said, trusted))
}

// blameOf returns what is named for an object that doesn't decode: its definition, if it has one, or itself. It is
// trusted to be damaged unless a webhook that converts it is down. Where the error is of reading the definition, this
// is what was not read.
func blameOf(
	ctx context.Context, reads *session.Session, checker *health.Checker, object *Object,
) (blamed *Object, trusted bool, err error) {
	if cluster.ServedByKubernetes(object.Resource.Group) {
		return object, true, nil // without a definition there is no conversion to blame
	}
	crd := session.Named(cluster.CustomResourceDefinitions(), "", object.Resource.QualifiedName())
	definition, err := session.ReadAs[session.Definition](ctx, reads, crd)
	switch {
	case err == nil:
		return crd, convertsWell(ctx, checker, definition), nil
	case apierrors.IsNotFound(err):
		return object, true, nil
	}
	return crd, false, err
}

// keyOutOfReach reports whether an encryption key could not be reached: the object itself is healthy then.
func keyOutOfReach(said string) bool {
	const words = `(?i)\bkms|\bDEK\b|rpc error|connection refused|deadline exceeded|no such host`
	return regexp.MustCompile(words).MatchString(said)
}

// joinUndecodable makes one cause of several objects of one kind, as they share the definition that is named.
func joinUndecodable(waits []Wait) []Wait {
	var joined []Wait
	for _, wait := range waits {
		same := slices.IndexFunc(joined, func(other Wait) bool {
			return undecodableAlone(wait) && undecodableAlone(other) && other.Blocker.Ref == wait.Blocker.Ref
		})
		if same < 0 {
			joined = append(joined, wait)
			continue
		}
		first, other := &joined[same].Otherwise.Causes[0], wait.Otherwise.Causes[0]
		details, _ := first.Details.(finding.UndecodableObjectDetails)
		more, _ := other.Details.(finding.UndecodableObjectDetails)
		details.Likewise = append(details.Likewise, more.Undecodable)
		first.Details = details
		first.Evidence = append(first.Evidence, other.Evidence[len(other.Evidence)-1])
		first.Remedies = append(first.Remedies, other.Remedies[1:]...)
		slices.SortStableFunc(first.Remedies, func(a, b Remedy) int {
			return session.FalseFirst(a.Risk == finding.DataLoss, b.Risk == finding.DataLoss)
		})
	}
	return joined
}

func undecodableAlone(wait Wait) bool {
	causes := wait.Otherwise.Causes
	return len(causes) == 1 && causes[0].Reason == finding.UndecodableObject
}

// convertsWell reports whether a definition converts. While its webhook is down, an unreadable object may be healthy.
func convertsWell(ctx context.Context, checker *health.Checker, definition *session.Definition) bool {
	if definition.Spec.Conversion.Strategy != "Webhook" {
		return true
	}
	found, _ := converter(ctx, checker, definition)
	return found.State == health.BackendUp
}

func undecodableCause(
	reads *session.Session, blamed, object *Object, one session.Damage, said []Evidence, trusted bool,
) Finding {
	read := finding.Observed("a read of "+object.Ref.String(), "storage key %s is not decodable: %s", one.Key, one.Said)
	read = read.Quoting(one.Said)
	return Finding{
		Reason: finding.UndecodableObject, Situation: "UndecodableInStorage", Object: blamed.Ref,
		Certainty: finding.Proven,
		Details: finding.UndecodableObjectDetails{Undecodable: finding.Undecodable{
			Object: object.Ref, StorageKey: one.Key, Words: one.Said, Resource: object.Resource.QualifiedName(),
		}},
		Evidence: append(slices.Clone(said), read.Of(object.Ref)), Remedies: restoreOrForget(reads, object, one, trusted),
	}
}

func restoreOrForget(reads *session.Session, object *Object, damage session.Damage, trusted bool) []Remedy {
	remedies := []Remedy{{Step: "RestoreStorage", Command: reads.Kubectl.Command(object, "get")}}
	switch {
	case !trusted:
		return remedies
	case !damage.Deletable:
		return append(remedies, deleteKey(damage.Key))
	}
	// k8s v1.37 apiserver/pkg/registry/generic/registry/corrupt_obj_deleter.go:Delete refuses a
	// propagation policy, which kubectl's delete always sends; a raw one sends nothing but this.
	path := storagePath(object) + "?ignoreStoreReadErrorWithClusterBreakingPotential=true"
	raw := func(path string) finding.Command {
		return reads.Kubectl.Prefix(finding.Ref{}, "delete", "--raw", path)
	}
	return append(remedies, Remedy{
		Step: "TryUnsafeDelete", Details: finding.StepDetails{Name: object.Resource.QualifiedName()},
		Command: raw(path + "&dryRun=All"),
	}, Remedy{Step: "UnsafeDelete", Command: raw(path), Risk: finding.DataLoss})
}

func storagePath(object *Object) string {
	path := "/apis/" + object.Resource.APIVersion()
	if object.Resource.Group == "" {
		path = "/api/" + object.Resource.Version
	}
	if object.Ref.Namespace != "" {
		path += "/namespaces/" + url.PathEscape(object.Ref.Namespace)
	}
	return path + "/" + object.Resource.Resource + "/" + url.PathEscape(object.Ref.Name)
}

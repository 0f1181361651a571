package refusal

import (
	"context"
	"slices"
	"strings"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Write is one request that has to pass for a deletion to continue. Which one that is for which stuck thing is the
// table of docs/deletion.md#which-write-must-pass.
type Write struct {
	Operation   admissionregistrationv1.OperationType
	Object      *session.Object
	Subresource string
	removes     string       // the finalizer that an update removes, or empty
	Disowns     *finding.Ref // the owner to which an update removes the reference, or nil
	Unblocks    bool         // an update sets blockOwnerDeletion to false in all owner references
	By          string       // the name of the user who sends it, or empty if that isn't known
}

// Request is the write as data.
func (w Write) Request() finding.Request {
	request := finding.Request{
		Operation: string(w.Operation), Resource: w.Object.Resource.QualifiedName(), Object: &w.Object.Ref,
		Removes: w.removes, Disowns: w.Disowns, Unblocks: w.Unblocks,
	}
	if w.Subresource != "" {
		request.Subresource = w.Object.Resource.Resource + "/" + w.Subresource
	}
	return request
}

// String names a write as people would: UPDATE of Database shop/orders.
func (w Write) String() string { return w.Request().String() }

// Removal is the write that removes a finalizer from an object.
func Removal(object *session.Object, finalizer, by string) Write {
	return Write{Operation: admissionregistrationv1.Update, Object: object, removes: finalizer, By: by}
}

// RemovalOf is the write that removes a hold from an object. Its sender is not known.
func RemovalOf(object *session.Object, hold finding.Hold) Write {
	if hold.Type == finding.SpecFinalizer {
		return Write{Operation: admissionregistrationv1.Update, Object: object, Subresource: "finalize"}
	}
	return Removal(object, hold.Name, "")
}

// Disowning is the write that removes the first of the owner references from a dependent. Its sender is not known.
func Disowning(dependent *session.Object) Write {
	owner := dependent.Meta.OwnerReferences[0]
	return Write{Operation: admissionregistrationv1.Update, Object: dependent, Disowns: &finding.Ref{
		APIVersion: owner.APIVersion, Kind: owner.Kind, Namespace: dependent.Ref.Namespace, Name: owner.Name,
		UID: string(owner.UID),
	}}
}

// Eviction is the request that asks the API server to evict a pod. Its sender is not known.
func Eviction(pod *session.Object) Write {
	return Write{Operation: admissionregistrationv1.Create, Object: pod, Subresource: "eviction"}
}

// Deletion is the DELETE of an object.
func Deletion(object *session.Object, by string) Write {
	return Write{Operation: admissionregistrationv1.Delete, Object: object, By: by}
}

// Duty is something that a controller of kube-controller-manager has yet to do, although nothing
// that it waits for is left.
type Duty struct {
	Object *session.Object // that is held
	Task   finding.Phrase  // completes "… has yet to …"
	Since  time.Duration   // the longest that the condition can have been met: nothing says when it came to be
	Writes []Write         // the requests by which the duty is done
	// Remaining are objects that the duty is about, if there are several, and done reports whether one of them is
	// finished. By them a second look sees whether the duty is being done.
	Remaining []*session.Object
	Done      func(*metav1.PartialObjectMetadata) bool
	Remedies  []finding.Remedy // what a person may do instead, safest first
	// Outdated says that the controller's own report names objects that are gone: it has not looked since.
	Outdated bool
}

// Release is the duty to remove one hold's finalizer from an object. by is the controller's ServiceAccount in
// kube-system.
func (c *Checker) Release(object *session.Object, hold finding.Hold, by string, task finding.Phrase) Duty {
	return Duty{
		Object: object, Task: task, Since: c.Session.Since(object),
		Writes: []Write{Removal(object, hold.Name, SystemAccount(by))},
	}
}

// SystemAccount is the user name of a controller of kube-controller-manager.
func SystemAccount(controller string) string {
	return "system:serviceaccount:kube-system:" + controller
}

// Overdue answers for a duty whose condition is met: why has it not been done?
func (c *Checker) Overdue(ctx context.Context, duty Duty) (answer session.Answer) {
	if len(duty.Writes) > 0 {
		defer func() { answer.Removal = session.RemovalJudged }()
	}
	answer, alive := c.Health.ControlPlane.ControllerManagerAlive(ctx, duty.Object)
	refused := c.Refused(ctx, duty.Writes...)
	if refused.Found() {
		answer.Add(refused.Answer)
		return answer
	}
	if !alive {
		// Without a Lease, what moves shows that the controller is at work.
		if len(answer.Open) > 0 && len(refused.Unsure) == 0 {
			if moving, moves := c.lookAgain(ctx, duty); moves {
				return moving
			}
		}
		return answer
	}
	details := finding.DutyDetails{Task: duty.Task}
	if duty.Since < session.Patience {
		return c.ProgressUnless(ctx, refused, finding.Finding{
			Situation: "DutyDue", Details: details, Evidence: c.Health.ControlPlane.LeaseEvidence(ctx),
		})
	}
	if answer, moves := c.lookAgain(ctx, duty); moves {
		return answer
	}
	suspects, ask := c.Suspects(duty.Object, refused)
	remedies := refusedAlike(duty.Remedies, objectsOf(suspects))
	if len(duty.Writes) > 0 && duty.Writes[0].By != "" {
		place := 0
		if duty.Outdated { // that it has lost its rights is the less likely
			place = len(remedies)
		}
		remedies = slices.Insert(slices.Clone(remedies), place, c.MaySend(duty.Writes[0]))
	}
	if c.Prober == nil && len(ask) == 0 && len(duty.Writes) > 0 && !duty.Outdated {
		ask = offerProbe(c.Session, duty.Object) // nothing that can be read refuses it: what can't may
	}
	since := c.Session.Now().Add(-duty.Since)
	details.Outdated = duty.Outdated
	details.Since, details.Passed, details.Suspects = &since, refused.passed, objectsOf(refused.Uncertain())
	return session.Open(finding.Finding{
		Situation: "DutyOverdue", Object: duty.Object.Ref, Details: details, Remedies: slices.Concat(ask, remedies),
		Evidence: append(c.Health.ControlPlane.LeaseEvidence(ctx), refused.Uncertain()...),
	})
}

// ProgressUnless is progress that kube-controller-manager makes. Where its Lease can't be read, or
// what may refuse its requests, it is open whether it does.
func (c *Checker) ProgressUnless(ctx context.Context, refused Refusals, note finding.Finding) session.Answer {
	if _, failed := c.Health.ControlPlane.ControllerManagerUnread(ctx); failed {
		return session.Open(doubted(note, finding.Phrase{Situation: "ManagerUnread"}, refused.Unsure))
	}
	return refused.Continues(note, c.Session.Foresees)
}

// Continues is progress that needs a write. Where what may refuse that can't be read, it is open. A webhook that is
// called by URL, and whose silence is a refusal, is named; where the answer foresees, nothing shows that it answers.
func (r *Refusals) Continues(note finding.Finding, foresees bool) session.Answer {
	if len(r.Unsure) > 0 {
		return session.Open(r.Doubt(note))
	}
	webhooks, evidence := r.unjudged()
	if len(webhooks) > 0 && foresees {
		doubt := finding.Phrase{Situation: "WebhookUnjudged", Details: finding.DutyDetails{Suspects: webhooks}}
		return session.Open(doubted(note, doubt, evidence))
	}
	note.Evidence = slices.Concat(note.Evidence, evidence)
	return session.Progress(note)
}

// Doubt is something that may continue or not: it is not clear what may refuse its requests.
func (r *Refusals) Doubt(note finding.Finding) finding.Finding {
	return doubted(note, finding.Phrase{Situation: "RefusalsUnread"}, r.Unsure)
}

func doubted(note finding.Finding, doubt finding.Phrase, why []finding.Evidence) finding.Finding {
	note.Doubt, note.Evidence = &doubt, slices.Concat(note.Evidence, why)
	return note
}

// lookAgain tells an overdue duty that is being done from one that isn't, by what has changed a moment later: fewer
// objects are left, or the controller has written to the object itself (docs/deletion.md#evidence-about-a-controller).
// It answers false when nothing has.
func (c *Checker) lookAgain(ctx context.Context, duty Duty) (answer session.Answer, moves bool) {
	if !c.Session.Rest(ctx) {
		return answer, false
	}
	movement, evidence := session.Fewer(ctx, c.Session.Reader, duty.Remaining, duty.Done)
	if movement == nil {
		movement, evidence = session.Moved(ctx, c.Session.Reader, duty.Object)
	}
	if movement == nil {
		return answer, false
	}
	return session.Progress(finding.Finding{
		Situation: "DutyBeingDone", Details: finding.DutyDetails{Task: duty.Task, Movement: movement},
		Evidence: append([]finding.Evidence{evidence}, c.Health.ControlPlane.LeaseEvidence(ctx)...),
	}), true
}

// MaySend asks whether one of Kubernetes' own controllers has the right to send its request: their roles are fixed only
// when the API server starts (docs/deletion.md#rights-of-built-in-controllers).
func (c *Checker) MaySend(needed Write) finding.Remedy {
	what := needed.Object.Resource.QualifiedName() + "/" + needed.Object.Ref.Name
	command := append(c.Session.Kubectl.Prefix(needed.Object.Ref), "auth", "can-i", verbOf(needed), what)
	if needed.Subresource != "" {
		command = append(command, "--subresource="+needed.Subresource)
	}
	details := finding.DutyDetails{Controller: needed.By[strings.LastIndex(needed.By, ":")+1:]}
	return finding.Remedy{
		Step: "SeeControllerRights", Details: details, Command: append(command, "--as="+needed.By), Risk: finding.NoRisk,
	}
}

// verbOf is the verb that a controller of Kubernetes needs for a write: the garbage collector and the ones that write
// to pods send patches, the others whole objects (k8s v1.37
// plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go).
func verbOf(needed Write) string {
	switch {
	case needed.Operation == admissionregistrationv1.Delete:
		return "delete"
	case needed.Object.Is("", "Pod"), needed.By == SystemAccount(session.GarbageCollector):
		return "patch"
	}
	return "update"
}

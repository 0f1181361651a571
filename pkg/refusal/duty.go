package refusal

import (
	"context"
	"fmt"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Write is one request that has to pass for a deletion to go on. Which one that is for which stuck
// thing is the table of deletion-mechanics M17.
type Write struct {
	Operation   admissionregistrationv1.OperationType
	Object      *session.Object
	Subresource string
	// removes is the finalizer that an update takes off, or empty.
	removes string
	// Disowns is the uid of the owner to which an update takes off the reference, or empty.
	Disowns string
	// By is the name of the user who sends it, or empty if that isn't known.
	By string
}

// String names a write as people would: UPDATE of Database shop/orders.
func (w Write) String() string {
	through := ""
	if w.Subresource != "" {
		through = fmt.Sprintf(" (%s/%s)", w.Object.Resource.Resource, w.Subresource)
	}
	return fmt.Sprintf("%s%s of %s", w.Operation, through, w.Object.Ref)
}

// Kind names what a write is about without the object: UPDATE of databases.shop.example.com.
func (w Write) kind() string {
	what := w.Object.Resource.QualifiedName()
	if w.Subresource != "" {
		what += "/" + w.Subresource
	}
	return fmt.Sprintf("%s of %s", w.Operation, what)
}

// Removal is the write that takes a finalizer off an object.
func Removal(object *session.Object, finalizer, by string) Write {
	return Write{Operation: admissionregistrationv1.Update, Object: object, removes: finalizer, By: by}
}

// Deletion is the DELETE of an object.
func Deletion(object *session.Object, by string) Write {
	return Write{Operation: admissionregistrationv1.Delete, Object: object, By: by}
}

// Duty is something that a controller of kube-controller-manager has yet to do, although nothing
// that it waits for is left.
type Duty struct {
	Object *session.Object // that is held
	// What is the duty in words that complete "… has yet to …".
	What string
	// Since is the longest that the condition can have been met: nothing tells when it came to be.
	Since time.Duration
	// Writes are the requests by which the duty is done.
	Writes []Write
	// Remaining are objects that the duty is about, if there are several, and done tells of one whether
	// it is dealt with. By them a second look sees whether the duty is being done.
	Remaining []*session.Object
	Done      func(*metav1.PartialObjectMetadata) bool
	// Remedies are what a person may do instead, safest first.
	Remedies []finding.Remedy
}

// Release is the duty to take one hold's finalizer off an object. by is the controller's
// ServiceAccount in kube-system.
func (c *Checker) Release(object *session.Object, hold finding.Hold, by, what string) Duty {
	return Duty{Object: object, What: what, Since: c.Session.Since(object), Writes: []Write{Removal(object, hold.Name, SystemAccount(by))}}
}

// SystemAccount is the user name of a controller of kube-controller-manager.
func SystemAccount(controller string) string {
	return "system:serviceaccount:kube-system:" + controller
}

// Overdue answers for a duty of which the condition is met: why has it not been done?
func (c *Checker) Overdue(ctx context.Context, duty Duty) session.Answer {
	answer := c.overdueUnless(ctx, duty)
	answer.Settled = len(duty.Writes) > 0
	return answer
}

func (c *Checker) overdueUnless(ctx context.Context, duty Duty) session.Answer {
	answer, alive := c.Health.ControllerManagerAlive(ctx)
	refused := c.Refused(ctx, duty.Writes...)
	if refused.Found() {
		answer.Add(refused.Answer)
		return answer
	}
	if !alive {
		return answer
	}
	awaited := fmt.Sprintf("%s to %s", session.ControllerManager, duty.What)
	if duty.Since < session.Patience {
		return c.ProgressUnless(ctx, refused, finding.Finding{
			Message: fmt.Sprintf("%s has yet to %s, which takes it seconds.", session.ControllerManager, duty.What),
			Awaited: awaited, Evidence: c.Health.LeaseEvidence(ctx),
		})
	}
	if answer, moves := c.lookAgain(ctx, duty); moves {
		return answer
	}
	remedies := duty.Remedies
	if len(duty.Writes) > 0 && duty.Writes[0].By != "" {
		remedies = append([]finding.Remedy{c.MaySend(duty.Writes[0])}, remedies...)
	}
	return session.Open(finding.Finding{
		Message: fmt.Sprintf("%s: %s is alive and has yet to %s, %s after the deletion. Unless that became possible only just now, %s",
			duty.Object.Ref, session.ControllerManager, duty.What, duration.HumanDuration(duty.Since), c.whyOverdue(refused)),
		Awaited: awaited + ", and nothing tells why it has not", Evidence: append(c.Health.LeaseEvidence(ctx), refused.Uncertain()...), Remedies: remedies,
	})
}

// whyOverdue says what is left when nothing is known to refuse a duty's write.
func (c *Checker) whyOverdue(refused Refusals) string {
	suspects := doubtful(refused.Uncertain())
	switch {
	case refused.passed:
		return "that one controller is disabled or stuck, or has lost its rights: the request that it has to send would pass, at least from you."
	case suspects == "":
		return "that one controller is disabled, has lost its rights, or its request is refused; --probe sends that request as a dry run, and tells."
	}
	return fmt.Sprintf("its request is refused (%s may do that), or that one controller is disabled or has lost its rights; --probe sends the request as a dry run, and tells.", suspects)
}

// ProgressUnless is progress that kube-controller-manager makes. Where its Lease can't be read, or
// what may refuse its requests, it is open whether it does.
func (c *Checker) ProgressUnless(ctx context.Context, refused Refusals, note finding.Finding) session.Answer {
	doubt := ""
	if _, failed := c.Health.ControllerManagerUnread(ctx); failed {
		doubt = fmt.Sprintf("whether %s runs to do so could not be read", session.ControllerManager)
	} else if len(refused.Unsure) > 0 {
		doubt = UnreadRefusal
	}
	if doubt == "" {
		return session.Progress(note)
	}
	return session.Open(Doubted(note, doubt, refused.Unsure))
}

// lookAgain tells an overdue duty that is being done from one that isn't, by what has changed a
// moment later: fewer objects are left, or the controller has written to the object itself
// (deletion-mechanics D-1). It answers false when nothing has.
func (c *Checker) lookAgain(ctx context.Context, duty Duty) (session.Answer, bool) {
	if !c.Session.Rest(ctx) {
		return session.Answer{}, false
	}
	seen, evidence := "", finding.Evidence{}
	if left, fell := c.Session.Fewer(ctx, duty.Remaining, duty.Done); fell {
		seen, evidence = left.Observed, left
	} else if seen, evidence = c.Session.Moved(ctx, duty.Object); seen == "" {
		return session.Answer{}, false
	}
	return session.Progress(finding.Finding{
		Message:  fmt.Sprintf("%s is at work: it has yet to %s, and a second look shows movement (%s).", session.ControllerManager, duty.What, seen),
		Awaited:  fmt.Sprintf("%s to %s; it is at work (%s)", session.ControllerManager, duty.What, seen),
		Evidence: append([]finding.Evidence{evidence}, c.Health.LeaseEvidence(ctx)...),
	}), true
}

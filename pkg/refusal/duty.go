package refusal

import (
	"context"
	"fmt"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// Write is one request that has to pass for a deletion to go on. Which one that is for which stuck
// thing is the table of deletion-mechanics M17.
type Write struct {
	Operation   admissionregistrationv1.OperationType
	Object      *facts.Object
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
func Removal(object *facts.Object, finalizer, by string) Write {
	return Write{Operation: admissionregistrationv1.Update, Object: object, removes: finalizer, By: by}
}

// Deletion is the DELETE of an object.
func Deletion(object *facts.Object, by string) Write {
	return Write{Operation: admissionregistrationv1.Delete, Object: object, By: by}
}

// Duty is something that a controller of kube-controller-manager has yet to do, although nothing
// that it waits for is left.
type Duty struct {
	Object *facts.Object // that is held
	// What is the duty in words that complete "… has yet to …".
	What string
	// Since is the longest that the condition can have been met: nothing tells when it came to be.
	Since time.Duration
	// Writes are the requests by which the duty is done.
	Writes []Write
	// Remaining are objects that the duty is about, if there are several, and done tells of one whether
	// it is dealt with. By them a second look sees whether the duty is being done.
	Remaining []*facts.Object
	Done      func(*metav1.PartialObjectMetadata) bool
	// Remedies are what a person may do instead, safest first.
	Remedies []graph.Remedy
}

// Release is the duty to take one hold's finalizer off an object. by is the controller's
// ServiceAccount in kube-system.
func (w *World) Release(object *facts.Object, hold graph.Hold, by, what string) Duty {
	return Duty{Object: object, What: what, Since: w.Since(object), Writes: []Write{Removal(object, hold.Name, SystemAccount(by))}}
}

// SystemAccount is the user name of a controller of kube-controller-manager.
func SystemAccount(controller string) string {
	return "system:serviceaccount:kube-system:" + controller
}

// Overdue answers for a duty of which the condition is met: why has it not been done?
func (w *World) Overdue(ctx context.Context, duty Duty) facts.Answer {
	answer := w.overdueUnless(ctx, duty)
	answer.Settled = len(duty.Writes) > 0
	return answer
}

func (w *World) overdueUnless(ctx context.Context, duty Duty) facts.Answer {
	answer, alive := w.ControllerManagerAlive(ctx)
	refused := w.Refused(ctx, duty.Writes...)
	if refused.Found() {
		answer.Add(refused.Answer)
		return answer
	}
	if !alive {
		return answer
	}
	awaited := fmt.Sprintf("%s to %s", facts.ControllerManager, duty.What)
	if duty.Since < facts.Patience {
		return w.ProgressUnless(ctx, refused, facts.Note{
			Message: fmt.Sprintf("%s has yet to %s, which takes it seconds.", facts.ControllerManager, duty.What),
			Awaited: awaited, Evidence: w.LeaseEvidence(ctx),
		})
	}
	if answer, moves := w.lookAgain(ctx, duty); moves {
		return answer
	}
	remedies := duty.Remedies
	if len(duty.Writes) > 0 && duty.Writes[0].By != "" {
		remedies = append([]graph.Remedy{w.MaySend(duty.Writes[0])}, remedies...)
	}
	return facts.Open(facts.Note{
		Message: fmt.Sprintf("%s: %s is alive and has yet to %s, %s after the deletion. Unless that became possible only just now, %s",
			duty.Object.Ref, facts.ControllerManager, duty.What, duration.HumanDuration(duty.Since), w.whyOverdue(refused)),
		Awaited: awaited + ", and nothing tells why it has not", Evidence: append(w.LeaseEvidence(ctx), refused.Uncertain()...), Remedies: remedies,
	})
}

// whyOverdue says what is left when nothing is known to refuse a duty's write.
func (w *World) whyOverdue(refused Refusals) string {
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
func (w *World) ProgressUnless(ctx context.Context, refused Refusals, note facts.Note) facts.Answer {
	doubt := ""
	if _, failed := w.ControllerManagerUnread(ctx); failed {
		doubt = fmt.Sprintf("whether %s runs to do so could not be read", facts.ControllerManager)
	} else if len(refused.Unsure) > 0 {
		doubt = UnreadRefusal
	}
	if doubt == "" {
		return facts.Progress(note)
	}
	return facts.Open(Doubted(note, doubt, refused.Unsure))
}

// lookAgain tells an overdue duty that is being done from one that isn't, by what has changed a
// moment later: fewer objects are left, or the controller has written to the object itself
// (deletion-mechanics D-1). It answers false when nothing has.
func (w *World) lookAgain(ctx context.Context, duty Duty) (facts.Answer, bool) {
	if !w.Rest(ctx) {
		return facts.Answer{}, false
	}
	seen, evidence := "", graph.Evidence{}
	if left, fell := w.Fewer(ctx, duty.Remaining, duty.Done); fell {
		seen, evidence = left.Observed, left
	} else if seen, evidence = w.Moved(ctx, duty.Object); seen == "" {
		return facts.Answer{}, false
	}
	return facts.Progress(facts.Note{
		Message:  fmt.Sprintf("%s is at work: it has yet to %s, and a second look shows movement (%s).", facts.ControllerManager, duty.What, seen),
		Awaited:  fmt.Sprintf("%s to %s; it is at work (%s)", facts.ControllerManager, duty.What, seen),
		Evidence: append([]graph.Evidence{evidence}, w.LeaseEvidence(ctx)...),
	}), true
}

package mechanism

import (
	"context"
	"fmt"
	"time"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// patience is how long a built-in controller may take before its silence means something
// (deletion-mechanics E-2).
const patience = time.Minute

// write is one request that has to pass for a deletion to go on. Which one that is for which stuck
// thing is the table of deletion-mechanics M17.
type write struct {
	operation   admissionregistrationv1.OperationType
	object      *Object
	subresource string
	// removes is the finalizer that an update takes off, or empty.
	removes string
	// disowns is the uid of the owner to which an update takes off the reference, or empty.
	disowns string
	// by is the name of the user who sends it, or empty if that isn't known.
	by string
}

// String names a write as people would: UPDATE of Database shop/orders.
func (w write) String() string {
	through := ""
	if w.subresource != "" {
		through = fmt.Sprintf(" (%s/%s)", w.object.Resource.Resource, w.subresource)
	}
	return fmt.Sprintf("%s%s of %s", w.operation, through, w.object.Ref)
}

// kind names what a write is about without the object: UPDATE of databases.shop.example.com.
func (w write) kind() string {
	what := w.object.Resource.QualifiedName()
	if w.subresource != "" {
		what += "/" + w.subresource
	}
	return fmt.Sprintf("%s of %s", w.operation, what)
}

// removal is the write that takes a finalizer off an object.
func removal(object *Object, finalizer, by string) write {
	return write{operation: admissionregistrationv1.Update, object: object, removes: finalizer, by: by}
}

// deletion is the DELETE of an object.
func deletion(object *Object, by string) write {
	return write{operation: admissionregistrationv1.Delete, object: object, by: by}
}

// duty is something that a controller of kube-controller-manager has yet to do, although nothing
// that it waits for is left.
type duty struct {
	object *Object // that is held
	// what is the duty in words that complete "… has yet to …".
	what string
	// since is the longest that the condition can have been met: nothing tells when it came to be.
	since time.Duration
	// writes are the requests by which the duty is done.
	writes []write
	// remaining are objects that the duty is about, if there are several, and done tells of one whether
	// it is dealt with. By them a second look sees whether the duty is being done.
	remaining []*Object
	done      func(*metav1.PartialObjectMetadata) bool
	// remedies are what a person may do instead, safest first.
	remedies []graph.Remedy
}

// release is the duty to take one hold's finalizer off an object. by is the controller's
// ServiceAccount in kube-system.
func (w *World) release(object *Object, hold graph.Hold, by, what string) duty {
	return duty{object: object, what: what, since: w.since(object), writes: []write{removal(object, hold.Name, systemAccount(by))}}
}

// systemAccount is the user name of a controller of kube-controller-manager.
func systemAccount(controller string) string {
	return "system:serviceaccount:kube-system:" + controller
}

// overdue answers for a duty of which the condition is met: why has it not been done?
func (w *World) overdue(ctx context.Context, duty duty) Answer {
	answer := w.overdueUnless(ctx, duty)
	answer.settled = len(duty.writes) > 0
	return answer
}

func (w *World) overdueUnless(ctx context.Context, duty duty) Answer {
	answer, alive := w.controllerManagerAlive(ctx)
	refused := w.refused(ctx, duty.writes...)
	if refused.found() {
		answer.add(refused.answer)
		return answer
	}
	if !alive {
		return answer
	}
	awaited := fmt.Sprintf("%s to %s", controllerManager, duty.what)
	if duty.since < patience {
		return w.progressUnless(ctx, refused, Note{
			Message: fmt.Sprintf("%s has yet to %s, which takes it seconds.", controllerManager, duty.what),
			Awaited: awaited, Evidence: w.leaseEvidence(ctx),
		})
	}
	if answer, moves := w.lookAgain(ctx, duty); moves {
		return answer
	}
	remedies := duty.remedies
	if len(duty.writes) > 0 && duty.writes[0].by != "" {
		remedies = append([]graph.Remedy{w.maySend(duty.writes[0])}, remedies...)
	}
	return open(Note{
		Message: fmt.Sprintf("%s: %s is alive and has yet to %s, %s after the deletion. Unless that became possible only just now, %s",
			duty.object.Ref, controllerManager, duty.what, duration.HumanDuration(duty.since), w.whyOverdue(refused)),
		Awaited: awaited + ", and nothing tells why it has not", Evidence: append(w.leaseEvidence(ctx), refused.uncertain()...), Remedies: remedies,
	})
}

// whyOverdue says what is left when nothing is known to refuse a duty's write.
func (w *World) whyOverdue(refused refusals) string {
	suspects := doubtful(refused.uncertain())
	switch {
	case refused.passed:
		return "that one controller is disabled or stuck, or has lost its rights: the request that it has to send would pass, at least from you."
	case suspects == "":
		return "that one controller is disabled, has lost its rights, or its request is refused; --probe sends that request as a dry run, and tells."
	}
	return fmt.Sprintf("its request is refused (%s may do that), or that one controller is disabled or has lost its rights; --probe sends the request as a dry run, and tells.", suspects)
}

package refusal

import (
	"context"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostProbes bounds how many dry runs one diagnosis sends: a namespace can hold thousands of objects
// that are all alike.
const mostProbes = 20

// probe sends a write as a dry run, if the user asked for that, and lets the API server's word count more than what was
// read of the admission configuration.
func (c *Checker) probe(ctx context.Context, write Write, found *Refusals) {
	if c.Prober == nil || write.Subresource == "finalize" || write.evicts() || !c.mayProbe() {
		return
	}
	left, err := send(ctx, c.Prober, write)
	by := finding.Evidence{Source: "dry run", Observed: write.String() + ": would pass", Object: &write.Object.Ref}
	if err != nil {
		by.Observed = write.String() + ": " + err.Error()
		by.Quotes = err.Error()
	}
	switch {
	case err == nil && write.removes != "" && left != nil && slices.Contains(left.Finalizers, write.removes):
		by.Observed += ", but " + write.removes + " would still be there"
		if len(c.Session.AdmissionRules(ctx).Unread) > 0 { // who puts it back may be among what can't be read
			found.unread(by)
			return
		}
		answer := putBack(c.Session, write, by, found)
		found.pass(by)
		found.Answer.Add(answer)
		found.passed = false
		return
	case err == nil:
		found.pass(by)
		return
	case apierrors.IsNotFound(err), apierrors.IsConflict(err):
		found.doubts = append(found.doubts, by) // it has changed or gone in the meantime
		return
	}
	for _, refusal := range admission.Refusals(err.Error()) { // because of who sent it, if the one who has to would pass
		others := c.refusesSender(ctx, write, refusal)
		if others == admission.Yes {
			continue
		}
		by.Observed += "; that may depend on who sends the request, and you sent this one"
		if others == admission.No {
			found.doubts = append(found.doubts, by)
		} else {
			found.Unsure = append(found.Unsure, by)
		}
		return
	}
	if answer, explained := c.explainProbe(ctx, write, err, by, found.Uncertain()); explained {
		answer.Add(found.Answer) // the server's word comes first
		found.Calls = nil
		found.Answer = answer
		return
	}
	found.unread(by)
	c.Session.Reader.Failed(
		write.Object.Resource, write.Object.Ref.Namespace, write.Object.Ref.Name, &cluster.ProbeError{Err: err},
	)
}

// pass notes that the API server lets a write pass, at least when the user sends it: what seemed to refuse it is no
// cause, unless it refuses other users.
func (r *Refusals) pass(by finding.Evidence) {
	r.doubts, r.Calls = append(r.doubts, by), nil
	waits := r.Answer.Waits
	r.Answer = session.Answer{}
	for _, wait := range waits {
		if wait.Personal { // the user isn't who it refuses
			r.Answer.Waits = append(r.Answer.Waits, wait)
			continue
		}
		for _, cause := range wait.Otherwise.Causes {
			r.doubts = append(r.doubts, cause.Evidence...)
		}
	}
	r.passed = !r.Found()
}

func (c *Checker) mayProbe() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.probes++
	return c.probes <= mostProbes
}

// send sends a write as a dry run, and returns what an update would make of the object.
func send(ctx context.Context, prober cluster.Prober, write Write) (*metav1.PartialObjectMetadata, error) {
	object := write.Object
	if write.Operation == admissionregistrationv1.Delete {
		return nil, prober.ProbeDelete(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	}
	patch := "[]" // a patch that changes nothing passes admission and validation like any other
	switch {
	case write.removes != "":
		patch = session.RemovalPatch(object, write.removes)
	case write.Disowns != nil:
		patch = session.DisownPatch(object, write.Disowns.UID)
	case write.Unblocks:
		patch = session.UnblockPatch(object)
	}
	return prober.ProbePatch(
		ctx, object.Resource, object.Ref.Namespace, object.Ref.Name, write.Subresource, []byte(patch),
	)
}

// explainProbe turns the API server's refusal of a dry run into causes. What it says of the user
// alone, or of dry runs, says nothing of the controller.
func (c *Checker) explainProbe(
	ctx context.Context, write Write, err error, by finding.Evidence, doubts []finding.Evidence,
) (session.Answer, bool) {
	for _, refusal := range admission.Refusals(err.Error()) {
		if refusal.Kind == admission.NotAllowed || refusal.Kind == admission.HookNoDryRun {
			return session.Answer{}, false
		}
		denial := Denial{Refusal: refusal, Request: write.Request(), By: by, write: &write}
		if answer, explained := c.Explain(ctx, denial); explained {
			return answer, true
		}
	}
	if apierrors.IsInvalid(err) && len(invalidFields(err)) > 0 {
		return session.Cause(invalidUpdate(c.Session, write, message(err), invalidFields(err), by, doubts)), true
	}
	return session.Answer{}, false
}

// invalidFields returns the fields that validation complains about. The failed test of a JSON patch is 422 too, and
// names none (docs/deletion.md#what-a-refusal-looks-like).
func invalidFields(err error) []string {
	var fields []string
	status, isStatus := err.(apierrors.APIStatus)
	if !isStatus || status.Status().Details == nil {
		return nil
	}
	for _, cause := range status.Status().Details.Causes {
		unexpected := cause.Type == metav1.CauseTypeUnexpectedServerResponse
		if cause.Field != "" && !unexpected && !slices.Contains(fields, cause.Field) {
			fields = append(fields, cause.Field)
		}
	}
	return fields
}

// message returns the gist of a validation error: without what is in front of every such error, and without the
// differences that follow on further lines. Evidence has the whole text.
func message(err error) string {
	text := err.Error()
	if _, after, found := strings.Cut(text, " is invalid: "); found {
		text = after
	}
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(strings.TrimSpace(text), ".")
}

// calledFor reports whether a webhook is called for a write, as far as can be read. It may be if the write isn't known.
func (c *Checker) calledFor(ctx context.Context, registered session.RegisteredHook, write *Write) admission.Match {
	if write == nil {
		return admission.Maybe
	}
	look := c.lookAt(ctx, *write)
	return look.decided(ctx, func() admission.Match {
		return c.evaluator.Calls(ctx, &registered.Hook, look.request).Match
	})
}

// refusesSender reports whether what refused a dry run refuses whoever has to send the write: Yes unless it asks who
// that is, and then as far as can be read. A dry run is sent as the user who asks: what refuses it for being that user
// says nothing of the controller that has to send the same write (docs/deletion.md#dry-runs).
func (c *Checker) refusesSender(ctx context.Context, write Write, refusal admission.Refusal) admission.Match {
	rules := c.Session.AdmissionRules(ctx)
	switch refusal.Kind {
	case admission.HookUnreachable, admission.HookDenied:
		match, asks := admission.No, false
		for _, registered := range rules.HooksNamed(refusal.Name) {
			asks = asks || registered.Hook.AsksWho()
			match = max(match, c.calledFor(ctx, registered, &write))
		}
		if asks {
			return match
		}
	case admission.PolicyDenied:
		if slices.Contains(rules.Unread, policyResource(refusal.Mutating).QualifiedName()) {
			return admission.Maybe
		}
		named := func(p session.RegisteredPolicy) bool { return p.Object.Ref.Name == refusal.Name }
		i := slices.IndexFunc(rules.Policies, named)
		if i >= 0 && !refusal.Mutating && admission.AsksWho(rules.Policies[i].Policy) {
			match := admission.No
			for _, one := range c.lookAt(ctx, write).decisions(ctx, rules.Policies[i]) {
				match = max(match, one.Denies)
			}
			return match
		}
	}
	return admission.Yes
}

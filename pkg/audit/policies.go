package audit

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostDenied is for how many objects of a kind it is judged whether a policy denies their deletion.
const mostDenied = 500

// policyJudge finds out which deletions a policy denies to the controller that empties namespaces. Other deletions are
// refused at once, so that nothing gets stuck.
type policyJudge struct {
	checker *checker
	policy  session.RegisteredPolicy
	lists   *kindLists
	cause   *finding.Finding // of the first denial
	unclear bool             // whether it denies some of the last deletions
}

// checkPolicies finds policies that deny deletions of what is in namespaces.
func (c *checker) checkPolicies(ctx context.Context) {
	lists := &kindLists{checker: c}
	for _, policy := range c.tools.Session.AdmissionRules(ctx).Policies {
		judge := &policyJudge{checker: c, policy: policy, lists: lists}
		denies, unclear := finding.DenyingPolicyDetails{}, finding.DenyingPolicyDetails{}
		for _, send := range c.sends {
			if send.what != finding.RefusesDelete || !send.kind.resource.Namespaced ||
				!c.tools.Refusals.MayDenyDeletion(policy, send.kind.resource) {
				continue
			}
			switch places := judge.denies(ctx, send); {
			case len(places) > 0:
				denies.Refuses = merged(denies.Refuses, send, places, judge.unclear)
			case judge.unclear:
				unclear.Refuses = append(unclear.Refuses, finding.RefusedWrites{
					Write: send.what, Resource: send.kind.resource.QualifiedName(),
				})
			}
		}
		if judge.cause != nil {
			c.addDenial(*judge.cause, denies)
		}
		if len(unclear.Refuses) > 0 {
			c.note(finding.Finding{Situation: "PolicyMayDeny", Object: policy.Object.Ref, Details: unclear})
			c.doubtful = true
		}
	}
}

func (c *checker) addDenial(cause finding.Finding, details finding.DenyingPolicyDetails) {
	slices.SortStableFunc(details.Refuses, byWeight)
	if by, is := cause.Details.(finding.AdmissionDeniedDetails); is {
		details.Binding, details.Said, details.Failed = by.Binding, by.Said, by.Failed
	}
	cause.Situation, cause.Details = "PolicyWouldDeny", details
	cause.Key = finding.KeyOf("PolicyWouldDeny", &cause.Object)
	c.add(found{severity: result.Warning, Finding: cause})
}

// denies returns where the policy denies a deletion: by one object in each namespace if it can't distinguish them.
func (j *policyJudge) denies(ctx context.Context, one sending) (places []place) {
	asksObject, asksNamespace := j.checker.tools.Refusals.Asks(j.policy)
	if j.unclear = asksNamespace && !j.checker.namespacesRead(ctx); j.unclear {
		return nil
	}
	if !asksObject {
		for _, at := range one.places {
			example := session.Named(one.kind.resource, at.Namespace, at.First)
			denies, unclear := j.deniesOne(ctx, one, example, false)
			if j.unclear = j.unclear || unclear; denies {
				places = append(places, at)
			}
		}
		return places
	}
	found := j.lists.of(ctx, one.kind.resource)
	j.unclear = j.unclear || found.err != nil
	whole := 0
	for i, object := range found.objects {
		if i == mostDenied {
			j.unclear = true
			break
		}
		denies, unclear := j.deniesOne(ctx, one, object, whole < mostConditions)
		if j.unclear = j.unclear || unclear; object.Whole != nil {
			whole++
		}
		if denies {
			places = counted(places, object)
		}
	}
	return places
}

func (j *policyJudge) deniesOne(
	ctx context.Context, one sending, object *session.Object, whole bool,
) (denies, unclear bool) {
	write := one.write(object)
	write.By = one.sender()
	found := j.checker.tools.Refusals.DeniedBy(ctx, j.policy, write, whole)
	for cause := range found.Answer.AllCauses() {
		if j.cause == nil {
			j.cause = cause
		}
		return true, false
	}
	return false, len(found.Unsure) > 0
}

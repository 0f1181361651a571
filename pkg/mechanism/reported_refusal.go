package mechanism

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// reportedRefusal is the answer for a hold whose controller reports that admission has refused a request of its: said
// is the answer of its mechanism. The cause is then what refused it, as far as that is still there; it is only Likely,
// because the report doesn't show which request that was.
func reportedRefusal(ctx context.Context, t *Tools, held Held, said Answer) Answer {
	if len(said.Causes) != 1 || said.Causes[0].Reason != finding.ControllerFailing {
		return said
	}
	cause := said.Causes[0]
	reported, is := cause.Details.(finding.ControllerDetails)
	if !is {
		return said
	}
	answer := said
	answer.Causes = nil
	for _, refused := range admission.Refusals(reported.Words) {
		if refused.Kind == admission.NotAllowed || t.Refusals.Lifted(ctx, refused) != nil {
			continue
		}
		explained, known := t.Refusals.Explain(ctx, refusal.Denial{
			Refusal: refused, By: leading(cause.Evidence),
			Request: finding.Request{Object: &held.Object.Ref, Sender: reported.Controller},
		})
		if !known {
			continue
		}
		policies := denyingPolicies(ctx, t.Session, refused)
		for denied := range explained.Blamed() {
			denied.Certainty = finding.Likely
			denied.Evidence = append(slices.Clone(denied.Evidence), cause.Evidence[min(1, len(cause.Evidence)):]...)
			nameFirst(t.Session, denied, policies)
		}
		answer.Add(explained)
	}
	if len(answer.Waits)+len(answer.Open) == len(said.Waits)+len(said.Open) {
		return said
	}
	return answer
}

func leading(evidence []Evidence) Evidence {
	if len(evidence) == 0 {
		return Evidence{}
	}
	return evidence[0]
}

// nameFirst puts the objects that a denial names before the configuration of the webhook that sent it.
func nameFirst(reads *session.Session, denied *Finding, policies []*Object) {
	details, is := denied.Details.(finding.AdmissionDeniedDetails)
	if !is || len(policies) == 0 {
		return
	}
	var first []Remedy
	for _, policy := range policies {
		details.Policies = append(details.Policies, policy.Ref)
		denied.Evidence = append(denied.Evidence, session.ObservedOf(policy, "exists, and the denial names it"))
		first = append(first, Remedy{
			Step: "ReadNamedPolicy", Details: finding.StepDetails{Object: &policy.Ref},
			Command: reads.Kubectl.Command(policy, "get", "-o", "yaml"), Risk: finding.NoRisk,
		})
	}
	denied.Details, denied.Remedies = details, append(first, denied.Remedies...)
}

// mostPolicyReads is how many objects are asked for, because a denial may name them.
const mostPolicyReads = 6

// denyingPolicies are the objects of a policy engine that the words of its webhook name: their kinds are of an API
// group that shares a word with the webhook's name, as kyverno.io and validate.kyverno.svc-fail.
func denyingPolicies(ctx context.Context, reads *session.Session, refused admission.Refusal) (found []*Object) {
	if refused.Kind != admission.HookDenied {
		return nil
	}
	asked := 0
	for _, name := range policyNames(refused.Message) {
		for _, resource := range enginesKinds(reads.ServedKinds(ctx), refused.Name) {
			if asked++; asked > mostPolicyReads {
				return found
			}
			policy, err := reads.Read(ctx, resource, "", name)
			if err == nil {
				found = append(found, policy)
				break
			}
		}
	}
	return found
}

// policyNames are the words of a denial that may name a policy: in brackets, in quotes, or before a colon.
func policyNames(message string) (names []string) {
	at := regexp.MustCompile(`\[([a-z0-9.-]+)\]|["']([a-z0-9.-]+)["']|(?:^|\s)([a-z0-9][a-z0-9.-]*):`)
	for _, match := range at.FindAllStringSubmatch(message, -1) {
		name := strings.Join(match[1:], "")
		if len(validation.IsDNS1123Subdomain(name)) == 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names[:min(len(names), 3)]
}

// enginesKinds are the cluster-wide kinds of the API groups that share a word with a webhook's name.
func enginesKinds(servedKinds *cluster.ServedKinds, webhook string) (kinds []cluster.Resource) {
	own := slices.DeleteFunc(strings.FieldsFunc(webhook, func(r rune) bool { return r == '.' || r == '-' }),
		func(word string) bool {
			return len(word) < 4 || naming.Generic(word) || word == "validate" || word == "example"
		})
	for _, resource := range servedKinds.Listable(false) {
		words := strings.Split(resource.Group, ".")
		of := slices.ContainsFunc(words, func(word string) bool { return slices.Contains(own, word) })
		if of && !cluster.ServedByKubernetes(resource.Group) {
			kinds = append(kinds, resource)
		}
	}
	slices.SortStableFunc(kinds, func(a, b cluster.Resource) int {
		return session.FalseFirst(!strings.Contains(a.Kind, "Polic"), !strings.Contains(b.Kind, "Polic"))
	})
	return kinds
}

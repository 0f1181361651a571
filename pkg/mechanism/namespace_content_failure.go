package mechanism

import (
	"context"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// fewKinds bounds how many kinds are listed to find the objects that a refused deletion is about.
const fewKinds = 8

// addFailure follows a deletion inside the namespace that was refused (docs/deletion.md#ways-a-namespace-gets-stuck).
// The condition names who refuses, and not which object it is about (docs/deletion.md#why-the-conditions-mislead): that
// one is looked for.
func (c *content) addFailure(ctx context.Context, message string, said Evidence) (explained bool) {
	for _, denied := range admission.Refusals(message) {
		lifted := c.tools.Refusals.Lifted(ctx, denied)
		switch {
		case lifted != nil:
			c.answer.Add(retried(ctx, c.tools.Health, c.namespace, *lifted))
			if finding.Is(lifted.Situation, finding.NotThere) { // as far as the API shows
				c.answer.Remarks = append(c.answer.Remarks, Finding{
					Situation: "WebhookMayBeInFile", Details: lifted.Details,
				})
			}
		case denied.Kind == admission.NotAllowed:
			c.answer.Add(session.Cause(c.controllerForbidden(denied, said)))
		case c.addGuarded(ctx, denied, said):
		default:
			answer, known := c.tools.Refusals.Explain(ctx,
				refusal.Denial{Refusal: denied, By: said, Request: finding.Request{
					Operation: "DELETE", Resource: denied.Resource.String(), Namespace: &c.namespace.Ref,
				}})
			if !known {
				continue
			}
			if denied.Kind == admission.HookDenied && c.tools.Refusals.Prober == nil {
				c.adviseProbe(answer)
			}
			c.answer.Add(answer)
		}
		explained = true
	}
	return explained
}

// adviseProbe adds how to learn which objects a webhook guards: only the webhook knows.
func (c *content) adviseProbe(answer Answer) {
	probe := Remedy{Step: "ProbeDeletions", Command: c.tools.Session.Kubectl.Why(c.namespace, "--probe")}
	for denied := range answer.Blamed() {
		denied.Remedies = slices.Insert(slices.Clone(denied.Remedies), 0, probe)
	}
}

// addGuarded lists the kinds that a refusal can be about, and adds their objects with what refuses their deletion.
func (c *content) addGuarded(ctx context.Context, refusal admission.Refusal, said Evidence) (found bool) {
	for _, resource := range c.kindsOf(ctx, refusal) {
		for _, object := range c.list(ctx, resource) {
			c.addObject(ctx, object)
		}
		for _, wait := range c.answer.Waits {
			if !sameKind(wait.Blocker.Resource, resource) || len(wait.Otherwise.Waits) == 0 {
				continue
			}
			found = true
			for refused := range wait.Otherwise.Blamed() { // found by reading, and now by what the controller was told
				refused.Certainty, refused.Evidence = finding.Proven, append(refused.Evidence, said)
			}
		}
	}
	return found
}

func sameKind(a, b cluster.Resource) bool { return a.GroupResource() == b.GroupResource() }

// kindsOf returns the kinds that the text of a refused deletion names, or the ones that the webhook's rules name.
func (c *content) kindsOf(ctx context.Context, refusal admission.Refusal) (kinds []cluster.Resource) {
	servedKinds := c.tools.Session.ServedKinds(ctx)
	if refusal.Resource.Resource != "" {
		if resource, served := servedKinds.Find(refusal.Resource); served {
			return []cluster.Resource{resource}
		}
		return nil
	}
	for _, registered := range c.tools.Session.AdmissionRules(ctx).HooksNamed(refusal.Name) {
		for _, resource := range servedKinds.OwnedInNamespaces() {
			same := func(other cluster.Resource) bool { return sameKind(resource, other) }
			named := registered.Hook.Names(admissionregistrationv1.Delete, resource.GroupVersionResource)
			if named && !slices.ContainsFunc(kinds, same) {
				kinds = append(kinds, resource)
			}
		}
	}
	if len(kinds) > fewKinds {
		return nil
	}
	return kinds
}

// addCollateral remarks on objects that nothing guards: DeleteCollection stops at the first that is refused (k8s v1.37
// apiserver/pkg/registry/generic/registry/store.go:DeleteCollection). It returns the others that are untouched.
func (c *content) addCollateral() (unexplained []*Object) {
	collateral := map[string][]string{}
	var kinds []string
	for _, object := range c.untouched {
		sibling := func(other *Object) bool { return sameKind(other.Resource, object.Resource) }
		if !slices.ContainsFunc(c.guarded, sibling) {
			unexplained = append(unexplained, object)
			continue
		}
		kind := object.Resource.QualifiedName()
		if collateral[kind] == nil {
			kinds = append(kinds, kind)
		}
		collateral[kind] = append(collateral[kind], object.Ref.Name)
	}
	for _, kind := range kinds {
		c.answer.Remarks = append(c.answer.Remarks, Finding{
			Situation: "SiblingsOfGuarded",
			Details:   finding.ContentDetails{Namespace: c.namespace.Ref, Resource: kind, Names: collateral[kind]},
		})
	}
	return unexplained
}

// controllerForbidden is the cause of a namespace controller without its default rights
// (docs/deletion.md#rights-of-built-in-controllers).
func (c *content) controllerForbidden(refusal admission.Refusal, said Evidence) Finding {
	role := strings.TrimPrefix(refusal.Name, "system:serviceaccount:kube-system:")
	if role == "namespace-controller" {
		role = "system:controller:" + role
	}
	return Finding{
		Reason: finding.ControllerForbidden, Situation: "NamespaceControllerForbidden", Object: c.namespace.Ref,
		Finalizer: "kubernetes", Certainty: finding.Proven,
		Details:  finding.NamespaceControllerDetails{User: refusal.Name, Words: refusal.Message},
		Evidence: []Evidence{said},
		Remedies: []Remedy{{
			Step:    "RestoreDefaultRole",
			Command: c.tools.Session.Kubectl.Prefix(finding.Ref{}, "get", "clusterrole/"+role, "-o", "yaml"),
		}},
	}
}

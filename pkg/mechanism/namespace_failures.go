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

// addFailure follows a deletion inside the namespace that was refused (deletion-mechanics B.3, rows 2, 3 and 6). The
// condition names who refuses, and not which object it is about (trap T5): that one is looked for.
func (c *content) addFailure(ctx context.Context, message string, said finding.Evidence) (explained bool) {
	for _, denied := range admission.Refusals(message) {
		if denied.Kind == admission.NotAllowed {
			c.answer.Add(session.Cause(c.controllerForbidden(denied, said)))
			explained = true
			continue
		}
		told := refusal.Told{Refusal: denied, By: said, Request: finding.Request{
			Operation: "DELETE", Resource: denied.Resource.String(), Namespace: &c.namespace.Ref,
		}}
		if c.addGuarded(ctx, denied, said) {
			explained = true
			continue
		}
		if answer, known := c.tools.Refusals.Explain(ctx, told); known {
			if denied.Kind == admission.HookDenied && c.tools.Refusals.Prober == nil {
				c.adviseProbe(answer)
			}
			c.answer.Add(answer)
			explained = true
		}
	}
	return explained
}

// adviseProbe adds how to learn which objects a webhook guards: only the webhook knows.
func (c *content) adviseProbe(answer Answer) {
	for i := range answer.Waits {
		for j := range answer.Waits[i].Otherwise.Causes {
			denied := &answer.Waits[i].Otherwise.Causes[j]
			denied.Remedies = slices.Insert(slices.Clone(denied.Remedies), 0, finding.Remedy{
				Step: "ProbeDeletions", Command: c.tools.Session.Kubectl.Why(c.namespace, "--probe"),
			})
		}
	}
}

// addGuarded lists the kinds that a refusal can be about, and adds their objects: those whose deletion is refused lead
// to what refuses it.
func (c *content) addGuarded(ctx context.Context, refusal admission.Refusal, said finding.Evidence) (found bool) {
	for _, resource := range c.kindsOf(ctx, refusal) {
		for _, object := range c.list(ctx, resource) {
			c.addObject(ctx, object)
		}
		for i := range c.answer.Waits {
			wait := &c.answer.Waits[i]
			about := wait.Blocker.Resource.GroupResource() == resource.GroupResource()
			if about && len(wait.Otherwise.Waits) > 0 {
				prove(wait, said)
				found = true
			}
		}
	}
	return found
}

// prove adds to the causes found by reading what the controller itself was told.
func prove(wait *Wait, said finding.Evidence) {
	for i := range wait.Otherwise.Waits {
		for j := range wait.Otherwise.Waits[i].Otherwise.Causes {
			refused := &wait.Otherwise.Waits[i].Otherwise.Causes[j]
			refused.Certainty = finding.Proven
			refused.Evidence = append(refused.Evidence, said)
		}
	}
}

// kindsOf returns the kinds that a refused deletion can have been about: the one that the text
// names, or those that the webhook's rules name.
func (c *content) kindsOf(ctx context.Context, refusal admission.Refusal) []cluster.Resource {
	catalog, err := c.tools.Session.Reader.Catalog(ctx)
	if err != nil {
		return nil
	}
	if refusal.Resource.Resource != "" {
		if resource, served := catalog.Find(refusal.Resource); served {
			return []cluster.Resource{resource}
		}
		return nil
	}
	var kinds []cluster.Resource
	for _, registered := range c.tools.Session.AdmissionRules(ctx).HooksNamed(refusal.Name) {
		for _, resource := range catalog.Owned() {
			same := func(k cluster.Resource) bool { return k.GroupResource() == resource.GroupResource() }
			named := registered.Hook.Names(admissionregistrationv1.Delete, resource.GroupVersionResource)
			if resource.Namespaced && named && !slices.ContainsFunc(kinds, same) {
				kinds = append(kinds, resource)
			}
		}
	}
	if len(kinds) > fewKinds {
		return nil
	}
	return kinds
}

// refusedDeletion returns what refuses to delete one object of the namespace.
func (c *content) refusedDeletion(ctx context.Context, object *Object) refusal.Refusals {
	return c.tools.Refusals.Refused(ctx, refusal.Deletion(object, refusal.SystemAccount("namespace-controller")))
}

// addCollateral remarks on objects that nothing guards and that are not deleted all the same: the
// deletion of a collection stops at the first object that is refused (k8s v1.37
// apiserver/pkg/registry/generic/registry/store.go:DeleteCollection). It returns the untouched objects
// that this doesn't explain.
func (c *content) addCollateral() (unexplained []*Object) {
	collateral := map[string][]string{}
	var kinds []string
	for _, object := range c.untouched {
		sibling := func(g *Object) bool { return g.Resource.GroupResource() == object.Resource.GroupResource() }
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
		c.answer.Remarks = append(c.answer.Remarks, finding.Finding{
			Situation: "SiblingsOfGuarded",
			Details:   finding.ContentDetails{Namespace: c.namespace.Ref, Resource: kind, Names: collateral[kind]},
		})
	}
	return unexplained
}

// controllerForbidden is the cause of a namespace controller without the rights that it has by default
// (deletion-mechanics M24).
func (c *content) controllerForbidden(refusal admission.Refusal, said finding.Evidence) finding.Finding {
	role := strings.TrimPrefix(refusal.Name, "system:serviceaccount:kube-system:")
	if role == "namespace-controller" {
		role = "system:controller:" + role
	}
	return finding.Finding{
		Reason: finding.ControllerForbidden, Situation: "NamespaceControllerForbidden", Object: c.namespace.Ref,
		Finalizer: "kubernetes", Certainty: finding.Proven,
		Details:  finding.NamespaceControllerDetails{User: refusal.Name, Words: refusal.Message},
		Evidence: []finding.Evidence{said},
		Remedies: []finding.Remedy{{
			Step:    "RestoreDefaultRole",
			Command: c.tools.Session.Kubectl.Prefix(finding.Ref{}, "get", "clusterrole/"+role, "-o", "yaml"),
		}},
	}
}

// Package refusal says what refuses the write that would end a hold: webhooks and policies as they are configured, the
// programs behind them, and, if the user requests it, the API server's own word.
//
// This package may change at any time.
package refusal

import (
	"context"
	"slices"
	"strings"
	"sync"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Checker says what refuses a write, by what a session reads.
type Checker struct {
	Session *session.Session
	Health  *health.Checker
	Prober  cluster.Prober // nil unless the user wants the needed writes sent as dry runs

	evaluator *admission.Evaluator
	others    cluster.Memo[schema.GroupVersionKind, []schema.GroupVersionResource] // versions of a kind
	mu        sync.Mutex
	judged    map[any]func() Refusals
	probes    int // sent so far
}

// NewChecker returns a Checker that reads through a session.
func NewChecker(reads *session.Session, fares *health.Checker) *Checker {
	return &Checker{Session: reads, Health: fares, evaluator: admission.NewEvaluator(), judged: map[any]func() Refusals{}}
}

// Refusals is what is in the way of a write.
type Refusals struct {
	Answer session.Answer     // has a wait for each webhook and policy that refuses it
	Unsure []finding.Evidence // what would tell more, and could not be read or decided
	Unread bool               // some of that could not be read, or the API server not be asked
	doubts []finding.Evidence // what has a say in it and may refuse it, for all that can be read
	passed bool               // the API server would let it pass: it was asked
	Calls  []Call             // webhooks that are asked about it, unless the API server has said what comes of that
}

// Call is a webhook that is asked about a write, and may refuse it: nothing that can be read says what it answers.
type Call struct {
	session.RegisteredHook
	Unjudged bool // it is outside of the cluster, and its silence is a refusal
}

// CanRefuse reports whether a webhook may refuse a write. Where its failurePolicy is Ignore and its backend can't
// answer, the API server lets the write pass.
func (c *Checker) CanRefuse(ctx context.Context, call Call) bool {
	service, inCluster := health.HookService(call.Hook.ClientConfig)
	return call.Hook.FailsClosed() || !inCluster || c.Health.Backend(ctx, service).State != health.BackendBroken
}

// unjudged are the configurations of webhooks outside of the cluster whose silence would be a refusal.
func (r *Refusals) unjudged() (webhooks []finding.Ref, evidence []finding.Evidence) {
	for _, call := range r.Calls {
		if !call.Unjudged || slices.Contains(webhooks, call.Configuration.Ref) {
			continue
		}
		webhooks = append(webhooks, call.Configuration.Ref)
		evidence = append(evidence, session.ObservedOf(call.Configuration, call.String()+" is asked about that by URL ("+
			deref(call.Hook.ClientConfig.URL)+"; failurePolicy Fail), and this cluster doesn't show whether it answers"))
	}
	return webhooks, evidence
}

func (r *Refusals) unread(what finding.Evidence) {
	r.Unsure, r.Unread = append(r.Unsure, what), true
}

// Found reports whether something refuses.
func (r *Refusals) Found() bool { return len(r.Answer.Waits) > 0 || len(r.Answer.Causes) > 0 }

// Refused says what refuses any of some writes: by reading the admission configuration, and, where the user asked for
// that, by sending the write as a dry run.
func (c *Checker) Refused(ctx context.Context, writes ...Write) Refusals {
	all := Refusals{passed: len(writes) > 0}
	for _, write := range writes {
		refusals := c.refusedOnce(ctx, write)
		all.Answer.Add(refusals.Answer)
		all.doubts = append(all.doubts, refusals.doubts...)
		all.Unsure, all.Unread = append(all.Unsure, refusals.Unsure...), all.Unread || refusals.Unread
		all.Calls = append(all.Calls, refusals.Calls...)
		all.passed = all.passed && refusals.passed
	}
	return all
}

// HasLooked reports whether a Checker has judged a write before, so that what decides about writes was read.
func HasLooked(c *Checker) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.judged) > 0
}

// By are the webhook configurations and policies that refuse.
func (r *Refusals) By() (refusers []finding.Ref) {
	for _, wait := range r.Answer.Waits {
		if !slices.Contains(refusers, wait.Blocker.Ref) {
			refusers = append(refusers, wait.Blocker.Ref)
		}
	}
	return refusers
}

// refusedOnce judges one write, by the rules and by a dry run. What was asked once isn't asked again.
func (c *Checker) refusedOnce(ctx context.Context, write Write) Refusals {
	c.mu.Lock()
	judge, known := c.judged[write]
	if !known {
		judge = sync.OnceValue(func() Refusals {
			refusals := c.refusedByRules(ctx, write)
			c.probe(ctx, write, &refusals)
			refusals.Answer = c.withRefusersGoing(ctx, refusals.Answer)
			return refusals
		})
		c.judged[write] = judge
	}
	c.mu.Unlock()
	return judge()
}

// refusedByRules judges a write by the admission configuration (docs/deletion.md#admission).
func (c *Checker) refusedByRules(ctx context.Context, write Write) Refusals {
	found := Refusals{}
	rules := c.Session.AdmissionRules(ctx)
	if len(rules.Unread) > 0 {
		found.unread(finding.Evidence{
			Source: "admission", Observed: strings.Join(rules.Unread, ", ") + " could not be read",
			Rank: finding.Restated, // the answer lists what could not be read
		})
	}
	if rules.Empty() {
		return found
	}
	look := c.lookAt(ctx, write)
	look.found = &found
	for _, hook := range rules.Hooks {
		look.hook(ctx, hook)
	}
	for _, policy := range rules.Policies {
		look.policy(ctx, policy)
	}
	for _, mutation := range rules.Mutating {
		look.mutation(ctx, mutation)
	}
	return found
}

// Intercepts reports whether anything may have a say in an operation on objects of a resource, by its rules alone:
// whatever the object. Nothing that is known does, where the admission configuration can't be read.
func (c *Checker) Intercepts(
	ctx context.Context, operation admissionregistrationv1.OperationType, resource cluster.Resource,
) bool {
	rules := c.Session.AdmissionRules(ctx)
	return slices.ContainsFunc(rules.Hooks, func(hook session.RegisteredHook) bool {
		return hook.Hook.Names(operation, resource.GroupVersionResource)
	}) || slices.ContainsFunc(rules.Policies, func(policy session.RegisteredPolicy) bool {
		return len(policy.Bindings) > 0 && admission.Names(policy.Policy, operation, resource.GroupVersionResource)
	})
}

func refusedBy(configuration *session.Object, refusal finding.Finding) session.Wait {
	return session.Wait{Blocker: configuration, ForAnswer: true, Otherwise: session.Cause(refusal)}
}

// Uncertain is everything that is not known for certain about a write.
func (r *Refusals) Uncertain() []finding.Evidence {
	return append(slices.Clone(r.Unsure), r.doubts...)
}

// Suspects are what may refuse a write that is needed for an object, for all that can be read, and the step that shows
// whether it does: a webhook whose backend is up may still refuse, or not be reached. Where the API server was asked,
// only what it could not be asked about is left.
func (c *Checker) Suspects(object *session.Object, found Refusals) (suspects []finding.Evidence, ask []finding.Remedy) {
	if c.Prober != nil {
		return found.Unsure, nil
	}
	if suspects = found.Uncertain(); len(suspects) == 0 {
		return nil, nil
	}
	return suspects, offerProbe(c.Session, object)
}

// offerProbe is the step that asks the API server whether it accepts the write that an object waits for.
func offerProbe(reads *session.Session, object *session.Object) []finding.Remedy {
	return []finding.Remedy{{
		Step: "ProbeWrite", Command: reads.Kubectl.Why(object, "--probe"), Risk: finding.NoRisk,
	}}
}

func objectsOf(evidence []finding.Evidence) (objects []finding.Ref) {
	for _, sign := range evidence {
		if sign.Object != nil && !slices.Contains(objects, *sign.Object) {
			objects = append(objects, *sign.Object)
		}
	}
	return objects
}

package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// refusals is what stands in the way of a write.
type refusals struct {
	// answer has a wait for each webhook and policy that refuses it.
	answer Answer
	// unsure is what would tell more, and could not be read or decided.
	unsure []graph.Evidence
	// doubts are what has a say in it and may refuse it, for all that can be read.
	doubts []graph.Evidence
	// remote are those of the doubts about which reading can never tell more.
	remote []graph.Evidence
	// passed says that the API server would let it pass: it was asked.
	passed bool
}

func (r *refusals) found() bool { return len(r.answer.Waits) > 0 || len(r.answer.Causes) > 0 }

// refused tells what refuses any of some writes: by reading the admission configuration, and, where the
// user asked for that, by sending the write as a dry run.
func (w *World) refused(ctx context.Context, writes ...write) refusals {
	all := refusals{passed: len(writes) > 0}
	for _, write := range writes {
		one := w.refusedByRules(ctx, write)
		w.probe(ctx, write, &one)
		all.answer.add(one.answer)
		all.doubts = append(all.doubts, one.doubts...)
		all.unsure = append(all.unsure, one.unsure...)
		all.remote = append(all.remote, one.remote...)
		all.passed = all.passed && one.passed
	}
	return all
}

// refusedByRules judges a write by the admission configuration (deletion-mechanics M17).
func (w *World) refusedByRules(ctx context.Context, write write) refusals {
	found := refusals{}
	rules := w.admissionRules(ctx)
	if len(rules.unread) > 0 {
		found.unsure = append(found.unsure, graph.Evidence{Source: "admission", Observed: "could not be read: " + strings.Join(rules.unread, ", ")})
	}
	if rules.empty() {
		return found
	}
	look := w.lookAt(ctx, write)
	look.found = &found
	for _, hook := range rules.hooks {
		look.hook(ctx, hook)
	}
	for _, policy := range rules.policies {
		look.policy(ctx, policy)
	}
	for _, mutation := range rules.mutating {
		look.mutation(ctx, mutation)
	}
	return found
}

// admissionLook judges one write.
type admissionLook struct {
	*World
	write     write
	request   *admission.Request
	completed bool
	found     *refusals
}

func (w *World) lookAt(ctx context.Context, write write) *admissionLook {
	return &admissionLook{World: w, write: write, request: w.request(ctx, write), found: &refusals{}}
}

// decided asks again with all that can be read when what was read doesn't settle it.
func (l *admissionLook) decided(ctx context.Context, ask func() admission.Match) admission.Match {
	match := ask()
	if match == admission.Maybe && !l.completed {
		l.completed = true
		if l.complete(ctx, l.request, l.write) {
			return ask()
		}
	}
	return match
}

func (l *admissionLook) hook(ctx context.Context, registered registeredHook) {
	var called admission.Called
	match := l.decided(ctx, func() admission.Match {
		called = l.evaluator.Calls(&registered.hook, l.request)
		return called.Match
	})
	if match == admission.No {
		return
	}
	what := describeHook(registered)
	personal := l.personal(func(anybody *admission.Request) admission.Match {
		return l.evaluator.Calls(&registered.hook, anybody).Match
	})
	if called.Refused != "" {
		l.refuse(registered.configuration, l.hookFails(registered, l.write, called), personal)
		return
	}
	service, inCluster := hookService(registered.hook.Client)
	if !inCluster || !registered.hook.FailsClosed() {
		said := what + " is called for " + l.write.String() + " and may refuse it"
		if !inCluster {
			said += fmt.Sprintf("; it is called by URL (%s), and whether that answers can't be read", deref(registered.hook.Client.URL))
		}
		l.doubt(registered.configuration, said)
		if !inCluster && registered.hook.FailsClosed() {
			l.found.remote = append(l.found.remote, observedOf(registered.configuration, said))
		}
		return
	}
	behind := l.backend(ctx, service)
	switch {
	case behind.state == backendBroken && match == admission.Yes:
		l.refuse(registered.configuration, l.webhookUnavailable(registered, l.write, behind), personal)
	case behind.state == backendBroken:
		l.unsure(registered.configuration, what+" may be called for "+l.write.String()+", which can't be told, and its backend "+behind.words)
	case behind.state == backendUnknown:
		l.unsure(registered.configuration, what+" is called for "+l.write.String()+"; its backend "+behind.words)
	default:
		l.doubt(registered.configuration, what+" is called for "+l.write.String()+" and may refuse it; its backend is up")
	}
}

func (l *admissionLook) policy(ctx context.Context, registered registeredPolicy) {
	for _, binding := range registered.bindings {
		concerned := func() admission.Match { return admission.Concerns(registered.policy, binding, l.request).Match }
		if l.decided(ctx, concerned) == admission.No {
			continue
		}
		for _, policy := range l.withParams(ctx, registered.policy, binding) {
			var decision admission.Decision
			denies := l.decided(ctx, func() admission.Match {
				decision = l.evaluator.Decides(policy, l.request)
				return decision.Denies
			})
			switch denies {
			case admission.Yes:
				personal := l.personal(func(anybody *admission.Request) admission.Match { return l.evaluator.Decides(policy, anybody).Denies })
				l.refuse(registered.object, l.policyDenies(registered.object, binding.Name, l.write, decision), personal)
			case admission.Maybe:
				l.unsure(registered.object, fmt.Sprintf("with binding %s it may refuse %s: that depends on what can't be read", binding.Name, l.write))
			}
		}
	}
}

func (l *admissionLook) mutation(ctx context.Context, registered registeredMutation) {
	for _, binding := range registered.bindings {
		var concern admission.Concern
		l.decided(ctx, func() admission.Match {
			concern = admission.ConcernsMutating(registered.policy, binding, l.request)
			if !concern.Lost {
				concern.Match = min(concern.Match, l.evaluator.Applies(registered.policy, l.request))
			}
			return concern.Match
		})
		switch {
		case concern.Lost:
			l.refuse(registered.object, l.policyDenies(registered.object, binding.Name, l.write, admission.Decision{
				Failed: true, Message: "a namespaceSelector needs the namespace " + l.write.object.Ref.Namespace + ", which no longer exists",
			}), false)
		case concern.Match != admission.No:
			l.doubt(registered.object, fmt.Sprintf("with binding %s it may change what %s writes, and make it invalid", binding.Name, l.write))
		}
	}
}

func (l *admissionLook) refuse(configuration *Object, cause graph.Cause, personal bool) {
	wait := refusedBy(configuration, cause)
	wait.personal = personal
	l.found.answer.Waits = append(l.found.answer.Waits, wait)
}

// personal tells whether it is because of who sends the write that something has a say in it.
func (l *admissionLook) personal(ask func(*admission.Request) admission.Match) bool {
	return l.request.User != "" && ask(l.request.Anybody()) != admission.Yes
}

// refusedBy is the wait of a write for the configuration that refuses it.
func refusedBy(configuration *Object, refusal graph.Cause) Wait {
	return Wait{Blocker: configuration, ForAnswer: true, Otherwise: cause(refusal)}
}

func (l *admissionLook) doubt(configuration *Object, observed string) {
	l.found.doubts = append(l.found.doubts, observedOf(configuration, observed))
}

func (l *admissionLook) unsure(configuration *Object, observed string) {
	l.found.unsure = append(l.found.unsure, observedOf(configuration, observed))
}

func observedOf(object *Object, observed string) graph.Evidence {
	ref := object.Ref
	return graph.Evidence{Source: ref.String(), Observed: observed, Object: &ref}
}

// uncertain is everything that is not known for certain about a write.
func (r *refusals) uncertain() []graph.Evidence {
	return append(slices.Clone(r.unsure), r.doubts...)
}

// hookService returns the Service that a webhook is called through.
func hookService(client admissionregistrationv1.WebhookClientConfig) (service, bool) {
	if client.Service == nil {
		return service{}, false
	}
	of := service{namespace: client.Service.Namespace, name: client.Service.Name}
	if client.Service.Port != nil {
		of.port = *client.Service.Port
	}
	return of, true
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func describeHook(registered registeredHook) string { return "webhook " + registered.hook.Name }

// doubtful returns the names of what may refuse a write, for a sentence.
func doubtful(doubts []graph.Evidence) string {
	var names []string
	for _, doubt := range doubts {
		if doubt.Object != nil && !slices.Contains(names, doubt.Object.String()) {
			names = append(names, doubt.Object.String())
		}
	}
	return some(names, 3)
}

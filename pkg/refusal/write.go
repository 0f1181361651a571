package refusal

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// Refusals is what stands in the way of a write.
type Refusals struct {
	// Answer has a wait for each webhook and policy that refuses it.
	Answer facts.Answer
	// Unsure is what would tell more, and could not be read or decided.
	Unsure []graph.Evidence
	// doubts are what has a say in it and may refuse it, for all that can be read.
	doubts []graph.Evidence
	// remote are those of the doubts about which reading can never tell more.
	remote []graph.Evidence
	// passed says that the API server would let it pass: it was asked.
	passed bool
}

// Found tells whether something refuses.
func (r *Refusals) Found() bool { return len(r.Answer.Waits) > 0 || len(r.Answer.Causes) > 0 }

// Refused tells what refuses any of some writes: by reading the admission configuration, and, where the
// user asked for that, by sending the write as a dry run.
func (w *World) Refused(ctx context.Context, writes ...Write) Refusals {
	all := Refusals{passed: len(writes) > 0}
	for _, write := range writes {
		one := w.refusedOnce(ctx, write)
		all.Answer.Add(one.Answer)
		all.doubts = append(all.doubts, one.doubts...)
		all.Unsure = append(all.Unsure, one.Unsure...)
		all.remote = append(all.remote, one.remote...)
		all.passed = all.passed && one.passed
	}
	return all
}

// refusedOnce judges one write, by the rules and by a dry run. What was asked once isn't asked again.
func (w *World) refusedOnce(ctx context.Context, write Write) Refusals {
	w.mu.Lock()
	if w.judged == nil {
		w.judged = map[any]func() Refusals{}
	}
	judge, known := w.judged[write]
	if !known {
		judge = sync.OnceValue(func() Refusals {
			one := w.refusedByRules(ctx, write)
			w.probe(ctx, write, &one)
			return one
		})
		w.judged[write] = judge
	}
	w.mu.Unlock()
	return judge()
}

// refusedByRules judges a write by the admission configuration (deletion-mechanics M17).
func (w *World) refusedByRules(ctx context.Context, write Write) Refusals {
	found := Refusals{}
	rules := w.AdmissionRules(ctx)
	if len(rules.unread) > 0 {
		found.Unsure = append(found.Unsure, graph.Evidence{Source: "admission", Observed: "could not be read: " + strings.Join(rules.unread, ", ")})
	}
	if rules.empty() {
		return found
	}
	look := w.lookAt(ctx, write)
	look.found = &found
	for _, hook := range rules.Hooks {
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

// refusedBy is the wait of a write for the configuration that refuses it.
func refusedBy(configuration *facts.Object, refusal graph.Cause) facts.Wait {
	return facts.Wait{Blocker: configuration, ForAnswer: true, Otherwise: facts.Cause(refusal)}
}

// Uncertain is everything that is not known for certain about a write.
func (r *Refusals) Uncertain() []graph.Evidence {
	return append(slices.Clone(r.Unsure), r.doubts...)
}

// doubtful returns the names of what may refuse a write, for a sentence.
func doubtful(doubts []graph.Evidence) string {
	var names []string
	for _, doubt := range doubts {
		if doubt.Object != nil && !slices.Contains(names, doubt.Object.String()) {
			names = append(names, doubt.Object.String())
		}
	}
	return facts.Some(names, 3)
}

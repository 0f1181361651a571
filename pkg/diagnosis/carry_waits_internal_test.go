package diagnosis

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// clock is a Reader that only knows the time.
type clock struct{ cluster.Reader }

func (clock) Now() time.Time { return time.Unix(0, 0) }

func (clock) Source() cluster.Source { return cluster.FromServer }

// chain is a run with objects that each wait for the next, with something open at each, and a cause at the last.
func chain(count int) *run {
	r := newRun(&mechanism.Tools{Session: &session.Session{Reader: cluster.NewCachedReader(clock{})}})
	for i := range count {
		r.found.graph.Add(finding.Ref{Kind: "ConfigMap", Name: fmt.Sprint(i)})
		r.found.at(i).open.findings = []finding.Finding{{Situation: "NothingHolds", Key: fmt.Sprint(i)}}
		if i > 0 {
			r.found.graph.Link(graph.Edge{From: i - 1, To: i, Type: finding.WaitsFor})
		}
	}
	last := r.found.graph.Nodes()[count-1].Ref
	r.found.addCause(count-1, finding.Finding{Reason: finding.ControllerMissing, Object: last})
	return r
}

// TestCarry compares what is carried along a chain with what is reached.
func TestCarry(t *testing.T) {
	const count = 100
	r := chain(count)
	r.groups.join(t.Context())
	for node := range count {
		to := r.groups.carriedTo(node)
		if open, _ := to.open.all.count(nil); open != count-node || len(slices.Collect(to.groups.all())) != 1 {
			t.Errorf("%d waits for %d open findings, and the groups %v", node, open, to.groups)
		}
		if first := to.open.sure[0]; first.node != node || len(to.open.sure) != min(mostCarried, count-node) {
			t.Errorf("%d: the first of %d is at %d", node, len(to.open.sure), first.node)
		}
		var awaited finding.Waiting
		if r.groups.addNotes(&awaited, to.open, openOf); awaited.Count() != count-node {
			t.Errorf("%d waits for %d things", node, awaited.Count())
		}
	}
}

// countedContext ends after it was asked so many times.
type countedContext struct {
	context.Context
	left int
}

func (c *countedContext) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterruptedCarry has a command interrupted in the middle of this: what was not reached by then is not clear.
func TestInterruptedCarry(t *testing.T) {
	r := chain(100)
	r.groups.join(t.Context())
	all := r.groups.carry(&countedContext{t.Context(), 40}, r.groups.parts, func(graph.Edge) bool { return true })
	for part, one := range all {
		if one.cut != (part >= 40) {
			t.Errorf("part %d: cut off: %t", part, one.cut)
		}
	}
	r.groups.carried = all
	of := r.groups.fateOf(&session.Object{Ref: r.found.graph.Nodes()[0].Ref})
	if of.verdict != "Undetermined" {
		t.Errorf("what was not looked at is %s", of.verdict)
	}
}

// TestInterruptedCauses has a command interrupted before causes and observations are told, and there are so many that
// no machine tells them all in a moment. The first are told, and no group is known that isn't.
func TestInterruptedCauses(t *testing.T) {
	const count = 50_000
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := newRun(mechanism.Options{}.Tools(clock{}))
	for i := range count {
		ref := finding.Ref{APIVersion: "v1", Kind: "ConfigMap", Name: fmt.Sprint(i)}
		r.found.graph.Add(ref)
		open := finding.Finding{
			Situation: "LookInterrupted", Object: ref, Key: fmt.Sprint(i), Details: finding.HeldDetails{Object: ref},
		}
		r.found.at(i).open.findings = []finding.Finding{open}
		r.found.addCause(i, finding.Finding{
			Reason: finding.OwnershipDeadlock, Situation: "ForegroundDeadlock", Object: ref, Key: fmt.Sprint(i),
			Details: finding.DeadlockDetails{Members: []finding.Ref{ref}},
		})
	}
	r.groups.join(ctx)
	if causes := r.tellCauses(ctx); len(causes) == count || len(causes) != len(r.groups.all) {
		t.Errorf("%d causes of %d are told, and %d groups are known", len(causes), count, len(r.groups.all))
	}
	if seen, _ := r.observations(ctx); len(seen) == 0 || len(seen) >= count {
		t.Errorf("%d observations of %d are told", len(seen), count)
	}
}

// Package diagnosis grows the blocking graph from a target through the mechanisms until only root
// causes are left, and judges it.
//
// This package may change at any time.
package diagnosis

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Why diagnoses one target. It only reads. When ctx ends half way, the result holds what is known by
// then. A target that can't be read because of what is in storage is answered with that; other errors
// of reading the target are returned, and GoneError.
func Why(
	ctx context.Context, reader cluster.Reader, asked session.Target, options mechanism.Options,
) (*result.Diagnosis, error) {
	answer, _, err := why(ctx, options.Tools(reader), asked)
	return answer, err
}

// Diagnoser returns Why with some options, for those who need to know what was read of the target.
func Diagnoser(
	options mechanism.Options,
) func(context.Context, cluster.Reader, session.Target) (*result.Diagnosis, *session.Object, error) {
	return func(
		ctx context.Context, reader cluster.Reader, asked session.Target,
	) (*result.Diagnosis, *session.Object, error) {
		return why(ctx, options.Tools(reader), asked)
	}
}

func why(
	ctx context.Context, tools *mechanism.Tools, asked session.Target,
) (*result.Diagnosis, *session.Object, error) {
	object, err := tools.Session.Read(ctx, asked.Resource, asked.Namespace, asked.Name)
	r := newRun(tools)
	if err != nil {
		unread, answer, explained := mechanism.Unreadable(
			ctx, tools.Session, tools.Health, asked.Resource, asked.Namespace, asked.Name, err,
		)
		if !explained {
			return nil, nil, err
		}
		r.found.apply(r.found.add(unread), nil, answer)
		result, _ := r.judge(ctx, unread)
		return result, unread, nil
	}
	if object.Terminating() {
		r.found.explainDeletion(ctx, object)
		r.goAbroad(ctx)
	} else {
		r.life.explain(ctx, object)
		r.found.apply(target, nil, mechanism.Aside(ctx, tools.Session, tools.Health, object))
		r.life.foretellTroubles(ctx, object)
		r.foretell(ctx, object)
	}
	answer, _ := r.judge(ctx, object)
	if answer.Verdict == result.Progressing || answer.Verdict == result.Undetermined {
		if err := stillThere(ctx, tools, object); err != nil {
			return nil, nil, err
		}
	}
	return answer, object, nil
}

// stillThere looks again, past everything remembered: an answer about an object that has gone in
// the meantime would be wrong. A look that fails changes nothing.
func stillThere(ctx context.Context, tools *mechanism.Tools, object *session.Object) error {
	meta, err := tools.Session.Reader.Fresh().Metadata(ctx, object.Resource, object.Ref.Namespace, object.Ref.Name)
	switch {
	case apierrors.IsNotFound(err):
		return &session.GoneError{Ref: object.Ref}
	case err == nil && string(meta.UID) != object.Ref.UID:
		return &session.GoneError{Ref: object.Ref, Recreated: true}
	}
	return nil
}

func voiceOf(tools *mechanism.Tools) finding.Voice {
	session := tools.Session
	return finding.Voice{Now: session.AsOf(), Program: session.Kubectl.Program, Foresees: session.Foresees,
		Live: session.Foresees, Undated: session.Reader.Source() == cluster.FromUndated}
}

func (r *run) summary(object *session.Object, verdict result.Verdict) finding.Finding {
	var awaited []finding.Awaited
	for _, joined := range r.groups.all {
		awaited = append(awaited, finding.Awaited{Finding: joined.causes[0], Count: len(joined.causes)})
	}
	every := r.found.graph.Numbers()
	switch {
	case verdict == result.NotTerminating:
		return r.life.summary(object)
	case verdict == result.Progressing:
		awaited = joined(r.found.findingsAt(every, progressOf))
	case len(awaited) == 0:
		awaited = joined(r.found.findingsAt(every, openOf))
	case verdict == result.Undetermined: // else the causes that were found would be taken for all
		unread := slices.DeleteFunc(r.found.findingsAt(every, openOf), func(open finding.Finding) bool {
			return !finding.Is(open.Situation, finding.ContentUnread)
		})
		awaited = append(awaited, joined(unread)...)
	}
	summary := sumUp(object, verdict, finding.WaitingFor(awaited))
	if details, sums := summary.Details.(finding.SummaryDetails); sums && len(r.groups.all) > 0 {
		details.Guessed = r.groups.onlyLikely()
		summary.Details = details
	}
	return summary
}

// onlyLikely reports whether only what is likely leads from the target to all that blocks it, and what is said of that
// does not say so itself.
func (g *grouping) onlyLikely() bool {
	surely := g.found.graph.ReachSurely(target)
	reached := func(joined *group) bool {
		sure := func(node int) bool { return surely[node] }
		return joined.certainty() == finding.Likely || slices.ContainsFunc(joined.nodes, sure)
	}
	return !slices.ContainsFunc(g.all, reached)
}

func sumUp(object *session.Object, verdict result.Verdict, awaited finding.Waiting) finding.Finding {
	if object.Meta == nil {
		details := finding.SummaryDetails{Awaits: awaited}
		return finding.Finding{Situation: "NotReadable", Object: object.Ref, Details: details}
	}
	details := finding.SummaryDetails{RequestedAt: object.RequestedAt(), Awaits: awaited.Now()}
	summary := finding.Finding{Situation: "HeldBack", Object: object.Ref, Details: details}
	if verdict == result.Progressing {
		summary.Situation = "OnItsWay"
	}
	return summary
}

// sums is a summary as people read it: with a list, where several things block the object.
func (r *run) sums(summary finding.Finding) result.Sums {
	voice, sums := voiceOf(r.tools).Sums(), result.Sums{}
	details, _ := summary.Details.(finding.SummaryDetails)
	if listed, is := finding.In(summary.Situation, finding.OfSeveral); is && details.Awaits.Count() > 1 {
		summary.Situation = listed
		sums.Items, sums.More = details.Awaits.Items(voice, summary.Object)
	}
	sums.Text = voice.Message(summary)
	return sums
}

func progressOf(p *place) *notes { return &p.progress }
func openOf(p *place) *notes     { return &p.open }

// findingsAt returns the findings of one sort at some nodes, identical ones once.
func (x *expansion) findingsAt(nodes []int, of func(*place) *notes) (found []finding.Finding) {
	known := map[int]bool{}
	for _, node := range nodes {
		notes := of(x.at(node))
		for i, number := range notes.numbered(x.identities) {
			if !known[number] {
				known[number] = true
				found = append(found, notes.findings[i])
			}
		}
	}
	return found
}

func joined(found []finding.Finding) (awaited []finding.Awaited) {
	numbers := map[string]int{}
	for _, cause := range found {
		number, known := numbers[cause.Identity()]
		if !known {
			number = len(awaited)
			numbers[cause.Identity()] = number
			awaited = append(awaited, finding.Awaited{Finding: cause})
		}
		awaited[number].Count++
	}
	return awaited
}

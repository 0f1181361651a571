package diagnosis

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// observations are what is in progress, not clear, or to be known beside, each with what it was made from. If ctx ends
// meanwhile, there are the first of them.
func (r *run) observations(ctx context.Context) (seen []result.Observation, notes []finding.Finding) {
	lasting, stop := session.Lasting(ctx, putTogether)
	defer stop()
	known, voice := map[string]int{}, voiceOf(r.tools)
	blocked := slices.ContainsFunc(r.groups.all, func(joined *group) bool { return !unidentified(joined.causes[0]) })
	note := func(verdict result.Verdict, object finding.Ref, found []finding.Finding) {
		voice.Blocked = blocked && verdict == result.Progressing
		for _, note := range found {
			if told, again := known[note.Identity()]; again { // the same for many objects is told once
				if note.Hold != nil && seen[told].Verdict == verdict && seen[told].Object == object && len(seen[told].Holds) > 0 {
					seen[told].Holds = union(seen[told].Holds, *note.Hold)
				}
				continue
			}
			known[note.Identity()] = len(seen)
			observation := result.Observation{
				Verdict: verdict, Situation: note.Situation, Details: note.Details, Object: object, Message: voice.Message(note),
				InShort: note.InShort(voice), Evidence: result.Evidence(note.Evidence),
				Signs: finding.SaySigns(voice, note.Signs), Remedies: voice.Remedies(r.found.keepable(ctx, note.Remedies)),
			}
			if !note.Until.IsZero() {
				until := result.InSeconds(note.Until)
				observation.Until = &until
			}
			if note.Hold != nil {
				observation.Holds = []finding.Hold{*note.Hold}
			}
			seen, notes = append(seen, observation), append(notes, note)
		}
	}
	for node, described := range r.found.graph.Nodes() {
		if lasting.Err() != nil {
			break
		}
		note(result.Undetermined, described.Ref, r.found.at(node).open.findings)
		note(result.Progressing, described.Ref, r.found.at(node).progress.findings)
		note("", described.Ref, r.found.at(node).remarks)
	}
	return seen, notes
}

// interrupted notes at a node that the look was interrupted before all was known of it, and that it was.
func (x *expansion) interrupted(node int, object *session.Object) {
	x.apply(node, nil, session.Open(notExamined(object)))
	x.cut = true
}

func notExamined(object *session.Object) finding.Finding {
	return finding.Finding{
		Situation: "LookInterrupted", Key: "LookInterrupted", Object: object.Ref,
		Details: finding.HeldDetails{Object: object.Ref},
	}
}

// shorten leaves out of the messages, as people read them, what the sentence that sums up has said.
func (r *run) shorten(answer *result.Diagnosis, summary finding.Finding, notes []finding.Finding) {
	voice := voiceOf(r.tools)
	for i, joined := range r.groups.all {
		if first := joined.causes[0]; names(summary, first, len(joined.causes)) {
			answer.RootCauses[i].Rest = first.Rest(voice)
		}
	}
	for i, note := range notes {
		if observation := &answer.Observations[i]; observation.Verdict != "" && names(summary, note, 1) {
			voice.Blocked = answer.Verdict == result.Stuck && observation.Verdict == result.Progressing
			observation.Rest = note.Rest(voice)
		}
	}
}

// names reports whether the sentence that sums up names a finding that so many objects share.
func names(summary, f finding.Finding, count int) bool {
	details, _ := summary.Details.(finding.SummaryDetails)
	return slices.ContainsFunc(details.Named(), func(awaited finding.Awaited) bool {
		return awaited.Identity() == f.Identity() && awaited.Count == count
	})
}

func union[T comparable](all []T, more ...T) []T {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

func (x *expansion) unreadable(ctx context.Context) []finding.Unreadable {
	var objects []finding.Ref
	for _, node := range x.graph.Nodes() {
		objects = append(objects, node.Ref)
	}
	return session.Unreadable(ctx, x.tools.Session.Reader, objects...)
}

package mechanism

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/contexts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// mostNamedThere is how many objects of another cluster are looked at, and how many details name.
const mostLookedAtThere, mostNamedThere = 200, 5

// acrossBorder adds to an answer what a hold waits for in another cluster, if the catalogue says that it does: of a
// cluster that the user has named it is found out, of any other one it is said how to ask it. It reports whether the
// hold waits in another cluster: nothing in this one that has the same names has to do with it then.
func acrossBorder(ctx context.Context, t *Tools, held Held, answer Answer) (Answer, bool) {
	known, found := t.Plugins.Find(held.Hold.Name, held.Resource.GroupKind().String())
	if !found || known.Elsewhere == nil || !held.Terminating() || t.Session.Foresees {
		return answer, false
	}
	if _, err := t.Session.Whole(ctx, held.Object); err != nil {
		return answer, false // which says so itself
	}
	named := func(way plugins.NamedCluster) bool { return way.Of != "" }
	if t.Border == nil && slices.ContainsFunc(known.Elsewhere.Clusters, named) {
		return answer, false // another object would have to be read, for a cluster that can't be asked from here
	}
	elsewhere := false
	for _, other := range namedClusters(ctx, t.Session, held, *known.Elsewhere) {
		leading := t.lead(other)
		if other.here || leading.Here {
			continue
		}
		elsewhere = true
		c := &crossing{tools: t, held: held, known: known, other: other}
		c.objects, c.more = namedThere(held, *known.Elsewhere)
		answer = c.answer(ctx, answer, leading)
	}
	return answer, elsewhere
}

// lead finds the contexts that lead to a cluster. Without any at hand, it is known only whether it is this one.
func (t *Tools) lead(other otherCluster) contexts.Leading {
	if t.Border == nil {
		return contexts.Leading{Here: contexts.InCluster(other.Server)}
	}
	if other.Server == "" && other.Name == "" || len(other.unread) > 0 {
		return contexts.Leading{}
	}
	return t.Border.Lead(other.sought())
}

// drainedElsewhere reports whether the Node that is drained before a finalizer is removed is known to be in another
// cluster: one of the same name in this cluster is not that Node.
func drainedElsewhere(ctx context.Context, t *Tools, held Held) bool {
	known, found := t.Plugins.Find(held.Hold.Name, held.Resource.GroupKind().String())
	if !found || known.Elsewhere == nil || known.Drains == nil || t.Border == nil {
		return false
	}
	if _, err := t.Session.Whole(ctx, held.Object); err != nil {
		return false
	}
	return slices.ContainsFunc(namedClusters(ctx, t.Session, held, *known.Elsewhere), func(other otherCluster) bool {
		return other.Server != "" && !other.here && !t.lead(other).Here
	})
}

// crossing is a wait in one other cluster.
type crossing struct {
	tools   *Tools
	held    Held
	known   plugins.Finalizer
	other   otherCluster
	objects []finding.Ref // that the held object names there
	more    int           // which it names besides
	fitting []string      // contexts that fit, and lead to different clusters
}

// answer is what is said of the other cluster, beside or in place of what is said of this one.
func (c *crossing) answer(ctx context.Context, said Answer, leading contexts.Leading) Answer {
	var chosen contexts.Chosen
	switch len(leading.Clusters) {
	case 0:
	case 1:
		chosen = leading.Clusters[0]
	default:
		c.fitting = finding.Each(leading.Clusters, func(one contexts.Chosen) string { return one.Name })
	}
	switch {
	case len(c.other.unread) > 0:
		return c.remark(said, Finding{Situation: "ElsewhereUnread"}, "", c.again())
	case c.other.Server == "" && c.other.Name == "":
		return c.remark(said, Finding{Situation: "ElsewhereByCredentials"}, "", nil)
	case len(c.fitting) > 0:
		return c.remark(said, Finding{Situation: "ElsewhereAmbiguous"}, "", nil)
	case c.tools.Border == nil:
		return c.remark(said, Finding{Situation: "ElsewhereNoted"}, "", nil)
	case chosen.Name == "":
		return c.remark(said, Finding{Situation: "ElsewhereWithoutContext"}, "", c.again())
	case !c.tools.Border.May(chosen) || !mayBeAsked(said):
		steps := append(c.again(), c.askThere(chosen.Name)...)
		return c.remark(said, Finding{Situation: "ElsewhereOffered"}, chosen.Name, steps, leading.ByName)
	}
	return c.cross(ctx, said, chosen, leading.ByName)
}

// mayBeAsked reports whether what is known here leaves open what the hold waits for: a controller that isn't there, or
// was told not to act, waits for nothing.
func mayBeAsked(said Answer) bool { return mayWait(said) }

// remark adds what is known of the other cluster without asking it.
func (c *crossing) remark(said Answer, note Finding, name string, steps []Remedy, byName ...bool) Answer {
	said.Remarks = append(slices.Clone(said.Remarks), c.note(note, name, steps, slices.Contains(byName, true)))
	return said
}

// note fills in a finding of a situation.
func (c *crossing) note(note Finding, name string, steps []Remedy, byName bool) Finding {
	details := finding.ElsewhereDetails{
		Other: c.other.OtherCluster, Context: name, ByName: byName, WaitsFor: c.known.WaitsFor, Unread: c.other.unread,
		Objects: slices.Clone(c.objects[:min(mostNamedThere, len(c.objects))]), Contexts: c.fitting,
	}
	details.More = len(c.objects) - len(details.Objects) + c.more
	for i := range details.Objects {
		details.Objects[i].Cluster = name
	}
	note.Object, note.Finalizer, note.Details, note.Remedies = c.held.Ref, c.held.Hold.Name, details, steps
	note.Key = finding.KeyOf(note.Situation, c.held.Ref, c.other.Server, c.other.Name, c.other.Credentials)
	return note
}

// again asks the same question across the border.
func (c *crossing) again() []Remedy {
	if c.tools.Border == nil || c.tools.Session.Reader.Source().Manifests() {
		return nil
	}
	return []Remedy{{
		Step: "AskAcross", Details: finding.StepDetails{Object: &c.held.Ref},
		Command: c.tools.Session.Kubectl.Why(c.held.Object, "--across"),
	}}
}

// askThere asks the other cluster alone: about the first object that is named, or about all that is Terminating there.
func (c *crossing) askThere(name string) []Remedy {
	there := c.tools.Border.Kubectl(name)
	command := there.List("")
	if len(c.objects) > 0 {
		command = there.WhyRef(c.objects[0])
	}
	return []Remedy{{Step: "AskThere", Details: finding.StepDetails{Name: name}, Command: command}}
}

// cross asks the other cluster. Where it gives no answer, that is open: nothing is known of what is there.
func (c *crossing) cross(ctx context.Context, said Answer, chosen contexts.Chosen, byName bool) Answer {
	there, limited, err := c.tools.Border.Cross(ctx, chosen.Name)
	if err != nil {
		return c.failed(said, chosen.Name, err.Error())
	}
	held := *c.held.Object
	held.Ref.Cluster = session.HeldHere
	look := &lookThere{tools: there, held: Held{Object: &held, Hold: c.held.Hold, By: c.held.By}, known: c.known}
	look.sure = c.known.Verified.WaitsFor.Done() && !byName
	found := look.at(limited, c.objects)
	switch {
	case len(found.Waits)+len(found.Causes) > 0:
		said.Open, said.Progress = nil, nil
		said.Causes = slices.DeleteFunc(slices.Clone(said.Causes), aboutDrain)
		said.Abroad = append(said.Abroad, session.Abroad{Cluster: chosen.Name, Held: &held, Answer: found})
		said.Removal = session.RemovalUnsure
		return said
	case len(found.Open) > 0:
		said.Abroad = append(said.Abroad, session.Abroad{Cluster: chosen.Name, Held: &held, Answer: found})
		if said.Removal = session.RemovalUnsure; len(look.live) == 0 {
			return said // what could not be read there may be what it waits for
		}
	}
	note := c.note(Finding{Situation: "ElsewhereNothing"}, chosen.Name, c.askThere(chosen.Name), byName)
	details, _ := note.Details.(finding.ElsewhereDetails)
	details.Live = look.live[:min(mostNamedThere, len(look.live))]
	for i := range details.Live {
		details.Live[i].Cluster = chosen.Name
	}
	note.Details = details
	said.Remarks = append(slices.Clone(said.Remarks), note)
	return said
}

func (c *crossing) failed(said Answer, name, why string) Answer {
	note := c.note(Finding{Situation: "ElsewhereFailed"}, name, nil, false)
	details, _ := note.Details.(finding.ElsewhereDetails)
	details.Failure = why
	note.Details, note.Remedies = details, c.askThere(name)
	said.Open = append(slices.Clone(said.Open), note)
	return said
}

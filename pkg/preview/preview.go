// Package preview says what deleting an object would do, before anybody does: what goes with it, what will hold it,
// what refuses, what is lost and what stays behind.
//
// It follows the deletion through the cluster as the garbage collector and the namespace controller would carry it out
// (cascade.go), and lets what explains deletions explain this one, by a Reader that answers as the cluster would then
// (future_reader.go). It only reads.
//
// This package may change at any time.
package preview

import (
	"cmp"
	"context"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Options say how the deletion is asked for.
type Options struct {
	mechanism.Options
	Cascade metav1.DeletionPropagation // of the garbage collector; empty is Background, as with kubectl
	Gone    map[string]bool            // by uid, what is gone by then, because something else is deleted as well
	// Together are what is deleted at the same time, itself included.
	Together []session.Target
	// With are by uid further objects whose deletion is requested at the same moment, and which the answer is about as
	// well: what of them hangs, refuses and is lost.
	With map[string]bool
}

// Preview says what deleting a target would do. Errors of reading the target are returned; what else can't be read is
// part of the result.
func Preview(
	ctx context.Context, reader cluster.Reader, asked session.Target, options Options,
) (*result.Preview, error) {
	tools := options.Scanning(reader)
	tools.Session.Today = tools.Session // what refuses the deletion does so at its beginning
	target, err := tools.ReadTarget(ctx, asked)
	if err != nil {
		return nil, err
	}
	p := &previewer{
		options: options, tools: tools, target: target, at: tools.Session.AsOf(),
		hanging: map[string]int{}, causes: map[string]int{},
		result: &result.Preview{
			APIVersion: result.APIVersion, Kind: "DeletionPreview", Target: target.Ref, RootCauses: []result.RootCause{},
			Cascade: string(cmp.Or(options.Cascade, metav1.DeletePropagationBackground)), Hanging: []result.Hanging{},
			Goes: []result.Going{}, Stays: []result.Staying{}, Holds: []result.FinalizerOnTheWay{}, Refusals: []result.Refusal{},
		},
	}
	p.voice = finding.Voice{Now: p.at, Program: options.Program, Foresees: true, Live: true}
	p.result.GeneratedAt = result.InSeconds(p.at)
	p.graph.Describe(p.graph.Add(target.Ref), target.Terminating(), target.Holds())
	switch {
	case target.Terminating() && len(options.With) == 0:
		p.result.Outcome, p.result.Follow = result.AlreadyDeleted, tools.Session.Kubectl.Why(target)
	case target.Undeletable():
		p.result.Outcome = result.WouldBeRefused
	default:
		if err := p.follow(ctx); err != nil {
			return nil, err
		}
	}
	p.result.Unreadable = session.Unreadable(ctx, tools.Session.Reader)
	p.result.Graph = result.GraphOf(&p.graph)
	p.result.Summary = p.summary()
	return p.result, nil
}

type previewer struct {
	options Options
	tools   *mechanism.Tools // that see the cluster as it is
	target  *session.Object
	at      time.Time
	voice   finding.Voice
	cascade *cascade
	future  *future
	graph   graph.Graph
	hanging map[string]int // what would hang, by uid: its place in the result
	causes  map[string]int // root causes, by what has to be repaired
	skipped int            // deletions that were not judged: there are too many
	result  *result.Preview
}

// follow goes through the deletion, moment by moment.
func (p *previewer) follow(ctx context.Context) error {
	area := areaOf(p.target)
	if len(p.options.With) > 0 { // which may be anywhere
		area = session.Area{}
	}
	listing, err := p.tools.Session.Listing(ctx, area)
	if err != nil {
		return err
	}
	p.cascade = newCascade(p.tools, listing.Objects)
	p.future = &future{
		options: p.options, tools: p.tools, at: p.at, cascade: p.cascade,
		listed: slices.DeleteFunc(slices.Clone(listing.Objects), unheld),
	}
	for uid := range p.options.Gone {
		p.cascade.states[uid] = state{gone: true}
	}
	p.cascade.request(ctx, p.target, metav1.DeletionPropagation(p.result.Cascade))
	for _, object := range listing.Objects {
		if p.options.With[object.Ref.UID] {
			p.cascade.request(ctx, object, metav1.DeletionPropagation(p.result.Cascade))
		}
	}
	for more := true; more && ctx.Err() == nil; more = p.cascade.goOn(ctx) || p.release(ctx, listing.Objects) {
		p.diagnose(ctx, p.cascade.held())
	}
	if ctx.Err() != nil { // what would be deleted besides is not known
		return ctx.Err()
	}
	p.addUnlisted(ctx, listing.Unlisted)
	p.addOutage(ctx)
	p.addTogether(ctx)
	p.countFreed()
	p.refusals(ctx)
	p.addGoing()
	p.addBefore()
	p.addOwners()
	p.addHolds(ctx)
	p.addLosses(ctx, listing.Unlisted)
	p.addStays()
	p.addBroken(ctx)
	p.addOrder(ctx)
	p.result.Unreadable = session.Unreadable(ctx, p.tools.Session.Reader)
	p.result.Delete, p.result.Follow = p.commands()
	p.result.Outcome = p.outcome()
	p.addLater(ctx) // which says nothing of this deletion
	addCreatedAgain(p)
	return nil
}

// areaOf is where something is that goes with a target: the garbage collector honours no owner in another namespace.
func areaOf(target *session.Object) session.Area {
	switch {
	case target.Ref.Namespace != "":
		return session.Area{Namespace: target.Ref.Namespace}
	case target.Is("", "Namespace"):
		return session.Area{Namespace: target.Ref.Name}
	}
	return session.Area{}
}

func unheld(object *session.Object) bool { return len(object.Meta.Finalizers) == 0 }

// commands are the one that deletes the target, and the one that follows that: in the cluster, whatever the answer was
// read from.
func (p *previewer) commands() (remove, follow finding.Command) {
	flags := []string{"--wait=false"}
	if p.options.Cascade != "" && p.options.Cascade != metav1.DeletePropagationBackground {
		flags = append(flags, "--cascade="+cascadeFlag(p.options.Cascade))
	}
	kubectl := p.tools.Session.Kubectl
	kubectl.Files = nil
	return kubectl.Command(p.target, "delete", flags...), kubectl.Why(p.target, "--watch")
}

func cascadeFlag(policy metav1.DeletionPropagation) string {
	return map[metav1.DeletionPropagation]string{
		metav1.DeletePropagationBackground: "background", metav1.DeletePropagationForeground: "foreground",
		metav1.DeletePropagationOrphan: "orphan",
	}[policy]
}

// note keeps a sentence about what was left out.
func (p *previewer) note(situation finding.Finding) {
	p.result.Notes = append(p.result.Notes, p.voice.Message(situation))
}

package diagnosis

import (
	"context"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// expansion is the graph as far as it was expanded, and what was found at its nodes.
type expansion struct {
	tools      *mechanism.Tools
	graph      graph.Graph
	queue      []pending
	borders    []border // where it leads to other clusters
	places     []*place // what was found at each node; nil where nothing was
	causes     []finding.Finding
	numbers    map[causeKey]int             // of causes
	joined     map[int]map[finding.Ref]bool // by cause, what it holds, if it was joined from several
	identities map[string]int               // numbers of what findings are identical by
	objects    map[int]*session.Object      // by node, as far as they were read

	answers map[held]session.Answer            // of mechanisms
	guesses []guess                            // waits in the graph that are only likely
	refuted map[*session.Bond]bool             // of waits that were guessed, and are none
	circles map[*session.Bond]*finding.Finding // in which this wait was, if a status says so
	passing map[finding.Ref]bool               // what is being deleted, with nothing in its way

	cut bool // the look was interrupted before everything was looked at
}

func newExpansion(tools *mechanism.Tools) *expansion {
	return &expansion{
		tools: tools, identities: map[string]int{}, numbers: map[causeKey]int{}, objects: map[int]*session.Object{},
		answers: map[held]session.Answer{}, refuted: map[*session.Bond]bool{},
		circles: map[*session.Bond]*finding.Finding{}, joined: map[int]map[finding.Ref]bool{},
		passing: map[finding.Ref]bool{},
	}
}

func (x *expansion) explainDeletion(ctx context.Context, object *session.Object) {
	x.expandGraph(ctx, object)
	x.remark(mechanism.Mirror(object)...)
	if slices.ContainsFunc(x.causes, unidentified) {
		x.remark(mechanism.FormerLife(ctx, x.tools.Session, object)...)
	}
}

// unidentified reports whether a cause is that something is held by an unknown program.
func unidentified(cause finding.Finding) bool { return cause.Reason == finding.ControllerUnknown }

func (x *expansion) remark(remarks ...finding.Finding) {
	x.apply(target, nil, session.Answer{Remarks: remarks})
}

type pending struct {
	node   int
	object *session.Object
}

type place struct {
	expanded       bool
	causes         []int
	progress, open notes
	remarks        []finding.Finding
}

// notes are findings at a node, and the numbers of their identities once these were asked for.
type notes struct {
	findings   []finding.Finding
	identities []int
}

// numbered returns the numbers of the findings' identities, and knows new ones by the next numbers: the identities are
// long, and asked for of every node that leads to them.
func (n *notes) numbered(known map[string]int) []int {
	for _, cause := range n.findings[len(n.identities):] {
		identity := cause.Identity()
		number, is := known[identity]
		if !is {
			number = len(known)
			known[identity] = number
		}
		n.identities = append(n.identities, number)
	}
	return n.identities
}

// causeKey tells causes apart: the same cause is often met on several ways.
type causeKey struct {
	reason finding.Reason
	node   int    // of the cause's object
	what   string // has to be fixed there
}

// causeKeyOf is the key of a cause at the node of its object. One workload that is down is one thing to fix, whatever
// it holds, and so is one program that is missing, what a program lacks, or one switch that is on, whatever should be
// removed from an object.
func causeKeyOf(node int, cause finding.Finding) causeKey {
	key := causeKey{reason: cause.Reason, node: node, what: cause.Finalizer}
	switch {
	case cause.Reason == finding.ControllerDown:
		key.what = ""
	case cause.Key != "" && slices.Contains([]finding.Reason{
		finding.ControllerMissing, finding.ControllerFailing, finding.ReconciliationPaused, finding.DeletionProtected,
	}, cause.Reason):
		key.what = cause.Key
	}
	return key
}

// expandGraph expands the graph from some objects, breadth first, until nothing is left to expand. If what it has found
// contradicts a guess, or a cause passes by itself, it expands once more without that, from the same answers.
func (x *expansion) expandGraph(ctx context.Context, objects ...*session.Object) {
	start := x.copied()
	x.expandAll(ctx, objects)
	for len(x.guesses) > 0 && x.contradicted(ctx) || x.causePasses() {
		*x = start.copied()
		x.expandAll(ctx, objects)
	}
	x.addDeadlocks(ctx)
	x.addRefusedLater(ctx)
	if ctx.Err() != nil && len(objects) > 0 { // circles may be missing
		x.interrupted(x.add(objects[0]), objects[0])
	}
}

func (x *expansion) expandAll(ctx context.Context, objects []*session.Object) {
	for _, object := range objects {
		x.enqueue(x.add(object), object)
	}
	for len(x.queue) > 0 {
		next := x.queue[0]
		x.queue = x.queue[1:]
		if ctx.Err() != nil {
			x.interrupted(next.node, next.object)
			continue
		}
		x.expand(ctx, next)
	}
	x.cut = x.cut || ctx.Err() != nil
}

func (x *expansion) add(object *session.Object) int {
	node := x.graph.Add(object.Ref)
	if known := x.objects[node]; known == nil || known.Meta == nil {
		x.objects[node] = object
	}
	if object.Meta != nil {
		x.graph.Describe(node, object.Terminating(), object.Holds())
	}
	return node
}

func (x *expansion) at(node int) *place {
	if node >= len(x.places) {
		x.places = append(x.places, make([]*place, node+1-len(x.places))...)
	}
	if x.places[node] == nil {
		x.places[node] = &place{}
	}
	return x.places[node]
}

func (x *expansion) enqueue(node int, object *session.Object) {
	if place := x.at(node); !place.expanded {
		place.expanded = true
		x.queue = append(x.queue, pending{node: node, object: object})
	}
}

func (x *expansion) expand(ctx context.Context, next pending) {
	if err := x.tools.Session.Complete(ctx, next.object); err != nil && !apierrors.IsNotFound(err) {
		unread := session.Unread(finding.UnreadObject(next.object.Ref), err)
		unread.Open[0].Object = next.object.Ref
		x.apply(next.node, nil, unread)
		return
	}
	x.add(next.object) // its holds may be known only now
	for _, hold := range next.object.Holds() {
		x.apply(next.node, &hold, x.explain(ctx, next.object, hold))
	}
	if len(next.object.Holds()) == 0 {
		x.apply(next.node, nil, session.Progress(finding.Finding{
			Situation: "NothingHolds", Key: "NothingHolds", Details: finding.HeldDetails{Object: next.object.Ref},
		}))
	}
}

// apply records an answer at a node. The hold is nil where the answer isn't about one: at a blocker that isn't being
// deleted.
func (x *expansion) apply(node int, hold *finding.Hold, answer session.Answer) {
	place := x.at(node)
	answer = x.withGuesses(answer)
	place.progress.findings = append(place.progress.findings, aboutHold(answer.Progress, hold)...)
	place.open.findings = append(place.open.findings, aboutHold(answer.Open, hold)...)
	place.remarks = append(place.remarks, aboutHold(answer.Remarks, hold)...)
	for _, cause := range answer.Causes {
		x.addCause(node, cause)
	}
	for _, other := range answer.Abroad {
		x.borders = append(x.borders, border{node: node, hold: hold, Abroad: other})
	}
	for _, wait := range x.lasting(answer.Waits) {
		blocker := x.add(wait.Blocker)
		if wait.Relation != "" {
			x.graph.Link(graph.Edge{From: node, To: blocker, Type: wait.Relation})
		}
		edge := graph.Edge{From: node, To: blocker, Type: finding.WaitsFor, Hold: hold, ForAnswer: wait.ForAnswer}
		x.graph.Link(x.guessed(edge, wait))
		switch {
		case !wait.Blocker.Terminating():
			x.apply(blocker, nil, wait.Otherwise)
		case wait.ForAnswer: // which the blocker itself doesn't wait for
			x.apply(node, nil, wait.Otherwise)
		default:
			x.enqueue(blocker, wait.Blocker)
		}
	}
}

func aboutHold(notes []finding.Finding, hold *finding.Hold) []finding.Finding {
	notes = slices.Clone(notes)
	for i := range notes {
		notes[i].Hold = hold
	}
	return notes
}

func (x *expansion) addCause(node int, cause finding.Finding) {
	key := causeKeyOf(x.graph.Add(cause.Object), cause)
	number, known := x.numbers[key]
	if !known {
		number = len(x.causes)
		x.numbers[key] = number
		x.causes = append(x.causes, cause)
	}
	place := x.at(node)
	elsewhere := !slices.Contains(place.causes, number)
	if known {
		x.causes[number], x.joined[number] = joinHolds(x.causes[number], cause, x.joined[number], elsewhere)
	}
	if elsewhere {
		place.causes = append(place.causes, number)
	}
}

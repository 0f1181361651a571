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

type run struct {
	tools      *mechanism.Tools
	graph      graph.Graph
	queue      []pending
	places     []*place // what was found at each node; nil where nothing was
	causes     []finding.Finding
	numbers    map[causeKey]int             // of causes
	joined     map[int]map[finding.Ref]bool // by cause, what it holds, if it was joined from several
	groups     []*group                     // of causes that are alike, once they are all found
	member     []*group                     // of each cause, its group
	alone      []*group                     // by node, of what waits for one group alone
	identities map[string]int               // numbers of what findings are identical by
	parts      []int                        // by node, of what waits for one another, since the causes were grouped
	carried    []*carried                   // by part
	surely     func(node int) set           // the numbers of the groups that a node waits for, if not all waits are sure
	ranks      []int                        // of causes, by the names of their objects
	unclears   map[int]bool                 // by the numbers of identities, what is unclear
	unclear    set                          // those of them that are
	keys       map[string]int               // numbers of what objects are held by
	paths      map[string][]int             // the numbers of objects by what commands name them by
	objects    map[int]*session.Object      // by node, as far as they were read

	answers map[held]session.Answer            // of mechanisms
	guesses []guess                            // waits in the graph that are only likely
	refuted map[*session.Bond]bool             // of waits that were guessed, and are none
	circles map[*session.Bond]*finding.Finding // in which this wait was, if a status says so

	taken map[*group][]finding.Taken // what goes with the objects that wait for a cause
	takes []finding.Taken            // what goes with all Terminating objects

	fate     mechanism.Fate    // of a target that was not deleted
	refusing []finding.Ref     // what refuses its deletion
	troubles []finding.Finding // what is wrong already, and would keep it from going
	with     *finding.Finding  // sums up how it stands with what the target goes with
}

func newRun(tools *mechanism.Tools) *run {
	return &run{
		tools: tools, identities: map[string]int{}, numbers: map[causeKey]int{}, objects: map[int]*session.Object{},
		answers: map[held]session.Answer{}, refuted: map[*session.Bond]bool{},
		circles: map[*session.Bond]*finding.Finding{}, unclears: map[int]bool{}, keys: map[string]int{},
		joined: map[int]map[finding.Ref]bool{},
	}
}

func (r *run) explainDeletion(ctx context.Context, object *session.Object) {
	r.expandGraph(ctx, object)
	r.remark(mechanism.Mirror(object)...)
	if slices.ContainsFunc(r.causes, unidentified) {
		r.remark(mechanism.FormerLife(ctx, r.tools.Session, object)...)
	}
}

// unidentified reports whether a cause is that something is held by an unknown program.
func unidentified(cause finding.Finding) bool { return cause.Reason == finding.ControllerUnknown }

func (r *run) remark(remarks ...finding.Finding) {
	r.apply(target, nil, session.Answer{Remarks: remarks})
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
	for _, one := range n.findings[len(n.identities):] {
		identity := one.Identity()
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
	reason    finding.Reason
	node      int // of the cause's object
	finalizer string
}

// expandGraph expands the graph from some objects, breadth first, until nothing is left to expand. If what it has found
// contradicts a guess, it expands once more without that guess, from the same answers.
func (r *run) expandGraph(ctx context.Context, objects ...*session.Object) {
	start := r.copied()
	r.expandAll(ctx, objects)
	for len(r.guesses) > 0 && r.contradicted() {
		*r = start.copied()
		r.expandAll(ctx, objects)
	}
	r.addDeadlocks(ctx)
	r.addRefusedLater(ctx)
}

func (r *run) expandAll(ctx context.Context, objects []*session.Object) {
	for _, object := range objects {
		r.enqueue(r.add(object), object)
	}
	for len(r.queue) > 0 {
		next := r.queue[0]
		r.queue = r.queue[1:]
		if ctx.Err() != nil {
			r.apply(next.node, nil, session.Open(finding.Finding{
				Situation: "LookInterrupted", Key: "LookInterrupted", Details: finding.HeldDetails{Object: next.object.Ref},
			}))
			continue
		}
		r.expand(ctx, next)
	}
}

func (r *run) add(object *session.Object) int {
	node := r.graph.Add(object.Ref)
	if known := r.objects[node]; known == nil || known.Meta == nil {
		r.objects[node] = object
	}
	if object.Meta != nil {
		r.graph.Describe(node, object.Terminating(), object.Holds())
	}
	return node
}

func (r *run) at(node int) *place {
	if node >= len(r.places) {
		r.places = append(r.places, make([]*place, node+1-len(r.places))...)
	}
	if r.places[node] == nil {
		r.places[node] = &place{}
	}
	return r.places[node]
}

func (r *run) enqueue(node int, object *session.Object) {
	if place := r.at(node); !place.expanded {
		place.expanded = true
		r.queue = append(r.queue, pending{node: node, object: object})
	}
}

func (r *run) expand(ctx context.Context, next pending) {
	if err := r.tools.Session.Complete(ctx, next.object); err != nil && !apierrors.IsNotFound(err) {
		unread := session.Unread(finding.UnreadObject(next.object.Ref), err)
		unread.Open[0].Object = next.object.Ref
		r.apply(next.node, nil, unread)
		return
	}
	r.add(next.object) // its holds may be known only now
	for _, hold := range next.object.Holds() {
		r.apply(next.node, &hold, r.explain(ctx, next.object, hold))
	}
	if len(next.object.Holds()) == 0 {
		r.apply(next.node, nil, session.Progress(finding.Finding{
			Situation: "NothingHolds", Key: "NothingHolds", Details: finding.HeldDetails{Object: next.object.Ref},
		}))
	}
}

// apply records an answer at a node. The hold is nil where the answer isn't about one: at a blocker that isn't being
// deleted.
func (r *run) apply(node int, hold *finding.Hold, answer session.Answer) {
	place := r.at(node)
	answer = r.withGuesses(answer)
	place.progress.findings = append(place.progress.findings, aboutHold(answer.Progress, hold)...)
	place.open.findings = append(place.open.findings, aboutHold(answer.Open, hold)...)
	place.remarks = append(place.remarks, aboutHold(answer.Remarks, hold)...)
	for _, cause := range answer.Causes {
		r.addCause(node, cause)
	}
	for _, wait := range answer.Waits {
		blocker := r.add(wait.Blocker)
		if wait.Relation != "" {
			r.graph.Link(graph.Edge{From: node, To: blocker, Type: wait.Relation})
		}
		edge := graph.Edge{From: node, To: blocker, Type: finding.WaitsFor, Hold: hold, ForAnswer: wait.ForAnswer}
		r.graph.Link(r.guessed(edge, wait))
		switch {
		case !wait.Blocker.Terminating():
			r.apply(blocker, nil, wait.Otherwise)
		case wait.ForAnswer: // which the blocker itself doesn't wait for
			r.apply(node, nil, wait.Otherwise)
		default:
			r.enqueue(blocker, wait.Blocker)
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

func (r *run) addCause(node int, cause finding.Finding) {
	key := causeKey{reason: cause.Reason, node: r.graph.Add(cause.Object), finalizer: cause.Finalizer}
	if cause.Reason == finding.ControllerDown {
		key.finalizer = "" // one workload that is down is one thing to fix, whatever it holds
	}
	number, known := r.numbers[key]
	if !known {
		number = len(r.causes)
		r.numbers[key] = number
		r.causes = append(r.causes, cause)
	} else if key.finalizer == "" {
		r.causes[number], r.joined[number] = joinHolds(r.causes[number], cause, r.joined[number])
	}
	if place := r.at(node); !slices.Contains(place.causes, number) {
		place.causes = append(place.causes, number)
	}
}

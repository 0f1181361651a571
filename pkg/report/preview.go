package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Outcome is what comes of a deletion that nobody has asked for yet.
type Outcome string

// The outcomes.
const (
	WouldGo        Outcome = "WouldGo"        // nothing that was seen keeps it from finishing
	WouldHang      Outcome = "WouldHang"      // it will not finish without a person
	MayHang        Outcome = "MayHang"        // what was readable doesn't settle it
	WouldBeRefused Outcome = "WouldBeRefused" // the request itself is refused
	AlreadyDeleted Outcome = "AlreadyDeleted" // somebody has asked for it before
)

// Preview is what deleting an object would do. Its kind is DeletionPreview.
type Preview struct {
	APIVersion  string      `json:"apiVersion"`
	Kind        string      `json:"kind"`
	GeneratedAt time.Time   `json:"generatedAt"`
	Target      finding.Ref `json:"target"`
	Cascade     string      `json:"cascade"` // Background, Foreground or Orphan
	Outcome     Outcome     `json:"outcome"`
	Summary     string      `json:"summary"`
	// Goes is what is deleted, by kind, in the order in which that begins.
	Goes []Going `json:"goes"`
	// Holds are the finalizers on the way, each on one kind.
	Holds    []FinalizerOnTheWay `json:"holds"`
	Refusals []Refusal           `json:"refusals"`
	// Hanging are the objects that would not go, or of which that can't be told, with their RootCauses by index.
	Hanging    []Hanging          `json:"hanging"`
	RootCauses []RootCause        `json:"rootCauses"`
	Takes      []finding.Taken    `json:"takes,omitempty"` // what is lost, or stays behind, outside of these objects
	Keep       *finding.Remedy    `json:"keep,omitempty"`  // keeps the data of volumes that would go
	Stays      []Staying          `json:"stays"`
	Breaks     []Broken           `json:"breaks,omitempty"`
	Unsure     []finding.Evidence `json:"unsure,omitempty"` // what may refuse, for all that can be read
	Graph      Graph              `json:"graph"`            // who owns, holds and would wait for whom
	Delete     finding.Command    `json:"delete,omitempty"` // deletes the target
	Follow     finding.Command    `json:"follow,omitempty"` // says how far that is
	Unreadable []Unreadable       `json:"unreadable"`
}

// PreviewList answers for several targets.
type PreviewList struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Items      []Preview `json:"items"`
}

func (l *PreviewList) human(w *writer) {
	for i := range l.Items {
		if i > 0 {
			w.line()
		}
		l.Items[i].human(w)
	}
}

func (l *PreviewList) names() []string {
	return eachOf(l.Items, func(item Preview) []string { return item.names() })
}

// Going is what goes of one kind.
type Going struct {
	Resource string        `json:"resource"`
	Kind     string        `json:"kind"`
	Count    int           `json:"count"`
	Objects  []finding.Ref `json:"objects"`
}

// FinalizerOnTheWay is a finalizer of objects of one kind that would be deleted.
type FinalizerOnTheWay struct {
	Finalizer  string       `json:"finalizer"`
	Resource   string       `json:"resource"`
	Count      int          `json:"count"` // objects with it
	Hang       int          `json:"hang"`  // of these
	Project    string       `json:"project,omitempty"`
	RemovedBy  string       `json:"removedBy,omitempty"`
	WaitsFor   string       `json:"waitsFor,omitempty"`
	Controller *finding.Ref `json:"controller,omitempty"`
	State      string       `json:"state,omitempty"` // of the controller, as explain has it; empty where some would hang
}

// Hanging is an object that would be Terminating for good.
type Hanging struct {
	Object     finding.Ref `json:"object"`
	Verdict    Verdict     `json:"verdict"`
	Awaits     string      `json:"awaits"`
	RootCauses []int       `json:"rootCauses,omitempty"`
}

// Refusal is what would refuse the deletion of an object, and of others of its kind.
type Refusal struct {
	Object    finding.Ref        `json:"object"`
	Others    []finding.Ref      `json:"others,omitempty"`
	By        finding.Ref        `json:"by"`
	Reason    finding.Reason     `json:"reason"`
	Situation string             `json:"situation"`
	Details   any                `json:"details,omitempty"`
	Certainty finding.Certainty  `json:"certainty"`
	Message   string             `json:"message"`
	Evidence  []finding.Evidence `json:"evidence"`
	Remedies  []finding.Remedy   `json:"remedies"`
}

// WhyStays is why a dependent is not deleted with its owner.
type WhyStays string

// Why dependents stay.
const (
	KeptByOwner  WhyStays = "KeptByOwner"  // it has another owner
	Orphaned     WhyStays = "Orphaned"     // --cascade=orphan
	NotCollected WhyStays = "NotCollected" // the garbage collector can't judge one of its owner references
	OwnerNotRead WhyStays = "OwnerNotRead" // whether another owner is there could not be read: it may go
)

// Staying are dependents that are not deleted.
type Staying struct {
	Why     WhyStays      `json:"why"`
	Owner   *finding.Ref  `json:"owner,omitempty"`
	Objects []finding.Ref `json:"objects"`
}

// Broken is something elsewhere that uses what goes.
type Broken struct {
	Object  finding.Ref `json:"object"`
	Uses    finding.Ref `json:"uses"`
	What    string      `json:"what"`              // the webhook, or the group and version that is served
	Refuses bool        `json:"refuses,omitempty"` // requests are refused then
}

// human writes the answer first, then what hangs and refuses, what goes, what holds on the way, what is lost, what stays.
func (p *Preview) human(w *writer) {
	w.paragraph("", fmt.Sprintf("%s: %s", p.Outcome, p.Summary), w.style.headingText)
	for _, refused := range p.Refusals {
		w.line()
		w.line(w.style.headingText("WOULD REFUSE  "), w.style.causeText(string(refused.Reason)), certainty(refused.Certainty))
		w.paragraph("  ", fmt.Sprintf("The deletion of %s: %s", finding.Some(finding.Each(
			append([]finding.Ref{refused.Object}, refused.Others...), finding.Ref.String), 3), refused.Message), nil)
		w.evidence(refused.Evidence)
		w.steps(refused.Remedies, RootCause{})
	}
	for number, cause := range p.RootCauses {
		w.line()
		w.hanging(p, number, cause)
	}
	w.unclear(p)
	w.going(p)
	w.holds(p)
	w.lost(p)
	w.staying(p)
	w.commandsOf(p)
	w.unread(p.Unreadable)
}

func (w *writer) hanging(p *Preview, number int, cause RootCause) {
	w.line(w.style.headingText("WOULD HANG  "), w.style.causeText(string(cause.Reason)), certainty(cause.Certainty))
	w.paragraph("  ", cause.Message, nil)
	var held []string
	for _, one := range p.Hanging {
		for _, of := range one.RootCauses {
			if of == number && one.Object != cause.Object {
				held = append(held, one.Object.String())
			}
		}
	}
	if len(held) > 0 {
		w.paragraph("  ", "It would hold "+finding.Some(held, 3)+".", nil)
	}
	w.evidence(cause.Evidence)
	w.steps(cause.Remedies, cause)
}

func (w *writer) unclear(p *Preview) {
	var open []Hanging
	for _, one := range p.Hanging {
		if one.Verdict == Undetermined && len(one.RootCauses) == 0 {
			open = append(open, one)
		}
	}
	if len(open) == 0 {
		return
	}
	w.section("NOT CLEAR")
	for _, one := range open {
		w.paragraph("  - ", fmt.Sprintf("%s would wait for %s.", one.Object, one.Awaits), nil)
	}
}

func (w *writer) going(p *Preview) {
	if len(p.Goes) == 0 {
		return
	}
	w.section("WHAT GOES, in this order")
	rows := finding.Each(p.Goes, func(one Going) []string {
		names := finding.Each(one.Objects, finding.Ref.Path)
		return []string{one.Resource, fmt.Sprint(one.Count), finding.Some(names, 3)}
	})
	w.table("  ", []string{"KIND", "COUNT", "NAMES"}, rows, w.style.Width)
}

func (w *writer) holds(p *Preview) {
	if len(p.Holds) == 0 {
		return
	}
	w.section("WHAT HOLDS IT ON THE WAY")
	rows := finding.Each(p.Holds, func(one FinalizerOnTheWay) []string {
		who := one.RemovedBy
		if one.Controller != nil {
			who = one.Controller.String()
		}
		state := strings.ToLower(one.State)
		if one.Hang > 0 {
			state = fmt.Sprintf("%d would hang", one.Hang)
		}
		return []string{one.Finalizer, one.Resource, fmt.Sprint(one.Count), state, who}
	})
	w.table("  ", []string{"FINALIZER", "ON", "COUNT", "CONTROLLER", "REMOVED BY"}, rows, w.style.Width)
}

func (w *writer) lost(p *Preview) {
	if len(p.Takes) == 0 {
		return
	}
	w.section("WHAT IS LOST, AND WHAT STAYS BEHIND")
	w.taken("  - ", p.Takes)
	if p.Keep != nil {
		w.remedy(1, *p.Keep, RootCause{}, false)
	}
}

func (w *writer) staying(p *Preview) {
	if len(p.Stays)+len(p.Breaks) > 0 {
		w.section("WHAT STAYS, AND WHAT BREAKS")
	}
	for _, one := range p.Stays {
		names := finding.Some(finding.Each(one.Objects, finding.Ref.String), 3)
		why := map[WhyStays]string{
			KeptByOwner: "has another owner", Orphaned: "is left without this owner",
			NotCollected: "is not collected: the garbage collector can't judge an owner reference of it",
			OwnerNotRead: "may stay: whether another owner is there could not be read",
		}[one.Why]
		if one.Owner != nil && one.Why != Orphaned {
			why += " (" + one.Owner.String() + ")"
		}
		w.paragraph("  - ", names+" "+why+".", nil)
	}
	for _, one := range p.Breaks {
		text := fmt.Sprintf("%s (%s) loses its backend %s", one.Object, one.What, one.Uses)
		if one.Refuses {
			text += ", and refuses every request that it is asked about"
		}
		w.paragraph("  - ", text+".", w.style.waitingText)
	}
}

func (w *writer) commandsOf(p *Preview) {
	if len(p.Delete)+len(p.Follow) == 0 {
		return
	}
	w.section("TO DELETE IT, AND TO SEE HOW FAR THAT IS")
	for _, command := range []finding.Command{p.Delete, p.Follow} {
		if len(command) > 0 {
			w.command("    ", command)
		}
	}
}

func (p *Preview) names() []string {
	return namesOf(eachOf(p.Goes, func(one Going) []finding.Ref { return one.Objects }))
}

// tree is the picture of a preview: the objects that own, are owned, wait, or are waited for.
func (p *Preview) tree() *Tree {
	reasons := map[finding.Ref][]finding.Reason{}
	for _, cause := range p.RootCauses {
		reasons[cause.Object] = append(reasons[cause.Object], cause.Reason)
	}
	drawn := &Tree{}
	for _, node := range p.Graph.Nodes {
		drawn.Nodes = append(drawn.Nodes, TreeNode{Node: node, Known: true, Reasons: reasons[node.Ref]})
	}
	for _, edge := range p.Graph.Edges {
		drawn.Edges = append(drawn.Edges, TreeEdge{Edge: edge})
	}
	return drawn
}

package zoo_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/audit"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// holdSaid is one finalizer of an object that is being deleted, and how its controller fares in the words of why.
type holdSaid struct {
	of       finding.Ref
	name     string
	absent   []result.RootCause // causes by which its controller is missing, down or forbidden
	alive    bool               // it runs
	wrote    bool               // what it wrote to the object, or may not do with it, is part of the answer
	nobodys  bool               // nothing shows whose it is
	operator string             // who runs, or is down, where that is said
}

func (h holdSaid) String() string { return fmt.Sprintf("%s of %s", h.name, h.of) }

func (p *panel) holds() (all []holdSaid) {
	for number, node := range p.why.Graph.Nodes {
		for _, hold := range node.Holds {
			if hold.Type == finding.Finalizer && (node.Terminating || number == 0) {
				all = append(all, p.holdSaid(number, hold))
			}
		}
	}
	return all
}

func (p *panel) holdSaid(number int, hold finding.Hold) holdSaid {
	node := p.why.Graph.Nodes[number]
	said := holdSaid{of: node.Ref, name: hold.Name}
	reaches := func(object finding.Ref) bool {
		return slices.ContainsFunc(p.why.Graph.Edges, func(edge edge) bool {
			to := p.why.Graph.Nodes[edge.To]
			return edge.From == number && edge.Hold != nil && *edge.Hold == hold && to.SameAs(object)
		})
	}
	for _, cause := range p.why.RootCauses {
		objects := sharing(cause)
		own := cause.Finalizer == hold.Name || slices.Contains(cause.Also, hold.Name)
		own = own && slices.ContainsFunc(objects, node.SameAs)
		switch {
		case own && cause.Situation == "NamedObjectGone", // its controller runs, for other objects
			own && cause.Situation == "AgentNodeGone", onNodeOnly(cause): // its controller runs, on other Nodes
			said.alive, said.operator = true, controllerIn(cause.Details)
		case isAbsence(cause.Reason) && (own || slices.ContainsFunc(objects, reaches) && !p.isHeld(cause.Object)):
			said.absent = append(said.absent, cause)
			if cause.Reason == finding.ControllerDown {
				said.operator = cause.Object.String()
			}
		case own && cause.Reason == finding.ControllerFailing, own && cause.Situation == "ControllerSilent":
			said.alive, said.operator = true, controllerIn(cause.Details)
			said.wrote = quotesWrite(cause.Details) || lacksRight(cause.Details)
		case own && cause.Reason == finding.ControllerUnknown:
			said.nobodys, said.wrote = true, quotesWrite(cause.Details)
		}
	}
	for _, seen := range p.why.Observations {
		if seen.Situation == "ControllerAtWork" && seen.Object.SameAs(node.Ref) && slices.Contains(seen.Holds, hold) {
			said.alive, said.operator = true, controllerIn(seen.Details)
		}
	}
	return said
}

// isHeld reports whether an object is Terminating: why then says what holds it, and not what holds the objects that
// wait for it.
func (p *panel) isHeld(object finding.Ref) bool {
	return slices.ContainsFunc(p.why.Graph.Nodes, func(one node) bool { return one.Terminating && one.SameAs(object) })
}

// controllerIn is the controller that details name, or nothing.
func controllerIn(details any) string {
	var named struct{ Controller *finding.Ref }
	encoded, err := json.Marshal(details)
	if err != nil || json.Unmarshal(encoded, &named) != nil || named.Controller == nil {
		return ""
	}
	return named.Controller.String()
}

// onNodeOnly reports whether a cause is a controller that doesn't run on one Node.
func onNodeOnly(cause result.RootCause) bool {
	var details struct{ State finding.Phrase }
	encoded, err := json.Marshal(cause.Details)
	return err == nil && json.Unmarshal(encoded, &details) == nil && details.State.Situation == "OnNode"
}

// quotesWrite reports whether details name a program that wrote to the object since the deletion.
func quotesWrite(details any) bool {
	var named struct{ Manager string }
	encoded, err := json.Marshal(details)
	return err == nil && json.Unmarshal(encoded, &named) == nil && named.Manager != ""
}

// lacksRight reports whether details name a program that runs, and that RBAC doesn't let remove the finalizer.
func lacksRight(details any) bool {
	var named struct{ Unentitled bool }
	encoded, err := json.Marshal(details)
	return err == nil && json.Unmarshal(encoded, &named) == nil && named.Unentitled
}

// bySilence reports whether a cause depends on how long the deletion has taken: before it, this is not known.
func bySilence(cause result.RootCause) bool {
	var since struct{ RequestedAt *time.Time }
	encoded, err := json.Marshal(cause.Details)
	return err == nil && json.Unmarshal(encoded, &since) == nil && since.RequestedAt != nil
}

func isAbsence(reason finding.Reason) bool {
	return slices.Contains([]finding.Reason{
		finding.ControllerMissing, finding.ControllerDown, finding.ControllerForbidden, finding.ControlPlaneDown,
	}, reason)
}

// agreeExplain asks about each finalizer on its kind. Apart from the object less may be known, and nothing else.
func (p *panel) agreeExplain(seen *view, holds []holdSaid) {
	p.t.Helper()
	for _, held := range holds {
		kind := p.target(held.of).Resource.GroupKind().String()
		var known []plugins.Finalizer
		if finalizer, found := p.options.Plugins.Find(held.name, kind); found {
			known = append(known, finalizer)
		}
		seen := seen.again()
		cluster, err := diagnosis.Presence(p.t.Context(), seen, held.name, known, kind, p.options)
		if err != nil || len(cluster.Controllers) != 1 {
			p.differ("explain %s --kind %s: %v %+v", held.name, kind, err, cluster)
			continue
		}
		presence := cluster.Controllers[0]
		switch {
		case presence.State == "Unknown" && seen.missed.Load():
			p.left("explain")
			continue
		case held.states() != nil:
			p.compared("explain")
		}
		if states := held.states(); states != nil && !slices.Contains(states, presence.State) {
			p.differ("%s: why says %s, and explain %s: %s", held, strings.Join(states, " or "), presence.State, presence.Message)
		}
		if presence.Controller != nil && held.operator != "" && presence.Controller.String() != held.operator {
			p.differ("%s: why names %s, and explain %s", held, held.operator, presence.Controller)
		}
	}
}

// states are those of a controller that fares as why says; nil where it doesn't say.
func (h holdSaid) states() (states []string) {
	for _, cause := range h.absent {
		states = append(states, map[finding.Reason]string{
			finding.ControllerMissing: "Missing", finding.ControllerDown: "Down",
			finding.ControllerForbidden: "Forbidden", finding.ControlPlaneDown: "Down",
		}[cause.Reason])
	}
	switch {
	case states != nil:
	case h.alive && (h.operator == "" || h.wrote): // what it wrote to the object shows that it does, or which one it is
		states = []string{"Running", "Unknown"}
	case h.alive:
		states = []string{"Running"}
	case h.nobodys:
		states = []string{"Unknown"}
	}
	return states
}

// agreeCheck asks what would get stuck as if the objects were not deleted: the objects whose controller is absent
// according to why.
func (p *panel) agreeCheck(seen *view, holds []holdSaid) {
	p.t.Helper()
	before := seen.again()
	before.alive = true
	check, err := audit.Check(p.t.Context(), before, "", p.options)
	if err != nil {
		p.differ("check: %v", err)
		return
	}
	for _, held := range holds {
		var found []result.Finding
		for _, cause := range check.Findings {
			objects := append([]finding.Ref{cause.Object}, cause.Others...)
			if cause.Finalizer == held.name && isAbsence(cause.Reason) && slices.ContainsFunc(objects, held.of.SameAs) {
				found = append(found, cause)
			}
		}
		p.compareCheck(held, found, before.missed.Load())
	}
}

func (p *panel) compareCheck(held holdSaid, found []result.Finding, missed bool) {
	p.t.Helper()
	if len(held.absent) > 0 || held.alive || held.nobodys {
		p.compared("check")
	}
	switch {
	case len(found) > 0 && held.nobodys && held.wrote: // that it is there shows by what it wrote since the deletion
		p.left("check")
	case len(found) > 0 && (held.alive || held.nobodys):
		p.differ("%s: check says %s, and why doesn't: %s", held, found[0].Reason, found[0].Message)
	case len(found) == 0 && len(held.absent) > 0 && !missed && !bySilence(held.absent[0]):
		p.differ("%s: why says %s, and check nothing", held, held.absent[0].Reason)
	case len(found) == 0 && len(held.absent) > 0:
		p.left("check")
	case len(found) == 0 || len(held.absent) == 0:
	case found[0].Reason != held.absent[0].Reason:
		p.differ("%s: why says %s, and check %s", held, held.absent[0].Reason, found[0].Reason)
	case !missed && held.of.SameAs(p.why.Target) && found[0].Certainty != held.absent[0].Certainty:
		p.differ("%s: why says %s, and check %s", held, held.absent[0].Certainty, found[0].Certainty)
	}
}

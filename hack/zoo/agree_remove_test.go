package zoo_test

import (
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/zoo/judge"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/diagnosis"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/removal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

type (
	node = graph.Node
	edge = graph.Edge
)

// plan is what remove would do, without the dry runs of its writes.
func (p *panel) plan(seen *view, target session.Target, options removal.Options) *result.RemovalReport {
	p.t.Helper()
	options.DryRun = removal.DryRunClient
	seen.missed.Store(false)
	remover := &removal.Remover{
		Reader: seen, Plugins: p.options.Plugins, Flags: p.options.Flags, Options: options,
		Diagnose: diagnosis.Diagnoser(p.options),
	}
	plan, err := remover.Plan(p.t.Context(), []session.Target{target})
	switch {
	case err != nil && seen.missed.Load():
		return nil
	case err != nil:
		p.t.Fatalf("remove: %v", err)
	}
	return plan.Shown()
}

// agreeRemove compares the plan for the target with what why says about it: what is removed without being named, the
// objections to each entry, and the removals in the answer of why.
func (p *panel) agreeRemove(seen *view) {
	p.t.Helper()
	target := p.target(p.why.Target)
	usual := p.plan(seen, target, removal.Options{}).Items[0]
	if usual.Verdict != p.why.Verdict || judge.Ageless(usual.Diagnosis) != judge.Ageless(p.why.Summary) {
		p.differ("why:    %s: %s\nremove: %s: %s", p.why.Verdict, p.why.Summary, usual.Verdict, usual.Diagnosis)
	}
	var chosen, proven []string
	for _, entry := range usual.Entries {
		chosen = append(chosen, entry.Name)
	}
	for _, hold := range p.why.Deletion.Holds {
		if slices.ContainsFunc(p.why.RootCauses, func(cause result.RootCause) bool {
			return cause.Reason == finding.ControllerMissing && cause.Certainty == finding.Proven && p.own(cause, hold)
		}) {
			proven = append(proven, hold.Name)
		}
		p.agreeObjections(seen, target, hold)
	}
	if diff := cmp.Diff(proven, chosen, cmpopts.EquateEmpty()); diff != "" {
		p.differ("what nobody has to name (-proven missing by why +chosen by remove):\n%s", diff)
	}
	for _, cause := range p.why.RootCauses {
		for _, remedy := range cause.Remedies {
			if remedy.Forces() {
				p.agreeRemedy(seen.again(), cause, remedy)
			}
		}
	}
}

// own reports whether a cause is about one hold of the target.
func (p *panel) own(cause result.RootCause, hold finding.Hold) bool {
	return (cause.Finalizer == hold.Name || slices.Contains(cause.Also, hold.Name)) &&
		slices.ContainsFunc(sharing(cause), p.why.Target.SameAs)
}

// agreeObjections compares the objections with the causes that one hold of the target leads to.
func (p *panel) agreeObjections(seen *view, target session.Target, hold finding.Hold) {
	p.t.Helper()
	if hold.Type == finding.GracePeriod {
		return // removed by no controller
	}
	item := p.plan(seen, target, removal.Options{Finalizers: []string{hold.Name}}).Items[0]
	var codes, wanted []string
	for _, objection := range item.Entries[0].Objected {
		if objection.Code != string(result.Undetermined) { // about the content of a namespace, and what wasn't read
			codes = append(codes, objection.Code)
		}
	}
	behind := p.behind(hold)
	for _, cause := range p.why.RootCauses {
		own, reached := p.own(cause, hold), slices.ContainsFunc(sharing(cause), behind)
		someone := len(cause.Candidates)+len(cause.Unread) > 0 || cause.Unseen
		nobody := cause.Reason == finding.ControllerMissing || cause.Reason == finding.ControllerUnknown && !someone
		deadlock := cause.Reason == finding.OwnershipDeadlock
		if reached && !deadlock && !own || own && !nobody {
			wanted = append(wanted, string(cause.Reason))
		}
	}
	for _, observation := range p.why.Observations {
		about := len(observation.Holds) == 0 || slices.Contains(observation.Holds, hold)
		if observation.Verdict == result.Progressing && (behind(observation.Object) ||
			about && observation.Object.SameAs(p.why.Target)) {
			wanted = append(wanted, string(observation.Verdict))
		}
	}
	slices.Sort(codes)
	slices.Sort(wanted)
	if diff := cmp.Diff(slices.Compact(wanted), codes, cmpopts.EquateEmpty()); diff != "" {
		p.differ("to remove %s speaks against it (-why +remove):\n%s", hold.Name, diff)
	}
}

// behind reports for each object whether one hold of the target waits for it in the end.
func (p *panel) behind(hold finding.Hold) func(finding.Ref) bool {
	reached := map[int]bool{}
	for _, first := range p.why.Graph.Edges {
		if first.From != 0 || first.Type != finding.WaitsFor || first.Hold == nil || *first.Hold != hold {
			continue
		}
		for queue := []int{first.To}; len(queue) > 0; queue = queue[1:] {
			if reached[queue[0]] {
				continue
			}
			reached[queue[0]] = true
			for _, next := range p.why.Graph.Edges {
				if next.From == queue[0] && next.Type == finding.WaitsFor {
					queue = append(queue, next.To)
				}
			}
		}
	}
	return func(ref finding.Ref) bool {
		for number := range reached {
			if p.why.Graph.Nodes[number].SameAs(ref) {
				return true
			}
		}
		return false
	}
}

// elsewhere reports whether the only objection to a plan is a root cause that why names beside another one.
func (p *panel) elsewhere(cause result.RootCause, plan *result.RemovalReport, options removal.Options) bool {
	for _, entry := range plan.Items[0].Entries {
		for _, objection := range entry.Objected {
			another := func(rootCause result.RootCause) bool {
				return string(rootCause.Reason) == objection.Code && rootCause.Reason != cause.Reason
			}
			if !slices.Contains(options.Overrides, objection.Code) && !slices.ContainsFunc(p.why.RootCauses, another) {
				return false
			}
		}
	}
	return true
}

// agreeRemedy plans a removal that why offers: no guard may refuse what was asked for explicitly, unless another cause
// is about it.
func (p *panel) agreeRemedy(seen *view, cause result.RootCause, remedy finding.Remedy) {
	p.t.Helper()
	words := remedy.Command
	var options removal.Options
	var namespace string
	for i := range words[:len(words)-1] {
		switch words[i] {
		case "--finalizer":
			options.Finalizers = append(options.Finalizers, words[i+1])
		case "--override":
			options.Overrides = append(options.Overrides, words[i+1])
		case "-n":
			namespace = words[i+1]
		}
	}
	resource, name, one := strings.Cut(words.Releases()[0], "/")
	if !one { // all objects of a kind, that of the cause among them
		name, namespace = cause.Object.Name, cause.Object.Namespace
	}
	servedKinds, err := p.reader.ServedKinds(p.t.Context())
	if err != nil {
		p.t.Fatal(err)
	}
	named := func(one cluster.Resource) bool { return one.QualifiedName() == resource }
	at := slices.IndexFunc(servedKinds.Resources, named)
	if at < 0 {
		p.t.Fatalf("%s: no such resource is served", words)
	}
	target := session.Target{Resource: servedKinds.Resources[at], Namespace: namespace, Name: name}
	plan := p.plan(seen, target, options)
	if plan == nil || seen.missed.Load() {
		p.left("remedy")
		return
	}
	p.compared("remedy")
	for _, guard := range plan.Guards {
		if !guard.Passed && !p.elsewhere(cause, plan, options) {
			p.differ("why says %s\nremove refuses, guard %s: %s", words, guard.Name, guard.Why)
		}
	}
}

// Package uninstall plans how an operator can go without leaving anything stuck: what to keep, which objects to delete
// while it runs and in which order, and what of itself goes after that.
//
// It finds what belongs to the operator (find_parts.go, find_served.go), orders its objects (order_objects.go), and
// asks pkg/preview about each step, as the cluster will be after the steps before it (foresee_steps.go). It has no
// model of deletion of its own, and it only reads.
//
// This package may change at any time.
package uninstall

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Options say which operator is meant: by one of these.
type Options struct {
	mechanism.Options
	// Object is a workload, a namespace, or a definition: then the plan is for that alone.
	Object *session.Target
	// Manifests are the objects that were installed.
	Manifests []session.Target
	// Release is the name of a release of Helm, or of an operator of OLM. Namespace narrows where it is installed.
	Release, Namespace string
	// Project is one of the catalogue, as that spells it.
	Project string
}

// Plan returns the order in which an operator can go. It is an error if it is not known what there is in the cluster,
// and if the object that was named is not found. What else can't be read is part of the plan.
func Plan(ctx context.Context, reader cluster.Reader, options Options) (*result.UninstallPlan, error) {
	tools := options.Scanning(&keptLists{Reader: reader})
	everything, err := newSurvey(ctx, tools.Session.Reader)
	if err != nil {
		return nil, err
	}
	p := newPlanner(options, tools, everything)
	if err := p.found.find(ctx); err != nil {
		return nil, err
	}
	p.found.findServed(ctx)
	p.tellFound(ctx)
	if err := p.addSteps(ctx); err != nil {
		return nil, err
	}
	p.addStays(ctx)
	p.plan.Unreadable = session.Unreadable(ctx, tools.Session.Reader)
	p.plan.Owners = p.stayingOwners()
	p.plan.State = p.state()
	p.plan.Summary = p.summary()
	return p.plan, ctx.Err()
}

// planner puts a plan together.
type planner struct {
	found   *finder
	options Options
	tools   *mechanism.Tools
	voice   finding.Voice
	write   commands
	// gone are by uid the objects that are gone after the steps so far.
	gone map[string]bool
	// starting are controllers of what the steps delete that have only just been started.
	starting map[finding.Ref]bool
	plan     *result.UninstallPlan
}

func newPlanner(options Options, tools *mechanism.Tools, everything *survey) *planner {
	voice := finding.Voice{Now: tools.Session.AsOf(), Program: options.Program, Foresees: true, Live: true}
	plan := &result.UninstallPlan{
		APIVersion: result.APIVersion, Kind: "UninstallPlan", GeneratedAt: result.InSeconds(tools.Session.AsOf()),
		Controllers: []result.UninstallController{}, Serves: []result.UninstallServed{}, Parts: []result.UninstallPart{},
		Blocked: []result.Hanging{}, RootCauses: []result.RootCause{}, Refusals: []result.Refusal{},
		Steps: []result.UninstallStep{}, Stays: []result.UninstallStaying{},
		Kubectl: tools.Session.Kubectl.Prefix(finding.Ref{}), Ask: options.Program.Command("version"),
	}
	kubectl := tools.Session.Kubectl
	kubectl.Files = nil // steps are for the cluster, whatever the answer was read from
	return &planner{
		options: options, tools: tools, voice: voice, plan: plan, gone: map[string]bool{},
		starting: map[finding.Ref]bool{},
		write:    commands{kubectl: kubectl, survey: everything},
		found: &finder{
			options: options, tools: tools, voice: voice, plan: plan, survey: everything, parts: newParts(),
			guests: map[string]*guests{},
		},
	}
}

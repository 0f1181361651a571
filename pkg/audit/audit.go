// Package audit looks for what nobody has asked about yet: what will get stuck when it is deleted.
package audit

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Options say with what is found out.
type Options = mechanism.Options

// Check looks for what nobody has asked about yet, in a namespace or with an empty one everywhere: owner references
// that the garbage collector can't honour, finalizers with bad names, and finalizers that nobody is there to
// remove. It only reads. It is an error if nothing could be listed.
func Check(ctx context.Context, reader cluster.Reader, namespace string, options Options) (*report.Check, error) {
	tools, area := options.Scanning(reader), session.Area{Namespace: namespace}
	inventory, err := tools.Session.Inventory(ctx, area)
	if err != nil {
		return nil, err
	}
	seen := len(inventory.Owned) + len(inventory.Held)
	if err := tools.Session.NothingListed(area, inventory.Asked, inventory.Unlisted, seen); err != nil {
		return nil, err
	}
	catalog, err := tools.Session.Reader.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	c := &checker{tools: tools, inventory: inventory, catalog: catalog, found: map[string]*found{}}
	session.SideBySide([]func(){
		func() { tools.Attribution.Prepare(ctx, inventory.Held) },
		func() { c.checkReferences(ctx) },
	})
	c.checkCycles()
	c.checkKinds()
	c.checkFinalizers()
	c.checkControllers(ctx)
	voice := finding.Voice{Now: tools.Session.Now()}
	result := &report.Check{
		APIVersion: report.APIVersion, Kind: "CheckReport", GeneratedAt: report.InSeconds(voice.Now),
		Owned: len(inventory.Owned), Held: len(inventory.Held),
		Findings: c.findings(voice), Unreadable: tools.Session.Unreadable(ctx),
	}
	for _, note := range c.notes {
		result.Notes = append(result.Notes, voice.Message(note))
	}
	report.Escape(result)
	return result, nil
}

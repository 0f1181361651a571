// Package audit looks for what nobody has asked about yet: what will get stuck when it is deleted.
package audit

import (
	"cmp"
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Check looks for what nobody has asked about yet: owner references that the garbage collector can't
// honour, finalizers with bad names, and finalizers that nobody is there to remove. It only reads.
func Check(ctx context.Context, tools *mechanism.Tools, census *session.Census) (*report.Check, error) {
	catalog, err := tools.Session.Reader.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	c := &checker{tools: tools, census: census, catalog: catalog, found: map[string]*report.Finding{}}
	session.SideBySide([]func(){
		func() { tools.Attribution.Prepare(ctx, census.Held) },
		func() { c.checkReferences(ctx) },
	})
	c.checkCycles()
	c.checkKinds()
	c.checkFinalizers()
	c.checkControllers(ctx)
	result := &report.Check{
		APIVersion: report.APIVersion, Kind: "CheckReport", GeneratedAt: report.InSeconds(tools.Session.Now()), Owned: len(census.Owned), Held: len(census.Held),
		Findings: c.sorted(), Notes: c.notes, Unreadable: tools.Session.Unreadable(ctx),
	}
	report.Escape(result)
	return result, nil
}

// sorted returns the findings: errors first, then what concerns most objects.
func (c *checker) sorted() []report.Finding {
	rank := map[report.Severity]int{report.Error: 0, report.Warning: 1, report.Info: 2}
	findings := []report.Finding{}
	for _, key := range c.order {
		findings = append(findings, *c.found[key])
	}
	slices.SortStableFunc(findings, func(a, b report.Finding) int {
		return cmp.Or(cmp.Compare(rank[a.Severity], rank[b.Severity]), cmp.Compare(a.Reason, b.Reason), cmp.Compare(b.Count, a.Count), finding.Compare(a.Object, b.Object))
	})
	return findings
}

// add keeps a reported, or counts it where one of its sort is known.
func (c *checker) add(alike string, reported report.Finding) {
	if known := c.found[alike]; known != nil {
		known.Count++
		known.Others = append(known.Others, reported.Object)
		return
	}
	reported.Count = 1
	if reported.Evidence == nil {
		reported.Evidence = []finding.Evidence{}
	}
	if reported.Remedies == nil {
		reported.Remedies = []finding.Remedy{}
	}
	c.found[alike] = &reported
	c.order = append(c.order, alike)
}

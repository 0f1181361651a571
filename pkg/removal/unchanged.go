package removal

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// unchanged is the seventh guard: a diagnosis right before the write says what the plan said. Only what the
// plan itself has removed may be missing, from this object or from those that it waited for.
func (r *Remover) unchanged(one *item, planned *step, now *look, ownWrite string) report.Guard {
	const name = "Unchanged"
	different := func(by finding.Phrase) report.Guard {
		return refuse(guardUnchanged, name, finding.Finding{
			Situation: "NotAsShown", Object: one.ref(), Details: finding.RemovalDetails{Difference: &by},
		})
	}
	if by := one.differs(now, ownWrite); by != nil {
		return different(*by)
	}
	for _, hold := range planned.holds {
		for _, objection := range now.objections(hold) {
			if !slices.Contains(r.Options.Overrides, objection.Code) {
				against := finding.RemovalDetails{Reason: objection.Code, Said: strings.TrimSuffix(objection.Message, ".")}
				return different(finding.Phrase{Situation: "NewObjection", Details: against})
			}
		}
	}
	return passed(guardUnchanged, name)
}

// differs tells how an object differs from what was shown, but for what the plan itself has done; nil if it doesn't.
func (i *item) differs(now *look, ownWrite string) *finding.Phrase {
	before := i.seen
	added, gone := now.newSince(before), now.goneSince(before)
	version, was := now.object.Meta.ResourceVersion, before.object.Meta.ResourceVersion
	own := ownWrite != "" || len(i.awaits) > 0
	switch {
	case now.object.Ref.UID != before.object.Ref.UID:
		return &finding.Phrase{Situation: "OtherObject"}
	case len(added) > 0:
		return &finding.Phrase{Situation: "NewFacts", Details: finding.RemovalDetails{Facts: added}}
	case !own && len(gone) > 0:
		return &finding.Phrase{Situation: "LostFacts", Details: finding.RemovalDetails{Facts: gone}}
	case !own && now.diagnosis.Verdict != before.diagnosis.Verdict:
		return &finding.Phrase{Situation: "OtherVerdict", Details: finding.RemovalDetails{
			Before: string(before.diagnosis.Verdict), After: string(now.diagnosis.Verdict),
		}}
	case !own && version != was:
		return &finding.Phrase{Situation: "OtherVersion", Details: finding.RemovalDetails{Before: was, After: version}}
	case ownWrite != "" && version != ownWrite:
		return &finding.Phrase{Situation: "OtherWriter", Details: finding.RemovalDetails{Before: ownWrite, After: version}}
	}
	return nil
}

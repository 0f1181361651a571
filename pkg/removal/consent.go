package removal

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/escape"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// tokenBytes is how much of the hash a token shows: enough that no two plans share one.
const tokenBytes = 10

// wordLength is how much of a token the user types to consent to a plan for several objects, which have no common name.
// It is of this plan alone, unlike their number.
const wordLength = 6

// token is bound to everything that the user consents to: the server and the user, the objects in their states, what is
// removed from them and in which way, what goes with them, and what the diagnosis says. If any of it changes, it no
// longer fits.
func (p *Plan) token() string {
	type bound struct {
		Target            finding.Ref
		ResourceVersion   string
		Verdict           result.Verdict
		Holds             []finding.Hold
		Forms, Objections []string
		Takes             []finding.Phrase
	}
	var all []bound
	for _, one := range p.items {
		if len(one.entries) == 0 {
			return ""
		}
		part := bound{
			Target: one.ref(), ResourceVersion: one.seen.object.Meta.ResourceVersion, Verdict: one.view.Verdict,
			Holds: one.entries, Objections: codes(one), Takes: takenFacts(one.seen.goes()),
		}
		for _, step := range one.steps {
			part.Forms = append(part.Forms, string(step.form))
		}
		all = append(all, part)
	}
	encoded, err := json.Marshal(map[string]any{"server": p.Report.Server, "user": p.Report.User, "objects": all})
	if err != nil || len(all) == 0 {
		return ""
	}
	hash := sha256.Sum256(encoded)
	return strings.ToLower(base32.StdEncoding.EncodeToString(hash[:tokenBytes]))
}

// asks reports whether this removal asks for consent on a terminal.
func (r *Remover) asks() bool {
	return r.Ask != nil && r.Options.Confirm == "" && r.Options.DryRun == ""
}

// consent is the fourth guard: the token of exactly this plan, or a name typed on a terminal.
func (r *Remover) consent(ctx context.Context, plan *Plan) *finding.Finding {
	token, several := plan.Report.Token, len(plan.items) > 1
	details := finding.RemovalDetails{Token: token, Name: r.Options.Confirm, Several: several}
	switch {
	case r.Options.Confirm != "" && r.Options.Confirm == token:
		return nil
	case r.Options.Confirm != "":
		return &finding.Finding{Situation: "WrongToken", Details: details}
	case r.Ask == nil:
		return &finding.Finding{Situation: "NobodyToAsk", Details: details}
	}
	want, what := plan.items[0].ref().Name, "the name of the object"
	if several {
		want, what = plan.Report.Word, "the word of this plan (see above)"
	} else {
		what += " (" + escape.Text(want) + ")"
	}
	typed, err := r.Ask(ctx, fmt.Sprintf("To remove this by force, type %s: ", what))
	if err != nil {
		details.Said = err.Error()
		return &finding.Finding{Situation: "NobodyConsented", Details: details}
	}
	want = strings.TrimSpace(want)
	if typed = strings.TrimSpace(typed); typed != want && typed != escape.Text(want) {
		return &finding.Finding{Situation: "WrongConsent", Details: details}
	}
	return nil
}

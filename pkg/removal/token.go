package removal

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// tokenBytes is how much of the hash a token shows: enough that no two plans share one.
const tokenBytes = 10

// wordLength is how much of a token somebody types to consent to a plan for several objects, of which no name is that
// of all. It is of this plan alone, unlike their number.
const wordLength = 6

// token is bound to everything that somebody consents to: the server and the user, the objects in their states, what is
// taken off them and in which way, what goes with them, and what the diagnosis says. If any of it changes, it no longer
// fits.
func (p *Plan) token() string {
	type bound struct {
		Target            finding.Ref
		ResourceVersion   string
		Verdict           report.Verdict
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
			Holds: one.entries, Objections: codes(one), Takes: one.seen.takenFacts(),
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

package removal

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
)

// inOrder sorts items so that each comes after those that it waits for, and after its dependents: an owner that goes
// first would have them collected. Of objects that wait for one another, the first named comes first.
func inOrder(items []*item) []*item {
	var ordered []*item
	visited := map[*item]bool{}
	var visit func(one *item)
	visit = func(one *item) {
		if visited[one] {
			return
		}
		visited[one] = true
		for _, other := range items {
			if other == one || !one.seen.waitsFor(other.seen.object.Ref.UID) && !other.dependsOn(one) {
				continue
			}
			visit(other)
			if slices.Contains(ordered, other) {
				one.awaits = append(one.awaits, other)
			}
		}
		ordered = append(ordered, one)
	}
	for _, one := range items {
		visit(one)
	}
	return ordered
}

func (i *item) dependsOn(owner *item) bool {
	meta := i.seen.object.Meta
	of := owner.seen.object
	refers := func(one metav1.OwnerReference) bool { return string(one.UID) == of.Ref.UID }
	return slices.ContainsFunc(meta.OwnerReferences, refers) || of.Is("", "Namespace") && meta.Namespace == of.Ref.Name
}

// tokenBytes is how much of the hash a token shows: enough that no two plans share one.
const tokenBytes = 10

// token is bound to everything that somebody consents to: the objects in their states, what is taken off
// them and in which way, and what the diagnosis says. If any of it changes, it no longer fits.
func (p *Plan) token() string {
	type bound struct {
		Target            finding.Ref
		ResourceVersion   string
		Verdict           report.Verdict
		Holds             []finding.Hold
		Forms, Objections []string
	}
	var all []bound
	for _, one := range p.items {
		if len(one.entries) == 0 {
			return ""
		}
		part := bound{
			Target: one.ref(), ResourceVersion: one.seen.object.Meta.ResourceVersion, Verdict: one.view.Verdict,
			Holds: one.entries, Objections: codes(one),
		}
		for _, step := range one.steps {
			part.Forms = append(part.Forms, string(step.form))
		}
		all = append(all, part)
	}
	encoded, err := json.Marshal(all)
	if err != nil || len(all) == 0 {
		return ""
	}
	hash := sha256.Sum256(encoded)
	return strings.ToLower(base32.StdEncoding.EncodeToString(hash[:tokenBytes]))
}

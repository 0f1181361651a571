package follow

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Look asks the cluster as it is now. Its error says that nothing could be found out.
type Look func(ctx context.Context) (*Answer, error)

// Asker asks the cluster about targets, as it is at one moment.
type Asker interface {
	// Why says why a target is still there. It returns a session.GoneError, or "not found", where it isn't.
	Why(ctx context.Context, target session.Target) (*result.Diagnosis, error)
	// Explain says an error of Why for people.
	Explain(ctx context.Context, target session.Target, err error) error
	// Versions are the resourceVersions of what was read for the answers, by place.
	Versions() map[finding.Ref]string
	// Kinds is what was found to be served.
	Kinds() *cluster.ServedKinds
}

// Targets are objects that are looked at together. Each goes once: who takes its name afterwards is another one.
type Targets struct {
	// Open begins a look.
	Open func(context.Context) (Asker, error)
	// Result is what is printed of the answers about the ones that are there; nil for nothing.
	Result func([]result.Diagnosis) result.Result
	// Failed gets errors about single targets in the first look. They aren't looked at any more.
	Failed func(error)

	left []*target
	met  bool
}

type target struct {
	session.Target
	ref      finding.Ref // as it was first met
	unserved int         // looks in a row in which its kind wasn't served
}

// Add adds objects, before the first look.
func (t *Targets) Add(objects ...session.Target) {
	for _, object := range objects {
		t.left = append(t.left, &target{Target: object})
	}
}

// Look is a Look at them. What the first one doesn't find was never there, which is an error as any other.
func (t *Targets) Look(ctx context.Context) (*Answer, error) {
	asker, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	var items []result.Diagnosis
	var gone []result.Change
	var left []*target
	for _, one := range t.left {
		item, err := asker.Why(ctx, one.Target)
		switch {
		case t.met && one.isGone(item, err):
			gone = append(gone, result.Change{What: result.IsGone, Objects: []finding.Ref{one.ref}})
			continue
		case err != nil && t.met:
			return nil, asker.Explain(ctx, one.Target, err)
		case err != nil:
			t.Failed(asker.Explain(ctx, one.Target, err))
			continue
		}
		one.ref = item.Target
		items, left = append(items, *item), append(left, one)
	}
	t.left, t.met = left, true
	answer := OfDiagnoses(t.Result(items), items)
	answer.Gone, answer.Versions, answer.Kinds = gone, asker.Versions(), asker.Kinds()
	return answer, nil
}

// mostUnserved is how many looks in a row have to find a target's kind gone until the target has. A server that has
// just started doesn't serve custom kinds yet.
const mostUnserved = 5

// isGone reports whether a look has shown that a target isn't there any more.
func (t *target) isGone(item *result.Diagnosis, err error) bool {
	var gone *session.GoneError
	switch {
	case err == nil:
		t.unserved = 0
		return t.ref.UID != "" && item.Target.UID != "" && item.Target.UID != t.ref.UID
	case errors.As(err, &gone) || apierrors.IsNotFound(err) && cluster.Names(err, t.Name):
		return true
	case !apierrors.IsNotFound(err):
		return false
	}
	t.unserved++
	return t.unserved >= mostUnserved
}

package preview

import (
	"context"
	"maps"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Ask previews the deletion of a target, with some objects gone already, by uid.
type Ask func(target session.Target, gone map[string]bool) (*result.Preview, error)

// Several previews targets that are deleted together: what is deleted with a target that finishes blocks nothing, so
// objects that wait for it are asked about again. Answers and errors are in the places of their targets; one of them is
// nil.
func Several(ctx context.Context, targets []session.Target, ask Ask) (answers []*result.Preview, failed []error) {
	answers, failed = make([]*result.Preview, len(targets)), make([]error, len(targets))
	gone := map[string]bool{}
	for known := -1; known < len(gone) && ctx.Err() == nil; {
		known = len(gone)
		for i, target := range targets {
			before := answers[i]
			if failed[i] != nil || finishes(before) {
				continue
			}
			answers[i], failed[i] = ask(target, besides(gone, before))
			if finishes(answers[i]) {
				maps.Copy(gone, going(answers[i]))
			}
		}
	}
	return answers, failed
}

func finishes(answer *result.Preview) bool { return answer != nil && answer.Outcome == result.WouldGo }

// going are the objects that go with a target, by uid.
func going(answer *result.Preview) map[string]bool {
	all := map[string]bool{}
	for _, kind := range answer.Goes {
		for _, object := range kind.Objects {
			all[object.UID] = true
		}
	}
	return all
}

// besides are those of some objects that don't go with a target itself; none, where it isn't known what does.
func besides(gone map[string]bool, answer *result.Preview) map[string]bool {
	if answer == nil {
		return nil
	}
	others := maps.Clone(gone)
	for uid := range going(answer) {
		delete(others, uid)
	}
	return others
}

package diagnosis

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// refusedDeletion tells of an object that nobody has deleted what refuses its deletion, whoever asks for it: then
// somebody may have asked already, and been refused (deletion-mechanics M23). What only may refuse it is left unsaid.
func (r *run) refusedDeletion(ctx context.Context, object *session.Object) {
	if undeletable(object) {
		return
	}
	for _, wait := range r.tools.Refusals.Refused(ctx, refusal.Deletion(object, "")).Answer.Waits {
		for _, cause := range wait.Otherwise.Causes {
			r.refusing = append(r.refusing, cause.Object)
			r.at(target).remarks = append(r.at(target).remarks, cause)
		}
	}
}

package audit

import (
	"context"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/admission"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Bounds of what is read to find out what a webhook that can't answer is about, where its labels or conditions decide:
// for how many objects of a kind its conditions are judged, which may take a whole object.
const mostConditions = 4

// webhookJudge finds out which writes a webhook refuses that is down.
type webhookJudge struct {
	checker  *checker
	webhook  refusal.SilentWebhook
	lists    kindLists
	evidence *finding.Evidence // of the first refusal
	doubt    bool              // it may refuse something, which can't be told
	atLeast  bool              // of the last writes, not all were judged
}

// refuses returns where the webhook refuses a write: by one object in each namespace if it can't distinguish them.
func (j *webhookJudge) refuses(ctx context.Context, one sending) (places []place) {
	hook := &j.webhook.Hook
	j.atLeast = false
	isNamespace := one.kind.resource.GroupResource() == cluster.Namespaces().GroupResource()
	alike := !hook.AsksObject() || one.what == finding.RefusesEviction && len(hook.MatchConditions) == 0
	if alike && !(isNamespace && hook.AsksNamespace()) {
		if hook.AsksNamespace() && !j.checker.namespacesRead(ctx) {
			j.doubt = true
			return nil
		}
		for _, at := range one.places {
			if j.refusesOne(ctx, one, at.example(one.kind.resource)) {
				places = append(places, at)
			}
		}
		return places
	}
	found := j.lists.of(ctx, one.kind.resource)
	j.doubt = j.doubt || found.err != nil
	judged := 0
	for _, object := range found.objects {
		if one.what == finding.RefusesRelease && len(object.Meta.Finalizers) == 0 ||
			one.what == finding.RefusesDisown && len(object.Meta.OwnerReferences) == 0 {
			continue
		}
		if judged++; judged > mostConditions && len(hook.MatchConditions) > 0 {
			j.atLeast = true
			break
		}
		if j.refusesOne(ctx, one, object) {
			places = counted(places, object)
		}
	}
	return places
}

// refusesOne reports whether the webhook refuses a write on one object: whoever sends it, or else where the controller
// does that empties namespaces or collects garbage.
func (j *webhookJudge) refusesOne(ctx context.Context, one sending, object *session.Object) bool {
	write := one.write(object)
	match := j.checker.tools.Refusals.Stops(ctx, j.webhook, write)
	if write.By = one.sender(); match == admission.Maybe && j.webhook.Hook.AsksWho() && write.By != "" {
		match = j.checker.tools.Refusals.Stops(ctx, j.webhook, write)
		if match == admission.No {
			match = admission.Maybe // others may be refused
		}
	}
	switch match {
	case admission.Maybe:
		j.doubt = true
	case admission.Yes:
		if j.evidence == nil {
			by := j.webhook.Intercepts(write)
			j.evidence = &by
		}
		return true
	}
	return false
}

// fewNamespaces is up to how many namespaces are read one by one; more are read in one list.
const fewNamespaces = 3

// namespacesRead reads the labels of namespaces at once, where they would be read one by one. It answers false where
// they can't be read.
func (c *checker) namespacesRead(ctx context.Context) bool {
	if c.namespace != "" || c.crowdOf(cluster.Namespaces()).count() <= fewNamespaces {
		return true
	}
	// What was listed is remembered, so that later reads cost nothing.
	_, err := c.tools.Session.Reader.List(ctx, cluster.Namespaces(), "", cluster.Selector{})
	return err == nil
}

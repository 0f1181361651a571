package audit

import (
	"cmp"
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/refusal"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// sending are the writes of one sort that deletions of objects of one kind need, one for each object.
type sending struct {
	what   finding.RefusedWrite
	kind   *crowd
	places []place
}

// write is the write for one of the objects, from an unknown user.
func (s sending) write(object *session.Object) refusal.Write {
	switch s.what {
	case finding.RefusesRelease:
		return refusal.Removal(object, object.Meta.Finalizers[0], "")
	case finding.RefusesDisown:
		return refusal.Disowning(object)
	case finding.RefusesFinalize:
		return refusal.RemovalOf(object, finding.Hold{Type: finding.SpecFinalizer})
	case finding.RefusesEviction:
		return refusal.Eviction(object)
	}
	return refusal.Deletion(object, "")
}

// sender is the controller of kube-controller-manager that sends such writes, or nothing where others do.
func (s sending) sender() string {
	switch {
	case s.what == finding.RefusesFinalize, s.what == finding.RefusesDelete && s.kind.resource.Namespaced:
		return refusal.SystemAccount("namespace-controller")
	case s.what == finding.RefusesDelete, s.what == finding.RefusesDisown:
		return refusal.SystemAccount(session.GarbageCollector)
	}
	return ""
}

// sendings are all writes that deletions would need of what is there.
func (c *checker) sendings() (all []sending) {
	for _, kind := range c.crowds {
		if slices.Contains(kind.resource.Verbs, "delete") {
			all = append(all, sending{finding.RefusesDelete, kind, kind.all})
		}
		if len(kind.live) > 0 {
			all = append(all, sending{finding.RefusesRelease, kind, kind.live})
		}
		if len(kind.owned) > 0 {
			all = append(all, sending{finding.RefusesDisown, kind, kind.owned})
		}
		switch kind.resource.GroupResource() {
		case cluster.Namespaces().GroupResource():
			all = append(all, sending{finding.RefusesFinalize, kind, kind.all})
		case cluster.Pods().GroupResource():
			all = append(all, sending{finding.RefusesEviction, kind, kind.all})
		}
	}
	return all
}

// readSilentWebhooks finds the webhooks whose silence would refuse one of the writes, and that are not known to answer.
func (c *checker) readSilentWebhooks(ctx context.Context) {
	c.sends = c.sendings()
	c.silent = c.tools.Refusals.SilentWebhooks(ctx, finding.Each(c.sends, func(one sending) refusal.Write {
		return one.write(one.places[0].example(one.kind.resource))
	}))
}

// checkWebhooks finds webhooks that can't answer and whose silence is a refusal, with what deletions would need of
// them: deletes, updates that remove finalizers, the last step of a namespace, evictions. A webhook that is about
// nothing that is there stays unsaid.
func (c *checker) checkWebhooks(ctx context.Context) {
	var unread, outside []string
	for _, webhook := range c.silent {
		if webhook.Outside {
			outside = append(outside, webhook.Hook.Name)
		}
	}
	if len(outside) > 0 {
		c.note(finding.Finding{Situation: "WebhooksOutside", Details: fewOf(outside)})
	}
	for _, webhooks := range c.byBackend() {
		if webhooks[0].Down() {
			c.addDown(ctx, webhooks)
			continue
		}
		for _, webhook := range webhooks {
			unread = append(unread, webhook.Hook.Name)
		}
	}
	if len(unread) > 0 {
		c.note(finding.Finding{Situation: "BackendsNotRead", Details: fewOf(unread)})
	}
}

// byBackend groups the silent webhooks that are of one configuration and have one backend.
func (c *checker) byBackend() (groups [][]refusal.SilentWebhook) {
	at := map[string]int{}
	for _, webhook := range c.silent {
		if webhook.Outside {
			continue
		}
		key := finding.KeyOf(&webhook.Configuration.Ref, c.voice.Phrase(webhook.Backend.Words))
		if _, known := at[key]; !known {
			at[key] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[key]] = append(groups[at[key]], webhook)
	}
	return groups
}

// addDown finds out which writes some webhooks refuse that are down with one backend, and keeps that.
func (c *checker) addDown(ctx context.Context, webhooks []refusal.SilentWebhook) {
	silentWebhooksDetails := finding.SilentWebhooksDetails{Backend: &webhooks[0].Backend.Words}
	var refusing []refusal.SilentWebhook
	var doubted []string
	var evidence []finding.Evidence
	for _, webhook := range webhooks {
		lists := kindLists{checker: c, selector: webhook.Hook.ObjectSelector}
		judge := &webhookJudge{checker: c, webhook: webhook, lists: lists}
		for _, i := range webhook.About {
			if places := judge.refuses(ctx, c.sends[i]); len(places) > 0 {
				silentWebhooksDetails.Refuses = merged(silentWebhooksDetails.Refuses, c.sends[i], places, judge.atLeast)
			}
		}
		if judge.doubt {
			doubted = append(doubted, webhook.Hook.Name)
		}
		if judge.evidence != nil {
			evidence, refusing = append(evidence, *judge.evidence), append(refusing, webhook)
			silentWebhooksDetails.Webhooks = append(silentWebhooksDetails.Webhooks, webhook.Hook.Name)
		}
	}
	configuration := webhooks[0].Configuration
	slices.SortStableFunc(silentWebhooksDetails.Refuses, byWeight)
	if len(refusing) > 0 {
		steps := finding.WebhookUnavailableDetails{Webhook: refusing[0].Hook.Name, Of: refusing[0].Of}
		c.add(found{severity: severityOf(silentWebhooksDetails), Finding: finding.Finding{
			Reason: finding.WebhookUnavailable, Situation: "WebhooksWouldRefuse", Object: configuration.Ref,
			Certainty: finding.Proven, Details: silentWebhooksDetails,
			Key:      finding.KeyOf("WebhooksWouldRefuse", &configuration.Ref, c.voice.Phrase(*silentWebhooksDetails.Backend)),
			Evidence: slices.Concat(evidence, webhooks[0].Backend.Evidence),
			Remedies: c.tools.Refusals.Relief(refusing, steps),
		}})
	}
	if len(doubted) > 0 {
		details := finding.SilentWebhooksDetails{Webhooks: doubted, Backend: silentWebhooksDetails.Backend}
		c.note(finding.Finding{Situation: "WebhooksMayRefuse", Object: configuration.Ref, Details: details})
		c.doubtful = true
	}
}

// severityOf is that of what some webhooks refuse: no deletion needs that owner references are removed, unless it is to
// leave the dependents.
func severityOf(details finding.SilentWebhooksDetails) result.Severity {
	if slices.ContainsFunc(details.Refuses, func(refuses finding.RefusedWrites) bool {
		return refuses.Write != finding.RefusesDisown
	}) {
		return result.Warning
	}
	return result.Info
}

// byWeight puts what is in namespaces first, and then what there is most of.
func byWeight(a, b finding.RefusedWrites) int {
	order := []finding.RefusedWrite{
		finding.RefusesDelete, finding.RefusesRelease, finding.RefusesFinalize, finding.RefusesEviction,
		finding.RefusesDisown,
	}
	return cmp.Or(
		cmp.Compare(slices.Index(order, a.Write), slices.Index(order, b.Write)),
		session.FalseFirst(len(a.Namespaces) == 0, len(b.Namespaces) == 0),
		cmp.Compare(b.Objects, a.Objects), cmp.Compare(a.Resource, b.Resource),
	)
}

// merged adds what one webhook refuses to what others of its configuration do.
func merged(refuses []finding.RefusedWrites, one sending, places []place, atLeast bool) []finding.RefusedWrites {
	more := finding.RefusedWrites{Write: one.what, Resource: one.kind.resource.QualifiedName(), AtLeast: atLeast}
	for _, at := range places {
		more.Objects += at.Count
		if at.Namespace != "" {
			more.Namespaces = append(more.Namespaces, at.Namespace)
		}
	}
	slices.Sort(more.Namespaces)
	same := slices.IndexFunc(refuses, func(known finding.RefusedWrites) bool {
		return known.Write == more.Write && known.Resource == more.Resource
	})
	if same < 0 {
		return append(refuses, more)
	}
	known := &refuses[same] // how many objects both are about is not counted
	known.AtLeast = known.AtLeast || more.AtLeast || !slices.Equal(known.Namespaces, more.Namespaces)
	known.Objects = max(known.Objects, more.Objects)
	known.Namespaces = slices.Compact(slices.Sorted(slices.Values(slices.Concat(known.Namespaces, more.Namespaces))))
	return refuses
}

func fewOf(names []string) (some finding.CheckedDetails) {
	const few = 3
	if len(names) > few+1 {
		some.More = len(names) - few
		names = names[:few]
	}
	some.Sorts = names
	return some
}

package audit

import (
	"context"
	"slices"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostDefinitions is of how many custom kinds the definition is looked at for how they are converted.
const mostDefinitions = 128

// conversion is a kind whose objects may have to be converted, and what that comes to.
type conversion struct {
	kind   *crowd
	answer session.Answer
}

// readConversions looks at kinds that have not failed yet: their objects are requested in several versions, or a
// controller has to release them, and they may be stored in another version than that.
func (c *checker) readConversions(ctx context.Context) {
	versions := c.servedKinds.Versions()
	for _, kind := range c.crowds {
		needed := len(kind.live) > 0 || versions[kind.resource.GroupKind()] > 1
		if needed && mechanism.Convertible(c.tools.Session, kind.resource) {
			c.conversions = append(c.conversions, &conversion{kind: kind})
		}
	}
	c.readOutside(ctx)
	asked := c.conversions[:min(len(c.conversions), mostDefinitions)]
	session.SideBySide(finding.Each(asked, func(one *conversion) func() {
		return func() { one.answer = mechanism.Unconverted(ctx, c.tools, one.kind.resource) }
	}))
}

// readOutside looks at whether kinds can be listed in a namespace as its controller lists them: out of the API server's
// memory, which has the objects of all namespaces. One that can't be converted, anywhere, keeps each namespace from
// being deleted, although a list that is read from storage in pages passes.
func (c *checker) readOutside(ctx context.Context) {
	if c.namespace == "" {
		return // all of them have been listed
	}
	kinds := slices.DeleteFunc(c.servedKinds.OwnedInNamespaces(), func(resource cluster.Resource) bool {
		same := func(unlisted cluster.Unlisted) bool { return unlisted.QualifiedName() == resource.QualifiedName() }
		return !mechanism.Convertible(c.tools.Session, resource) || slices.ContainsFunc(c.inventory.Unlisted, same)
	})
	c.unlistable = mechanism.Unlistable(ctx, c.tools.Session, kinds[:min(len(kinds), mostDefinitions)], c.namespace)
}

// checkConversions finds kinds whose objects can't be read in some version, because their conversion webhook can't
// answer: the list of the kind has failed for that reason, or some other read would.
func (c *checker) checkConversions(ctx context.Context) {
	for _, unlisted := range slices.Concat(c.inventory.Unlisted, c.unlistable) {
		if _, answer, explained := mechanism.Unreadable(
			ctx, c.tools.Session, c.tools.Health, unlisted.Resource, c.namespace, "", unlisted.Err,
		); explained {
			c.addUnconverted(answer)
		}
	}
	for _, kind := range c.crowds {
		c.addUnconverted(mechanism.Damaged(ctx, c.tools.Session, c.tools.Health, kind.resource, c.namespace))
	}
	var unread []string
	for _, one := range c.conversions {
		for _, cause := range one.answer.Causes {
			if details, is := cause.Details.(finding.ConversionDetails); is {
				details.Objects = one.kind.count()
				cause.Details = details
			}
			c.addCause(cause)
		}
		if len(one.answer.Open) > 0 {
			unread = append(unread, one.kind.resource.QualifiedName())
		}
	}
	if len(unread) > 0 {
		c.note(finding.Finding{Situation: "ConversionsNotJudged", Details: fewOf(unread)})
	}
	if more := len(c.conversions) - mostDefinitions; more > 0 {
		details := finding.CheckedDetails{Asked: mostDefinitions, More: more}
		c.note(finding.Finding{Situation: "DefinitionsNotAsked", Details: details})
	}
}

// addUnconverted adds what keeps a kind from being listed, and that this keeps namespaces from being deleted.
func (c *checker) addUnconverted(answer session.Answer) {
	for cause := range answer.AllCauses() {
		if details, is := cause.Details.(finding.ConversionDetails); is && c.namespace != "" {
			details.InNamespace = true
			cause.Details = details
		}
	}
	c.addAnswer(answer)
}

package mechanism

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"regexp"
	"strconv"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

func (c *content) addCondition(ctx context.Context, condition corev1.NamespaceCondition) {
	said := c.namespace.Ref.Observed("%s", finding.ByColons("condition "+string(condition.Type), condition.Message))
	said = said.When(condition.LastTransitionTime.Time).Quoting(condition.Message).Ranked(finding.Second)
	switch condition.Type {
	case corev1.NamespaceContentRemaining:
		c.said = append(c.said, said)
		c.addRemaining(ctx, condition.Message, said)
	case corev1.NamespaceFinalizersRemaining:
		// the same objects as above, counted by finalizer (docs/deletion.md#why-the-conditions-mislead)
		c.said = append(c.said, said)
		c.finalizers = finalizersRemaining(c.tools.Plugins, condition.Message)
	case corev1.NamespaceDeletionContentFailure:
		if onlyPodsRemain(condition.Message) {
			return
		}
		c.failed = true
		answer, damaged := storageAnswer(ctx, c.tools.Session, c.tools.Health, c.namespace, condition.Message, false, said)
		c.answer.Add(answer)
		// One text is about all kinds that fail: one may be damaged, and another guarded.
		refused := c.addFailure(ctx, condition.Message, said)
		if session.Unnamed(condition.Message) != "" {
			c.said = append(c.said, said)
			damaged = c.addUnlistable(ctx, failedKinds(condition.Message)) || damaged
		}
		if !refused && !damaged && !c.addFailingServers(ctx, condition, said) {
			c.unsettled(Finding{Situation: "DeletionInsideFails"}, condition, said)
			if down, is := c.tools.Health.ControlPlane.ControllerManagerDown(ctx, c.namespace); is {
				c.answer.Add(down) // the words are from before
			}
		}
	case corev1.NamespaceDeletionDiscoveryFailure:
		c.undiscovered = append(c.undiscovered, said)
		c.reported = statuses.Undiscovered(condition.Message)
	default:
		c.unsettled(Finding{Situation: "NamespaceReports"}, condition, said)
	}
}

func (c *content) addRemaining(ctx context.Context, message string, said Evidence) {
	servedKinds, err := c.tools.Session.Reader.ServedKinds(ctx)
	if err != nil {
		c.answer.Add(session.Unread(finding.Unread{Aspect: finding.Discovery}, err))
		return
	}
	for _, left := range remainingResources(message) {
		name := left.Name
		if name == (schema.GroupResource{Resource: "pods"}) {
			// Listed already. Where pods go first, they are never among these: before 1.33 everything is deleted at
			// once.
			c.podsFirst = false
			continue
		}
		resource, served := servedKinds.Find(name)
		if !served {
			c.addUnserved(servedKinds, name, said)
			continue
		}
		before := len(c.unread)
		for _, object := range c.list(ctx, resource) {
			c.addObject(ctx, object)
		}
		if len(c.unread) > before {
			c.remaining = append(c.remaining, finding.KindCounted{
				Resource: resource.QualifiedName(), Kind: resource.Kind, Count: left.Count,
			})
		}
	}
}

func (c *content) unsettled(note Finding, condition corev1.NamespaceCondition, said Evidence) {
	kind := string(condition.Type)
	note.Details = finding.ContentDetails{Namespace: c.namespace.Ref, Condition: kind, Words: condition.Message}
	note.Evidence = []Evidence{said}
	c.answer.Add(session.Open(note))
}

// failedKinds is how many kinds a namespace's NamespaceDeletionContentFailure is about: "Failed to delete all resource
// types, N remaining: …"; at least one.
func failedKinds(message string) int {
	match := regexp.MustCompile(`(\d+) remaining: `).FindStringSubmatch(message)
	if match == nil {
		return 1
	}
	count, _ := strconv.Atoi(match[1])
	return max(count, 1)
}

// onlyPodsRemain reports whether a NamespaceDeletionContentFailure is about pods without finalizers only.
func onlyPodsRemain(message string) bool {
	_, failures, found := strings.Cut(message, "remaining: ")
	if !found {
		return false
	}
	for failure := range strings.SplitSeq(failures, ", unexpected items") {
		if !strings.HasSuffix(failure, "for gvr: /v1, Resource=pods") {
			return false
		}
	}
	return true
}

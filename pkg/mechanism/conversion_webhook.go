package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// conversionFails answers for instances of a definition that can't be handed out, because the webhook that converts
// them fails (docs/deletion.md#conversion-webhooks). The way out is never to destroy them: they are healthy.
func conversionFails(
	ctx context.Context, reads *session.Session, checker *health.Checker, held *Object, damage session.Damage,
	said []Evidence,
) Answer {
	resource, known := resourceOf(ctx, reads, damage)
	if !known {
		return session.Open(Finding{
			Situation: "ConversionFailsSomewhere", Evidence: said,
			Details: finding.ConversionDetails{Kind: damage.Kind.String(), Words: damage.Said},
		})
	}
	crd := session.Named(cluster.CustomResourceDefinitions(), "", resource.QualifiedName())
	definition, err := session.ReadAs[session.Definition](ctx, reads, crd)
	details := finding.TaskDetails{Object: crd.Ref}
	switch {
	case apierrors.IsNotFound(err):
		return retried(ctx, checker, held, finding.Phrase{Situation: "KindGone", Details: details})
	case err != nil:
		return session.Unread(finding.UnreadObject(crd.Ref), err, said...)
	case definition.Spec.Conversion.Strategy != "Webhook":
		return retried(ctx, checker, held, finding.Phrase{Situation: "ConversionChanged", Details: details})
	}
	read := finding.Observed("a read of "+crd.Ref.Name, "conversion webhook for %s failed: %s", damage.Kind, damage.Said)
	said = append(slices.Clone(said), read.Quoting(damage.Said))
	return conversionAnswer(
		held, crd, definition, conversionCause(ctx, reads, checker, held, crd, definition, damage, said))
}

func conversionAnswer(held, crd *Object, definition *session.Definition, cause Finding) Answer {
	going, err := session.FromWhole(crd.Resource, crd.Whole)
	if err == nil && going.Terminating() && held.Is("", "Namespace") {
		return definitionGoing(going, definition, cause)
	}
	return pointAt(held, crd, cause)
}

// definitionGoing answers for a namespace with instances of a definition that is being deleted itself: what holds the
// definition is the deeper cause. An instance whose own controller can't read it has the webhook as its cause.
func definitionGoing(crd *Object, definition *session.Definition, broken Finding) Answer {
	remark := Finding{
		Situation: "DefinitionGoing", Object: crd.Ref, Details: broken.Details, Evidence: broken.Evidence,
		Key: finding.KeyOf("DefinitionGoing", crd.Ref),
	}
	needsWebhook(&remark, crd, definition)
	return Answer{Waits: []Wait{{Blocker: crd}}, Remarks: []Finding{remark}}
}

// needsWebhook corrects a remark where kube-apiserver can't, or may not, delete the instances of a definition without
// the webhook. It reads them in the storage version, so it converts the ones that are stored in another one
// (docs/deletion.md#definition-cleanup), and reports what fails in the condition Terminating.
func needsWebhook(remark *Finding, crd *Object, definition *session.Definition) {
	for _, is := range definition.DeletionReports() {
		if damages := session.Damages(is.Message); len(damages) > 0 && damages[0].Conversion() {
			remark.Situation = "DefinitionHeldByConversion"
			remark.Evidence = append([]Evidence{reportedBy(crd, is).Ranked(finding.Second)}, remark.Evidence...)
			return
		}
	}
	if !definition.StoredUnconverted() {
		remark.Situation = "DefinitionPerhapsHeldByConversion"
	}
}

func resourceOf(ctx context.Context, reads *session.Session, damage session.Damage) (cluster.Resource, bool) {
	if object, known := objectAt(ctx, reads, damage.Key); known {
		return object.Resource, true
	}
	return reads.ServedKinds(ctx).OfKind(damage.Kind)
}

// pointAt waits for another object that is to blame, or names the cause at the held object itself.
func pointAt(held, blamed *Object, blame Finding) Answer {
	if sameKind(held.Resource, blamed.Resource) && held.Ref.Path() == blamed.Ref.Path() {
		return session.Cause(blame)
	}
	return session.AwaitAnswer(blamed, blame)
}

func conversionCause(
	ctx context.Context, reads *session.Session, checker *health.Checker, held, crd *Object,
	definition *session.Definition, damage session.Damage, said []Evidence,
) Finding {
	found, through := converter(ctx, checker, definition)
	kind := definition.Spec.Names.Kind
	about, certainty := finding.ConversionDetails{Kind: kind, Backend: &found.Words}, finding.Proven
	about.InNamespace = held.Is("", "Namespace")
	if found.State != health.BackendBroken {
		about.Words, certainty = damage.Said, finding.Likely
	}
	return Finding{
		Reason: finding.ConversionWebhookUnavailable, Situation: "ConversionFails", Object: crd.Ref,
		Certainty: certainty, Details: about,
		Evidence: slices.Concat(said, []Evidence{convertsThrough(crd, definition, through)}, found.Evidence),
		Remedies: restoreConversion(reads, emptied(ctx, reads, held, damage), crd, definition, found),
	}
}

func convertsThrough(crd *Object, definition *session.Definition, through string) Evidence {
	stored := strings.Join(definition.Status.StoredVersions, ", ")
	return crd.Ref.Observed("converts through %s; stored in %s", through, stored).Ranked(finding.Second)
}

// Convertible reports whether a kind may be converted, for all that discovery says, and no request has failed yet.
func Convertible(reads *session.Session, resource cluster.Resource) bool {
	return !cluster.ServedByKubernetes(resource.Group) && reads.DamageOf(resource) == ""
}

// Unconverted answers for a kind whose requests would fail because the webhook that converts it can't answer, although
// no request has failed yet: with a cause, or with what is not clear because it could not be read. A conversion that is
// called by URL, or that nothing needs, is neither.
func Unconverted(ctx context.Context, t *Tools, resource cluster.Resource) Answer {
	crd := session.Named(cluster.CustomResourceDefinitions(), "", resource.QualifiedName())
	about := finding.ConversionDetails{Kind: resource.Kind, Preferred: resource.Version}
	definition, err := t.Attribution.Definition(ctx, crd)
	switch {
	case apierrors.IsNotFound(err):
		return Answer{} // an aggregated API server's
	case err != nil:
		return session.Open(Finding{Situation: "ConversionNotJudged", Object: crd.Ref, Details: about})
	case !definition.Converts():
		return Answer{}
	}
	found, through := converter(ctx, t.Health, definition)
	about.Backend, about.Served, about.Stored = &found.Words, definition.ServedVersions(), definition.Status.StoredVersions
	switch {
	case found.Unread():
		return session.Open(Finding{Situation: "ConversionNotJudged", Object: crd.Ref, Details: about})
	case found.State != health.BackendBroken:
		return Answer{}
	}
	certainty := finding.Likely // no one need ask for a version that is stored nowhere
	if !slices.Contains(about.Stored, about.Preferred) {
		certainty = finding.Proven
	}
	return session.Cause(Finding{
		Reason: finding.ConversionWebhookUnavailable, Situation: "ConversionWouldFail", Object: crd.Ref,
		Certainty: certainty, Details: about,
		Evidence: append([]Evidence{convertsThrough(crd, definition, through)}, found.Evidence...),
		Remedies: restoreConversion(t.Session, "", crd, definition, found),
	})
}

// Damaged answers for a kind whose objects could not be listed in the version that was asked for.
func Damaged(
	ctx context.Context, reads *session.Session, checker *health.Checker, resource cluster.Resource, namespace string,
) Answer {
	answer, _ := kindDamaged(ctx, reads, checker, session.Named(resource, namespace, ""))
	return answer
}

func converter(
	ctx context.Context, checker *health.Checker, definition *session.Definition,
) (found health.Backend, through string) {
	webhook := definition.Spec.Conversion.Webhook
	switch {
	case webhook == nil:
		return health.Backend{
			State: health.BackendUnknown, Words: finding.Phrase{Situation: "WebhookUnnamed"},
		}, "a webhook that is not named"
	case webhook.ClientConfig.Service == nil:
		outside := webhook.ClientConfig.URL
		words := finding.Phrase{Situation: "WebhookOutside", Details: finding.BackendDetails{Outside: outside}}
		return health.Backend{State: health.BackendUnknown, Words: words}, outside
	}
	service := webhook.ClientConfig.Service
	of := health.Service{Namespace: service.Namespace, Name: service.Name, Port: service.Port}
	return checker.Backend(ctx, of), fmt.Sprintf("Service %s, port %d", of.Path(), of.Number())
}

// emptied returns the namespace that is being emptied, if the object that isn't converted can be in it.
func emptied(ctx context.Context, reads *session.Session, held *Object, damage session.Damage) string {
	if !held.Is("", "Namespace") {
		return ""
	}
	if object, known := objectAt(ctx, reads, damage.Key); known && object.Ref.Namespace != held.Ref.Name {
		return ""
	}
	return held.Ref.Name
}

func restoreConversion(
	reads *session.Session, emptied string, crd *Object, definition *session.Definition, found health.Backend,
) []Remedy {
	remedies := slices.Clone(found.Remedies)
	if len(remedies) == 0 {
		remedies = []Remedy{{Step: "SeeConversion", Command: reads.Kubectl.Command(crd, "describe")}}
	}
	if stored, only := definition.StoredIn(); only {
		remedies = append(remedies, throughStorage(reads, emptied, definition, stored))
	}
	const patch = `{"spec":{"conversion":{"strategy":"None","webhook":null}}}`
	return append(remedies, Remedy{
		Step: "ConvertWithout", Risk: finding.DataLoss,
		Command: reads.Kubectl.Command(crd, "patch", "--type", "merge", "-p", patch),
	})
}

// throughStorage reaches objects through the version that they are stored in, which needs no conversion.
func throughStorage(reads *session.Session, emptied string, definition *session.Definition, stored string) Remedy {
	kind := definition.Spec.Names.Plural + "." + stored + "." + definition.Spec.Group
	step := Remedy{Step: "ReadThroughStorage", Details: finding.StepDetails{Name: stored}}
	words := []string{"get", kind}
	switch {
	case emptied != "":
		step.Step = "DeleteThroughStorage"
		words = []string{"-n", emptied, "delete", kind, "--all", "--wait=false"}
	case definition.Spec.Scope == "Namespaced":
		words = append(words, "-A")
	}
	step.Command = reads.Kubectl.Prefix(finding.Ref{}, words...)
	return step
}

package health

import (
	"cmp"
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// refused answers for a workload of whose pods the API server refuses to create any, by what it said. The words are
// those of kube-apiserver's admission plugins, which are given beside each.
func (c *Checker) refused(
	ctx context.Context, workload *session.Object, message string, evidence finding.Evidence,
) Outage {
	state := finding.WorkloadState{Words: withoutSubject(message)}
	byWebhook := func(
		reads *session.Session, _ *session.Object, state finding.WorkloadState,
	) (finding.Phrase, finding.Remedy) {
		return webhookRefuses(ctx, reads, state)
	}
	found := Outage{Evidence: []finding.Evidence{evidence.Ranked(finding.Told)}} // the message quotes it
	type judges func(*session.Session, *session.Object, finding.WorkloadState) (finding.Phrase, finding.Remedy)
	for _, judge := range []judges{
		podsLackObject, quotaRefuses, levelRefuses, policyRefuses, byWebhook, limitsRefuse,
	} {
		words, first := judge(c.Session, workload, state)
		if words.Situation != "" {
			found.Words, found.Remedies = words, []finding.Remedy{first}
			if raise := raiseQuota(c.Session, words); raise != nil {
				found.Remedies = raise
			}
			noLongerRefused(ctx, c.Session, workload, &found)
			return found
		}
	}
	found.Words = finding.Phrase{Situation: "CannotCreatePods", Details: state}
	found.Remedies = []finding.Remedy{findWhyNoPods(c.Session, workload)}
	return found
}

func findWhyNoPods(reads *session.Session, workload *session.Object) finding.Remedy {
	return finding.Remedy{
		Step: "FindWhyNoPods", Details: finding.StepDetails{Object: &workload.Ref},
		Command: reads.Kubectl.Command(workload, "describe"),
	}
}

func podsLackObject(
	reads *session.Session, workload *session.Object, state finding.WorkloadState,
) (phrase finding.Phrase, first finding.Remedy) {
	state.Lacks = absentFor(workload.Ref.Namespace, state.Words)
	if state.Lacks == nil {
		return phrase, first
	}
	return finding.Phrase{Situation: "PodsLackObject", Details: state}, create(reads, state.Lacks, workload)
}

func quotaRefuses(
	reads *session.Session, workload *session.Object, state finding.WorkloadState,
) (phrase finding.Phrase, first finding.Remedy) {
	name := statuses.RefusingQuota(state.Words)
	if name == "" {
		return phrase, first
	}
	state.By = &finding.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: workload.Ref.Namespace, Name: name}
	first = finding.Remedy{
		Step: "RaiseQuota", Details: finding.StepDetails{Object: state.By},
		Command: reads.Kubectl.CommandFor(*state.By, "describe"),
	}
	if beyond(amounts(upTo(state.Words, "requested: ", " ")), amounts(upTo(state.Words, "limited: ", " "))) {
		first.Step = "OnlyRaiseQuota" // it has no room for a pod even when nothing else counts
	}
	return finding.Phrase{Situation: "PodsNotAllowed", Details: state}, first
}

// levelRefuses reads k8s v1.37 staging/src/k8s.io/pod-security-admission/admission/admission.go:EvaluatePod.
func levelRefuses(
	reads *session.Session, workload *session.Object, state finding.WorkloadState,
) (phrase finding.Phrase, first finding.Remedy) {
	state.Level, state.By = upTo(state.Words, `violates PodSecurity "`, `"`), namespaceOf(workload)
	if state.Level == "" {
		return phrase, first
	}
	return finding.Phrase{Situation: "PodsViolateLevel", Details: state}, finding.Remedy{
		Step: "ConformToLevel", Details: finding.StepDetails{Object: state.By},
		Command: reads.Kubectl.CommandFor(*state.By, "get", "--show-labels"),
	}
}

// policyRefuses reads …/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go:Dispatch.
func policyRefuses(
	reads *session.Session, _ *session.Object, state finding.WorkloadState,
) (phrase finding.Phrase, first finding.Remedy) {
	name := upTo(state.Words, "ValidatingAdmissionPolicy '", "'")
	if name == "" {
		return phrase, first
	}
	const version = "admissionregistration.k8s.io/v1"
	state.By = &finding.Ref{APIVersion: version, Kind: "ValidatingAdmissionPolicy", Name: name}
	return finding.Phrase{Situation: "PodsNotAllowed", Details: state}, finding.Remedy{
		Step: "SeePodPolicy", Details: finding.StepDetails{Object: state.By},
		Command: reads.Kubectl.CommandFor(*state.By, "get", "-o", "yaml"),
	}
}

// webhookRefuses reads …/apiserver/pkg/admission/plugin/webhook/errors/statuserror.go:ToStatusErr, and
// …/apiserver/pkg/util/webhook/error.go:ErrCallingWebhook.
func webhookRefuses(
	ctx context.Context, reads *session.Session, state finding.WorkloadState,
) (phrase finding.Phrase, first finding.Remedy) {
	denies, fails := upTo(state.Words, `admission webhook "`, `"`), upTo(state.Words, `failed calling webhook "`, `"`)
	if state.Webhook = cmp.Or(denies, fails); state.Webhook == "" {
		return phrase, first
	}
	state.By = configurationOf(ctx, reads, state.Webhook)
	switch {
	case denies != "":
		phrase = finding.Phrase{Situation: "PodsDeniedByWebhook", Details: state}
	case fails != "":
		phrase = finding.Phrase{Situation: "PodsAwaitWebhook", Details: state}
	}
	details := finding.StepDetails{Name: state.Webhook, Unanswered: denies == "", Object: state.By}
	if state.By != nil {
		see := reads.Kubectl.CommandFor(*state.By, "get", "-o", "yaml")
		return phrase, finding.Remedy{Step: "SeePodWebhook", Details: details, Command: see}
	}
	const configurations = "validatingwebhookconfigurations,mutatingwebhookconfigurations"
	return phrase, finding.Remedy{
		Step: "SeePodWebhook", Details: details,
		Command: reads.Kubectl.Prefix(finding.Ref{}, "get", configurations, "-o",
			"custom-columns=KIND:.kind,NAME:.metadata.name,WEBHOOKS:.webhooks[*].name"),
	}
}

// configurationOf returns the configuration that has a webhook; nil where none or several have it, or that can't be
// read.
func configurationOf(ctx context.Context, reads *session.Session, webhook string) (found *finding.Ref) {
	for _, registered := range reads.AdmissionRules(ctx).Hooks {
		switch {
		case registered.Hook.Name != webhook:
		case found != nil && *found != registered.Configuration.Ref:
			return nil
		default:
			found = &registered.Configuration.Ref
		}
	}
	return found
}

// limitsRefuse reads k8s v1.37 plugin/pkg/admission/limitranger/admission.go:minConstraint and its like.
func limitsRefuse(
	reads *session.Session, workload *session.Object, state finding.WorkloadState,
) (phrase finding.Phrase, first finding.Remedy) {
	if !strings.Contains(state.Words, "imum ") || !strings.Contains(state.Words, " usage per ") {
		return phrase, first
	}
	state.By = namespaceOf(workload)
	return finding.Phrase{Situation: "PodsBeyondLimits", Details: state}, finding.Remedy{
		Step: "FitLimits", Details: finding.StepDetails{Object: &workload.Ref},
		Command: reads.Kubectl.Prefix(workload.Ref, "describe", "limitranges"),
	}
}

func namespaceOf(workload *session.Object) *finding.Ref {
	return &session.Named(cluster.Namespaces(), "", workload.Ref.Namespace).Ref
}

// absentFor returns what a pod can't be created without, if a message says that it isn't there (k8s v1.37
// plugin/pkg/admission/serviceaccount, priority and runtimeclass, each in admission.go).
func absentFor(namespace, message string) *finding.Ref {
	if lacks := absent(namespace, message); lacks != nil {
		return lacks
	}
	if name := upTo(message, "no PriorityClass with name ", " "); name != "" {
		return &finding.Ref{APIVersion: "scheduling.k8s.io/v1", Kind: "PriorityClass", Name: name}
	}
	if name := upTo(message, `RuntimeClass "`, `"`); name != "" && strings.Contains(message, "not found") {
		return &finding.Ref{APIVersion: "node.k8s.io/v1", Kind: "RuntimeClass", Name: name}
	}
	return nil
}

// absent returns the object in a namespace that is not found according to a message: RESOURCE "NAME" not found.
func absent(namespace, message string) *finding.Ref {
	for _, kind := range []string{"ServiceAccount", "ConfigMap", "Secret", "PersistentVolumeClaim"} {
		for _, resource := range []string{strings.ToLower(kind), strings.ToLower(kind) + "s"} {
			name := upTo(message, resource+` "`, `"`)
			if name != "" && strings.Contains(message, resource+` "`+name+`" not found`) {
				return &finding.Ref{APIVersion: "v1", Kind: kind, Namespace: namespace, Name: name}
			}
		}
	}
	return nil
}

// create is how to give a workload or a pod what it lacks. A ServiceAccount needs no content; for everything else, the
// existing ones show what may have been meant.
func create(reads *session.Session, lacks *finding.Ref, object *session.Object) finding.Remedy {
	details := finding.StepDetails{Object: lacks, Other: &object.Ref}
	if owner := metav1.GetControllerOf(object.Meta); owner != nil {
		details.Name = owner.Kind
	}
	if lacks.Kind == "ServiceAccount" {
		command := reads.Kubectl.Prefix(*lacks, "create", "serviceaccount", lacks.Name)
		return finding.Remedy{Step: "CreateAccount", Details: details, Command: command}
	}
	resource := strings.ToLower(lacks.Kind) + "s"
	if lacks.Kind == "PriorityClass" || lacks.Kind == "RuntimeClass" {
		resource = strings.ToLower(lacks.Kind) + "es." + lacks.Group()
	}
	command := reads.Kubectl.Prefix(*lacks, "get", resource)
	return finding.Remedy{Step: "CreateLacking", Details: details, Command: command}
}

// withoutSubject is a message without what it begins with: which pod with an unknown name was forbidden.
func withoutSubject(message string) string {
	if _, reason, found := strings.Cut(message, " is forbidden: "); found {
		return reason
	}
	return message
}

// upTo returns what a text has after some words, up to the first of some characters; empty where it hasn't these words.
func upTo(text, after, end string) string {
	_, rest, found := strings.Cut(text, after)
	if !found {
		return ""
	}
	if at := strings.IndexAny(rest, end); at >= 0 {
		return rest[:at]
	}
	return rest
}

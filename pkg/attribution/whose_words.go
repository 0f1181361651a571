package attribution

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// voices says whose words are in a held object's status and events: the controller's, or those of others.
type voices struct {
	search *search
	object *session.Object
	hold   finding.Hold
}

func (h *held) voices() voices { return voices{&h.search, h.object, h.hold} }

// report returns the first of the errors that own returns.
func (v voices) report() (statuses.Report, bool) {
	if own := v.own(); len(own) > 0 {
		return own[0], true
	}
	return statuses.Report{}, false
}

// own are the errors in the held object's status in the controller's voice, except what is about what was before the
// deletion.
func (v voices) own() (own []statuses.Report) {
	if v.object.Whole == nil {
		return nil
	}
	// The status is another controller's, unless this one wrote the words under its own name.
	foreign := v.search.byDomain && v.search.criteria.known == nil || ofKubernetes(v.object)
	if report, speaks := declared(*v.search, v.object); speaks {
		own = append(own, report)
	}
	for _, report := range v.reports() {
		if !report.Before && (!foreign || v.byCandidate(report)) {
			own = append(own, report)
		}
	}
	return own
}

// ofKubernetes reports whether an object's status is the kubelet's or kube-controller-manager's: a Pod that failed, or
// a Namespace whose content can't be deleted, is no report about its finalizer.
func ofKubernetes(object *session.Object) bool {
	return object.Resource.Group == "" &&
		slices.Contains([]string{"pods", "nodes", "namespaces"}, object.Resource.Resource)
}

// byCandidate reports whether the program that was found wrote something of the status under its own name.
func (v voices) byCandidate(report statuses.Report) bool {
	c := v.search.found.candidate
	return c != nil && slices.ContainsFunc(report.By, func(by string) bool {
		return (writers.Setter{Manager: by}).Concrete() && (c.isCalled(by) || sameProgram(by, c.account.Name))
	})
}

// toldBySetter reports whether a program that set the finalizer wrote something of the status.
func toldBySetter(criteria criteria, report statuses.Report) bool {
	return slices.ContainsFunc(report.By, func(by string) bool { return slices.Contains(criteria.managers, by) })
}

// reports are the errors in the status, except what others are known to have written.
func (v voices) reports() []statuses.Report {
	return slices.DeleteFunc(statuses.Reports(v.object.Whole), v.byOthers)
}

// byOthers reports whether only others wrote something of the status.
func (v voices) byOthers(report statuses.Report) bool {
	if len(report.By) == 0 || v.search.found.candidate.quotesDenial(report.Words) {
		return false
	}
	return !slices.ContainsFunc(report.By, func(by string) bool { return !v.others(by) })
}

// saidByOthers quotes what others than known observers wrote to the status since the deletion.
func (v voices) saidByOthers() (evidence []finding.Evidence) {
	if v.object.Whole == nil || v.search.criteria.kindOfKubernetes() {
		return nil
	}
	for _, report := range statuses.Reports(v.object.Whole) {
		if report.Seen && v.byOthers(report) && !slices.ContainsFunc(report.By, v.search.finder.Plugins.Observes) {
			evidence = append(evidence, v.reported(report))
		}
	}
	return evidence[:min(len(evidence), mostNamed)]
}

// sayings are what the status says in words, in the voice of its writer, if nothing has reported an error: quoted, and
// no more. Known observers are left out, and so is what was said before the deletion.
func sayings(search search, object *session.Object) (said []statuses.Report) {
	if object.Whole == nil || search.criteria.kindOfKubernetes() {
		return nil
	}
	for _, saying := range statuses.Sayings(object.Whole) {
		if len(saying.By) == 0 ||
			slices.ContainsFunc(saying.By, func(by string) bool {
				return !search.finder.Plugins.Observes(by) || search.found.candidate.isCalled(by)
			}) {
			said = append(said, saying)
		}
	}
	return said[:min(len(said), mostNamed)]
}

// saidEvidence quotes what the status says, trouble from before the deletion last, but for what is evidence already.
func (v voices) saidEvidence(known []finding.Evidence) (evidence []finding.Evidence) {
	for _, saying := range append(sayings(*v.search, v.object), v.earlierTrouble()...) {
		if !finding.Quotes(known, saying.Words) {
			evidence = append(evidence, v.reported(saying))
		}
	}
	if phase, tells := v.deletionPhase(); tells && !finding.Quotes(slices.Concat(known, evidence), phase.Words) {
		evidence = append(evidence, v.reported(phase))
	}
	return evidence
}

// deletionPhase is the state of the object that some program wrote since the deletion, and that speaks of it. It
// decides nothing: any program that shows states may write it.
func (v voices) deletionPhase() (statuses.Report, bool) {
	if v.object.Whole == nil || v.search.criteria.kindOfKubernetes() {
		return statuses.Report{}, false
	}
	return statuses.DeletionPhase(v.object.Whole)
}

// earlierTrouble is what the status told before the deletion, where the controller has said nothing since. It may be
// over: it blames no program.
func (v voices) earlierTrouble() []statuses.Report {
	if v.object.Whole == nil || v.search.criteria.kindOfKubernetes() {
		return nil
	}
	earlier := slices.DeleteFunc(v.reports(), func(report statuses.Report) bool { return !report.Before })
	return earlier[:min(len(earlier), mostNamed)]
}

// declared returns the error in the field that the catalogue gives for why the controller waits, if that was written
// with the deletion in view. What is not trouble, or older, is evidence and no more.
func declared(search search, object *session.Object) (statuses.Report, bool) {
	if search.criteria.known == nil {
		return statuses.Report{}, false
	}
	for _, field := range search.criteria.known.StatusFields {
		where := field.Says + ", in " + fieldName(field.Path)
		for _, value := range field.Values(object.Whole.Object) {
			if report, trouble := statuses.FieldReport(object.Whole, where, value); trouble && report.Seen {
				return report, true
			}
		}
	}
	return statuses.Report{}, false
}

// fieldName is a field of a JSONPath in words: the message of a condition is the condition.
func fieldName(path string) string {
	path = strings.Trim(path, "{}.")
	condition, is := strings.CutPrefix(path, `status.conditions[?(@.type=="`)
	if name, message := strings.CutSuffix(condition, `")].message`); is && message {
		return "condition " + name
	}
	return path
}

func (v voices) reported(report statuses.Report) finding.Evidence {
	when := "; it may be older than the deletion"
	switch {
	case !v.object.Terminating(), v.search.session.Foresees: // there is no deletion yet
		when = ""
	case report.Before:
		when = " (before the deletion)"
	case report.Seen && report.Unchanged:
		when = "; the condition last changed before the deletion"
	case report.Seen: // as a reader expects
		when = ""
	}
	if len(report.By) > 0 && v.byOthers(report) {
		when = " (from " + strings.Join(report.By, " and ") + ")" + when
	}
	evidence := session.ObservedOf(v.object, report.Where+": "+finding.Quoted(report.Words)+when).Quoting(report.Words)
	evidence.At = at(report.At)
	return evidence
}

// others reports whether a field manager is clearly not the controller: a person's tool, a known observer, or, if the
// controller is known, another account that RBAC shows. Programs that share a framework share its name, which says
// nothing.
func (v voices) others(manager string) bool {
	c := v.search.found.candidate
	switch {
	case v.search.criteria.known != nil && matchesAny(v.search.criteria.known.Managers, manager):
		return false
	case writers.WritesManifests(manager):
		return true
	case !(writers.Setter{Manager: manager}).Concrete() || v.named(c, manager):
		return false
	case v.search.finder.Plugins.Observes(manager):
		return true
	}
	return c != nil && v.search.finder.account(c.account, func(other string) bool {
		return other == manager || naming.Mentions(other, manager) && !naming.Vague(manager)
	})
}

// account reports whether RBAC shows a ServiceAccount, but for one, of a name that fits. It reads nothing: what was not
// read shows nothing.
func (f *Finder) account(but rbac.Subject, fits func(name string) bool) bool {
	grants := f.Grants()
	return grants != nil && slices.ContainsFunc(grants.Accounts(), func(subject rbac.Subject) bool {
		return subject != but && fits(subject.Name)
	})
}

// programNames are the names of pods and their containers, of what the pods were made by, and of the program that their
// labels name.
func programNames(pods []*corev1.Pod) (names []string) {
	for _, pod := range pods {
		names = append(names, pod.Name)
		if labelled := pod.Labels["app.kubernetes.io/name"]; labelled != "" {
			names = append(names, labelled)
		}
		for _, owner := range pod.OwnerReferences {
			names = append(names, strings.TrimSuffix(owner.Name, "-"+pod.Labels["pod-template-hash"]))
		}
		for _, container := range pod.Spec.Containers {
			names = append(names, container.Name)
		}
	}
	return names
}

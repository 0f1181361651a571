package removal

import (
	"context"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// loses says what is lost with one entry: what is known of the finalizer, what the object's own fields
// name, and what the diagnosis tells of the ways to be rid of it. It is never empty.
func (r *Remover) loses(ctx context.Context, around *mechanism.Tools, seen *look, hold finding.Hold) []string {
	if hold == contentHold() {
		return []string{fmt.Sprintf("whatever stands in %s: it stays in storage, where nothing can reach it, and comes back with a namespace of that name", seen.object.Ref)}
	}
	var loses []string
	add := func(text string) {
		if text = report.EscapeText(text); text != "" && !slices.Contains(loses, text) {
			loses = append(loses, text)
		}
	}
	if _, known := r.Plugins.Find(hold.Name, seen.object.Resource.GroupKind().String()); known {
		add(finding.Voice{}.Loss(around.Attribution.LosesOf(ctx, seen.object, hold)))
	}
	for _, cause := range seen.about(hold).causes {
		for _, remedy := range cause.Remedies {
			if remedy.Forces() && names(cause, hold) && cause.Reason != finding.ControllerUnknown { // which says that it doesn't know
				add(remedy.Loses)
			}
		}
	}
	unidentified := func(cause report.RootCause) bool {
		return cause.Reason == finding.ControllerUnknown && names(cause, hold)
	}
	if len(loses) == 0 && slices.ContainsFunc(seen.about(hold).causes, unidentified) {
		add(finding.Voice{}.Loss(around.Attribution.LosesUnidentified(ctx, seen.object)))
	}
	if len(loses) == 0 {
		add(finding.Voice{}.Loss(around.Attribution.LosesOf(ctx, seen.object, hold)))
	}
	return loses
}

// counted picks the words for one or for several.
func counted(count int, one, several string) string {
	if count == 1 {
		return one
	}
	return fmt.Sprintf(several, count)
}

// released offers the supported way to be rid of the garbage collector's own entries: a second DELETE.
func (r *Remover) released(object *session.Object, entries []finding.Hold) []finding.Remedy {
	remedies := []finding.Remedy{}
	for _, hold := range entries {
		if !collectorHold(hold) {
			continue
		}
		remedy := finding.Remedy{
			Action:  fmt.Sprintf("Delete %s again, in the background: the supported way to take off %s.", object.Ref, hold.Name),
			Command: r.Kubectl.Command(object, "delete", "--cascade=background", "--wait=false"),
			Risk:    finding.Disruption, Loses: "the order, children before their parent",
		}
		if hold.Name == metav1.FinalizerOrphanDependents {
			remedy.Risk, remedy.Loses = finding.DataLoss, "every dependent that still refers to it: they are COLLECTED, as with force"
		}
		remedies = append(remedies, remedy)
	}
	return remedies
}

// better returns what should be tried before force: the supported way, and what the diagnosis offers beside
// it, safest first. Where the supported way loses what the diagnosis may save, it comes last.
func (r *Remover) better(seen *look, entries []finding.Hold) []finding.Remedy {
	released, others := r.released(seen.object, entries), offered(seen, seen.object.Holds())
	if slices.ContainsFunc(released, func(remedy finding.Remedy) bool { return remedy.Risk == finding.DataLoss }) {
		return append(others, released...)
	}
	return append(released, others...)
}

// offered is what the diagnosis offers besides force, safest first.
func offered(seen *look, holds []finding.Hold) []finding.Remedy {
	remedies := []finding.Remedy{}
	for _, risk := range []finding.Risk{finding.NoRisk, finding.Disruption, finding.Orphans, finding.DataLoss} {
		for _, hold := range holds {
			for _, cause := range seen.about(hold).causes {
				for _, remedy := range cause.Remedies {
					if remedy.Risk == risk && !remedy.Forces() && !slices.ContainsFunc(remedies, remedy.Equal) {
						remedies = append(remedies, remedy)
					}
				}
			}
		}
	}
	return remedies
}

// addLosses names what else goes or stays with the object: dependents, content, instances.
func (r *Remover) addLosses(ctx context.Context, around *mechanism.Tools, one *item) error {
	object := one.seen.object
	dependents, unread, err := around.Session.Referrers(ctx, object)
	if err != nil {
		return err
	}
	for _, dependent := range dependents {
		one.view.Dependents = append(one.view.Dependents, dependent.Ref)
	}
	warn := func(format string, args ...any) {
		one.view.Warnings = append(one.view.Warnings, fmt.Sprintf(format, args...))
	}
	one.view.Warnings = append(one.view.Warnings, doubts(one)...)
	orphaning := slices.Contains(one.entries, finding.Hold{Type: finding.Finalizer, Name: metav1.FinalizerOrphanDependents})
	switch {
	case orphaning && len(dependents) > 0:
		warn("%s will be DELETED: --cascade=orphan asked to keep them, and with the entry gone the garbage collector collects all that still refer to %s. Strike the references first (see why).", counted(len(dependents), "Its dependent", "Its %d dependents"), object.Ref)
	case orphaning:
		warn("Any dependent that was overlooked will be DELETED: --cascade=orphan asked to keep them, and with the entry gone the garbage collector collects all that still refer to %s.", object.Ref)
	case len(dependents) > 0:
		warn("%s to it as an owner. When it is gone, the garbage collector deletes what has no other owner.", counted(len(dependents), "1 object refers", "%d objects refer"))
	}
	if len(unread) > 0 {
		warn("Whether objects of %s refer to it can't be told, which could not be listed (%s).", counted(len(unread), "1 kind", "%d kinds"), unlistedNames(unread))
	}
	if slices.Contains(one.entries, contentHold()) {
		one.view.Leftovers = one.seen.content
		if len(one.seen.content) > 0 {
			warn("It is not empty. What is left of it comes back with the next namespace of that name, deletionTimestamps and finalizers included: %s.", leftovers(one.seen.content))
		}
	}
	if object.Resource.GroupKind().String() == "CustomResourceDefinition.apiextensions.k8s.io" {
		instances := one.seen.beyond(finding.Hold{Type: finding.Finalizer, Name: instanceCleanup})
		if slices.ContainsFunc(one.entries, func(hold finding.Hold) bool { return hold.Name == instanceCleanup }) {
			warn("Its instances stay in storage, %d of them in view, where nothing can reach them. They come back with a definition of that name, deletionTimestamps and finalizers included.", len(instances))
		}
	}
	if slices.Contains(one.view.Remains, finding.Hold{Type: finding.GracePeriod}) {
		warn("It will not go by this: %ds of grace are still recorded, and a pod goes only when its kubelet has confirmed that it stopped, or it is deleted with --grace-period=0 --force.", object.GraceSeconds())
	}
	return nil
}

// instanceCleanup is the finalizer by which kube-apiserver deletes a definition's instances.
const instanceCleanup = "customresourcecleanup.apiextensions.k8s.io"

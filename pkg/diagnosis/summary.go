package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// told is how many causes the summary names; the others are counted.
const told = 2

// summary answers the question in one sentence.
func (r *run) summary(object *session.Object, verdict report.Verdict, groups []*group) string {
	var awaited []string
	for _, joined := range groups {
		awaited = append(awaited, joined.awaited())
	}
	switch {
	case verdict == report.NotTerminating:
		return r.alive(object)
	case verdict == report.Progressing:
		return r.sentence(object, verdict, joinAwaited(r.awaited(func(p *place) []session.Note { return p.progress }), object.Ref))
	case len(awaited) == 0:
		awaited = r.awaited(func(p *place) []session.Note { return p.open })
	}
	if object.Meta == nil {
		return fmt.Sprintf("%s can't be read, and so nobody can say whether it is being deleted. What is wrong is %s.", object.Ref, strings.Join(awaited, "; and "))
	}
	return r.sentence(object, verdict, joinAwaited(awaited, object.Ref))
}

// sentence says since when a Terminating object has waited, and for what.
func (r *run) sentence(object *session.Object, verdict report.Verdict, awaited string) string {
	age := duration.HumanDuration(max(0, r.world.Session.Now().Sub(object.RequestedAt())))
	if verdict == report.Progressing {
		return fmt.Sprintf("%s has been Terminating for %s and is on its way, waiting for %s.", object.Ref, age, awaited)
	}
	return fmt.Sprintf("%s has been Terminating for %s, waiting for %s.", object.Ref, age, awaited)
}

func (g *group) awaited() string {
	if len(g.causes) > 1 {
		return g.causes[0].Several(len(g.causes))
	}
	return g.causes[0].Awaited
}

// awaited collects what the notes of one sort wait for, each once, in the graph's order.
func (r *run) awaited(notes func(*place) []session.Note) []string {
	var awaited []string
	known := map[string]bool{}
	for node := range r.graph.Nodes() {
		for _, note := range notes(r.at(node)) {
			if !known[note.Awaited] {
				awaited = append(awaited, note.Awaited)
			}
			known[note.Awaited] = true
		}
	}
	return awaited
}

// joinAwaited makes one clause of several. The target, which was just named, is a pronoun in it.
func joinAwaited(awaited []string, target finding.Ref) string {
	if len(awaited) == 0 {
		return "something that was not found"
	}
	shown := strings.Join(awaited[:min(told, len(awaited))], "; and for ")
	shown = strings.ReplaceAll(shown, target.String(), "it")
	if more := len(awaited) - told; more > 0 {
		shown += fmt.Sprintf("; and for %d more, listed below", more)
	}
	return shown
}

// undeletable tells whether an object is one of the namespaces that the API server never deletes
// (k8s v1.37 apiserver/pkg/admission/plugin/namespace/lifecycle/admission.go).
func undeletable(object *session.Object) bool {
	if object.Resource.GroupResource() != cluster.Namespaces().GroupResource() {
		return false
	}
	return slices.Contains([]string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic}, object.Ref.Name)
}

func (r *run) describeHold(object *session.Object, hold finding.Hold) string {
	if hold.Type == finding.GracePeriod {
		return "its grace period, until its kubelet confirms that it has stopped"
	}
	if hold.Type == finding.SpecFinalizer && hold.Name == "kubernetes" {
		return "its content, all of which is deleted first"
	}
	if hold.Name == session.CleanupFinalizer {
		return "its instances in all namespaces, all of which are deleted first"
	}
	if known, found := r.world.Plugins.Find(hold.Name, object.Resource.GroupKind().String()); found {
		return describeKnown(hold.Name, known)
	}
	return hold.Name + ", which no plugin knows"
}

// briefly is the longest release condition that a summary tells; `explain` tells all.
const briefly = 80

func describeKnown(name string, known plugins.Finalizer) string {
	removes := fmt.Sprintf("%s, which %s removes", name, known.RemovedBy)
	if len(known.WaitsFor) <= briefly {
		removes += " when " + known.WaitsFor
	}
	if known.Verified.Doubt() != "" {
		removes += " (unverified)"
	}
	return removes
}

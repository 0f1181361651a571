package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// causesNamed is how many causes the summary names; the others are counted.
const causesNamed = 2

// voice composes sentences about an object; about none, sentences that stand alone.
func (r *run) voice(subject finding.Ref) finding.Voice {
	return finding.Voice{Now: r.world.Session.Now(), Subject: subject}
}

// summary answers the question in one sentence.
func (r *run) summary(object *session.Object, verdict report.Verdict, groups []*group) string {
	voice := r.voice(object.Ref)
	if object.Meta == nil { // the sentence names the object again
		voice = r.voice(finding.Ref{})
	}
	var awaits []string
	for _, joined := range groups {
		awaits = append(awaits, voice.AwaitsAll(joined.causes[0], len(joined.causes)))
	}
	every := r.graph.Numbers()
	switch {
	case verdict == report.NotTerminating:
		return r.alive(object)
	case verdict == report.Progressing:
		awaits = clauses(voice, r.findingsAt(every, func(p *place) []finding.Finding { return p.progress }))
	case len(awaits) == 0:
		awaits = clauses(voice, r.findingsAt(every, func(p *place) []finding.Finding { return p.open }))
	}
	if object.Meta == nil {
		return fmt.Sprintf("%s can't be read, and so nobody can say whether it is being deleted. What is wrong is %s.", object.Ref, strings.Join(awaits, "; and "))
	}
	return r.sentence(object, verdict, joinClauses(awaits))
}

// sentence says since when a Terminating object has waited, and for what.
func (r *run) sentence(object *session.Object, verdict report.Verdict, awaits string) string {
	age := r.voice(object.Ref).Ago(object.RequestedAt())
	if verdict == report.Progressing {
		return fmt.Sprintf("%s has been Terminating for %s and is on its way, waiting for %s.", object.Ref, age, awaits)
	}
	return fmt.Sprintf("%s has been Terminating for %s, waiting for %s.", object.Ref, age, awaits)
}

// findingsAt collects the findings of one sort at some nodes, each once.
func (r *run) findingsAt(nodes []int, of func(*place) []finding.Finding) (found []finding.Finding) {
	known := map[string]bool{}
	for _, node := range nodes {
		for _, one := range of(r.at(node)) {
			if !known[one.Identity()] {
				found = append(found, one)
			}
			known[one.Identity()] = true
		}
	}
	return found
}

// clauses say what findings are waited for.
func clauses(voice finding.Voice, found []finding.Finding) []string {
	awaits := make([]string, len(found))
	for i, one := range found {
		awaits[i] = voice.Awaits(one)
	}
	return awaits
}

// joinClauses makes one clause of several.
func joinClauses(awaits []string) string {
	if len(awaits) == 0 {
		return "something that was not found"
	}
	shown := strings.Join(awaits[:min(causesNamed, len(awaits))], "; and for ")
	if more := len(awaits) - causesNamed; more > 0 {
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

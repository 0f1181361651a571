package mechanism

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// fewVersions is up to how many APIServices are read one by one; more are read in one list.
const fewVersions = 3

// addUndiscovered answers for the group versions that can't be discovered: the namespace controller finishes no
// namespace while there is one, whatever is or isn't in it (docs/deletion.md#discovery-failures). Our own discovery
// says which ones fail now, whether or not a condition says so yet; what only a condition names is over.
func (c *content) addUndiscovered(ctx context.Context) {
	answer := Undiscovered(ctx, c.tools.Session, c.tools.Health, c.namespace, c.reported, c.undiscovered...)
	c.answer.Add(answer)
	switch servedKinds := c.tools.Session.ServedKinds(ctx); {
	case len(c.undiscovered) == 0, servedKinds.Partial != nil && !answer.Empty():
	case servedKinds.Partial != nil:
		c.answer.Add(session.Unread(finding.Unread{Aspect: finding.Discovery}, servedKinds.Partial, c.undiscovered...))
	case answer.Empty():
		c.answer.Add(retried(ctx, c.tools.Health, c.namespace, finding.Phrase{Situation: "GroupsDiscoveredAgain"}))
	}
}

// Undiscovered answers for the group versions that can't be discovered now: while there is one, no namespace is
// finished. namespace is the one that is asked about, or nil for any; said is what it says of that itself, and reported
// what it says of each version: that counts where discovery was not asked.
func Undiscovered(
	ctx context.Context, reads *session.Session, checker *health.Checker, namespace *Object,
	reported map[schema.GroupVersion]string, said ...Evidence,
) (answer Answer) {
	servedKinds, err := reads.Reader.ServedKinds(ctx)
	if err != nil {
		return session.Unread(finding.Unread{Aspect: finding.Discovery}, err)
	}
	servedKinds.AskAll()
	failures := map[schema.GroupVersion]string{}
	if servedKinds.Partial != nil {
		maps.Copy(failures, reported)
	}
	for version, failure := range servedKinds.Failed {
		failures[version] = failure.Error()
	}
	byName := func(a, b schema.GroupVersion) int { return strings.Compare(a.String(), b.String()) }
	failing := slices.SortedFunc(maps.Keys(failures), byName)
	services, err := apiServices(ctx, reads, failing)
	if cluster.NotRecorded(err) && len(said) > 0 {
		return undiscoveredByReport(reads, failing, failures, said)
	}
	if err != nil {
		versions := finding.Each(failing, schema.GroupVersion.String)
		return session.Unread(finding.Unread{Aspect: finding.FailedGroups, Kinds: versions}, err, said...)
	}
	for _, version := range failing {
		one := undiscoverable{
			version: version, failure: failures[version], object: services[version],
			together: together(services, services[version]),
		}
		answer.Add(explainUndiscoverable(ctx, reads, checker, namespace, one, said))
	}
	return answer
}

// undiscoveredByReport answers for group versions that can't be discovered by the report of a namespace, where their
// APIServices were not recorded: only what serves a group through an APIService can fail alone.
func undiscoveredByReport(
	reads *session.Session, failing []schema.GroupVersion, failures map[schema.GroupVersion]string, said []Evidence,
) (answer Answer) {
	for _, version := range failing {
		at := session.Named(cluster.APIServices(), "", version.Version+"."+version.Group)
		about := finding.GroupVersionDetails{Version: version.String(), Words: failures[version]}
		remove := reads.Kubectl.Prefix(at.Ref, "delete", at.Resource.QualifiedName())
		answer.Add(session.AwaitAnswer(at, Finding{
			Reason: finding.APIServiceUnavailable, Situation: "APIServiceReportedDown", Object: at.Ref, Details: about,
			Certainty: finding.Likely, Evidence: said, Key: finding.KeyOf("APIServiceReportedDown", about.Words),
			Remedies: []Remedy{
				{Step: "SeeAPIService", Command: reads.Kubectl.Command(at, "describe")},
				{
					Step: "DeleteAPIServices", Details: about, Risk: finding.Orphans,
					Command: append(remove, at.Ref.Name),
				},
			},
		}))
	}
	return answer
}

type byVersion map[schema.GroupVersion]*Object

// apiServices returns the APIServices of some versions; nil stands for one that doesn't exist.
func apiServices(ctx context.Context, reads *session.Session, versions []schema.GroupVersion) (byVersion, error) {
	found := byVersion{}
	if len(versions) > fewVersions {
		// What was listed is remembered, so that the reads below cost nothing.
		if _, err := reads.Reader.List(ctx, cluster.APIServices(), "", cluster.Selector{}); err != nil {
			return nil, err
		}
	}
	for _, version := range versions {
		object, err := reads.Reader.Get(ctx, cluster.APIServices(), "", version.Version+"."+version.Group)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err == nil {
			found[version], err = session.FromWhole(cluster.APIServices(), object)
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

type undiscoverable struct {
	version  schema.GroupVersion
	failure  string
	object   *Object  // its APIService, or nil
	together []string // the names of all failing APIServices of the same backend
}

func together(services byVersion, object *Object) []string {
	if object == nil {
		return nil
	}
	var names []string
	of, _, _ := unstructured.NestedFieldNoCopy(object.Whole.Object, "spec", "service")
	for _, other := range services {
		service, _, _ := unstructured.NestedFieldNoCopy(other.Whole.Object, "spec", "service")
		if reflect.DeepEqual(of, service) {
			names = append(names, other.Ref.Name)
		}
	}
	slices.Sort(names)
	return names
}

// undiscoverable answers for one group version whose discovery fails.
func explainUndiscoverable(
	ctx context.Context, reads *session.Session, checker *health.Checker, namespace *Object, one undiscoverable,
	said []Evidence,
) Answer {
	about := finding.GroupVersionDetails{Version: one.version.String(), Words: one.failure}
	unserved := Finding{Situation: "GroupUndiscovered", Details: about, Evidence: said}
	if one.object == nil {
		return session.Open(unserved)
	}
	registered, err := session.As[health.APIService](one.object.Whole)
	switch {
	case err != nil:
		return session.Unread(finding.UnreadObject(one.object.Ref), err, said...)
	case registered.Spec.Service == nil:
		return session.Open(unserved)
	}
	available := registered.Available()
	since := available.LastTransitionTime.Time
	if available.Status == "True" && reads.Now().Sub(since) < session.Patience {
		about.Since = &since
		return session.Progress(Finding{Situation: "DiscoveryFollows", Object: one.object.Ref, Details: about})
	}
	down := apiServiceDown(reads, namespace, one, registered, checker.Backend(ctx, registered.Backend()), said)
	if one.object.Terminating() {
		return apiServiceGoing(one.object, down)
	}
	return session.AwaitAnswer(one.object, down)
}

// apiServiceGoing answers for an APIService that is being deleted itself: discovery doesn't fail for it once it is
// gone, so what holds it is the deeper cause. That it would be served again is the other way out.
func apiServiceGoing(object *Object, down Finding) Answer {
	note := Finding{
		Situation: "APIServiceGoing", Object: object.Ref, Details: down.Details, Evidence: down.Evidence,
		Key: finding.KeyOf("APIServiceGoing", object.Ref),
	}
	for _, step := range down.Remedies {
		if !finding.Is(step.Step, finding.Deletes) { // another program has
			note.Remedies = append(note.Remedies, step)
		}
	}
	return Answer{Waits: []Wait{{Blocker: object}}, Remarks: []Finding{note}}
}

// apiServiceDown is the cause of every namespace that can't be finished because one API group can't be discovered.
func apiServiceDown(
	reads *session.Session, namespace *Object, one undiscoverable, registered *health.APIService, found health.Backend,
	said []Evidence,
) Finding {
	object, available := one.object, registered.Available()
	about, certainty := whyUnavailable(available, found)
	about.Version, about.Words = one.version.String(), one.failure
	about.Inside = namespace != nil && registered.Spec.Service.Namespace == namespace.Ref.Name
	failed := finding.Observed("discovery", "%s: %s", one.version, one.failure).Ranked(finding.Second)
	evidence := append(slices.Clone(said), failed)
	if available.Type != "" {
		const observed = "condition Available is %s: %s: %s"
		said := object.Ref.Observed(observed, available.Status, available.Reason, available.Message)
		evidence = append(evidence, said.When(available.LastTransitionTime.Time))
	}
	remedies := slices.Clone(found.Remedies)
	if len(remedies) == 0 {
		remedies = []Remedy{{Step: "SeeAPIService", Command: reads.Kubectl.Command(object, "describe")}}
	}
	cause := Finding{
		Reason: finding.APIServiceUnavailable, Situation: "APIServiceDown", Object: object.Ref, Certainty: certainty,
		Details: about, Key: backendKey(registered, about), Evidence: append(evidence, found.Evidence...),
	}
	about.Together = len(one.together)
	command := reads.Kubectl.Prefix(object.Ref, "delete", object.Resource.QualifiedName())
	cause.Remedies = append(remedies, Remedy{
		Step: "DeleteAPIServices", Details: about, Command: append(command, one.together...), Risk: finding.Orphans,
	})
	return cause
}

// backendKey is the same for APIServices of one backend that fail alike: it often serves several versions.
func backendKey(registered *health.APIService, about finding.GroupVersionDetails) string {
	path := registered.Backend().Path()
	if about.Backend != nil || about.Available == string(metav1.ConditionTrue) {
		return finding.KeyOf("APIServiceDown", path, about.Backend != nil)
	}
	return finding.KeyOf("APIServiceDown", path, about.Reason, about.Said)
}

// whyUnavailable goes as deep as the evidence reaches: to the backend, or to what kube-apiserver says
// of it (k8s v1.37 kube-aggregator/pkg/controllers/status/remote/remote_available_controller.go:sync).
func whyUnavailable(is metav1.Condition, found health.Backend) (finding.GroupVersionDetails, finding.Certainty) {
	about := finding.GroupVersionDetails{Available: string(is.Status), Reason: is.Reason, Said: is.Message}
	if found.State == health.BackendBroken {
		about.Backend = &found.Words
	}
	if is.Status == metav1.ConditionTrue || about.Backend == nil && is.Reason == "" {
		return about, finding.Likely
	}
	return about, finding.Proven
}

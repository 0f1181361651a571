package mechanism

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/controller"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
)

// installation is what a definition tells of how its kind came into the cluster. Labels can lie after a
// migration, and Helm's crds folder leaves none (deletion-mechanics D-7).
type installation struct {
	release, namespace string // of Helm
	app                string // app.kubernetes.io/name
	operator           string // of the Operator Lifecycle Manager: PACKAGE.NAMESPACE
}

// traces looks for a controller to which RBAC doesn't lead: by what the definition says of its origin, by
// Leases, and by the names in workloads, which never prove anything. It answers false when one of these
// can't be read.
func (s *search) traces(ctx context.Context) (found []*candidate, read bool) {
	if err := s.readDefinition(ctx); err != nil {
		return nil, s.cannot("the definition of "+s.object.Resource.QualifiedName(), err)
	}
	leases, err := s.leasesIn(ctx, "")
	if err != nil {
		return nil, s.cannot("Leases", err)
	}
	s.sayLeases(leases)
	deployments, err := listServed[appsv1.Deployment](ctx, s.World, "apps", "deployments", "", cluster.Selector{})
	if err != nil {
		return nil, s.cannot("Deployments", err)
	}
	for _, one := range deployments {
		if c := s.workloadCandidate(ctx, one, leases); c != nil {
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
	if len(found) == 0 {
		s.evidence = append(s.evidence, graph.Evidence{Source: "Deployments", Observed: "none goes by the name of " + s.object.Resource.Group + ", or mentions it"})
	}
	return found, true
}

// readDefinition reads what the CustomResourceDefinition tells. A kind of an aggregated API has none.
func (s *search) readDefinition(ctx context.Context) error {
	crd := Named(cluster.CustomResourceDefinitions(), "", s.object.Resource.QualifiedName())
	whole, err := s.Reader.Get(ctx, crd.Resource, "", crd.Ref.Name)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	say := func(observed string) { s.evidence = append(s.evidence, observedOf(crd, observed)) }
	s.came = installation{
		release: whole.GetAnnotations()["meta.helm.sh/release-name"], namespace: whole.GetAnnotations()["meta.helm.sh/release-namespace"],
		app: cmp.Or(whole.GetLabels()["app.kubernetes.io/part-of"], whole.GetLabels()["app.kubernetes.io/name"]),
	}
	for label := range whole.GetLabels() {
		if operator, olm := strings.CutPrefix(label, "operators.coreos.com/"); olm {
			s.came.operator = operator
			say("installed by the Operator Lifecycle Manager: " + operator)
		}
	}
	if s.came.release != "" {
		say(fmt.Sprintf("belongs to the Helm release %s in %s", s.came.release, s.came.namespace))
	} else if s.came.app != "" {
		say("labelled as part of " + s.came.app)
	}
	return nil
}

// words are the names by which the object's project goes.
func (s *search) words() []string {
	words := append(controller.Project(s.object.Resource.Group), s.object.Resource.Group, s.came.release, s.came.app)
	for _, setter := range s.setters {
		if setter.Concrete() {
			words = append(words, setter.Manager)
		}
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

// sayLeases tells of Leases that go by the project's name.
func (s *search) sayLeases(leases []leaseItem) {
	for _, lease := range leases {
		if !s.namesProject(lease) {
			continue
		}
		s.evidence = append(s.evidence, s.leaseSays(lease))
		if leaseLive(lease.typed, s.Now()) {
			s.leased, s.possible = true, append(s.possible, lease.object.Ref)
		}
		s.lapsed = s.lapsed || !leaseLive(lease.typed, s.Now())
	}
}

func (s *search) namesProject(lease leaseItem) bool {
	return controller.Mentions(lease.object.Ref.Path(), s.words()...) || controller.Mentions(holderOf(lease.typed), s.words()...)
}

// workloadCandidate judges whether a Deployment may be the controller. One name in common is not enough:
// a project has other programs too.
func (s *search) workloadCandidate(ctx context.Context, one item[appsv1.Deployment], leases []leaseItem) *candidate {
	name, account := one.object.Ref.Name, one.typed.Spec.Template.Spec.ServiceAccountName
	c := &candidate{workload: one.object, namespace: one.object.Ref.Namespace}
	if account != "" {
		c.account = controller.Subject{Kind: "ServiceAccount", Namespace: c.namespace, Name: account}
	}
	hint := func(holds bool, weight int, why string) {
		if holds {
			c.score += weight
			c.hints = append(c.hints, why)
		}
	}
	setBy := slices.ContainsFunc(s.setters, func(setter controller.Setter) bool { return setter.Concrete() && setter.Manager == name })
	hint(setBy, 4, "has the name of the field manager that set the finalizer")
	hint(names(one.typed.Spec.Template, s.object.Resource.Group), 4, "mentions "+s.object.Resource.Group)
	hint(s.came.release != "" && one.object.Meta.Annotations["meta.helm.sh/release-name"] == s.came.release && c.namespace == s.came.namespace, 3, "belongs to the same Helm release")
	hint(slices.ContainsFunc(leases, func(lease leaseItem) bool {
		return lease.object.Ref.Namespace == c.namespace && strings.HasPrefix(holderOf(lease.typed), name+"-") && s.namesProject(lease)
	}), 3, "holds a Lease of that name")
	hint(controller.GoesBy(c.namespace, name, s.words()...) && (controller.Operates(name) || controller.Operates(c.namespace)), 3, "goes by the name of the project, and of an operator")
	hint(s.serviceOfGroup(ctx, c.namespace) != "", 1, "stands beside a webhook of the same API group")
	if c.score < 3 {
		return nil
	}
	c.evidence = append(c.evidence, observedOf(one.object, strings.Join(c.hints, ", and ")))
	return c
}

// instance returns the held object whole, unless it is live: then its status tells nothing yet. Many of one
// kind in one namespace are read in one request, and not in more than a few namespaces.
func (s *search) instance(ctx context.Context) error {
	if s.object.Whole != nil || secretive(s.object) || !s.object.Terminating() {
		return nil
	}
	if !custom(s.object.Resource.Group) {
		return s.readFields(ctx, s.object)
	}
	const few = 8
	place := s.object.Resource.String() + " " + s.object.Ref.Namespace
	s.mu.Lock()
	known := s.read[place]
	if !known && len(s.read) < few {
		if s.read == nil {
			s.read = map[string]bool{}
		}
		s.read[place], known = true, true
	}
	s.mu.Unlock()
	if !known {
		return nil
	}
	list, err := s.Reader.List(ctx, s.object.Resource, s.object.Ref.Namespace, cluster.Selector{})
	for i := range list {
		if string(list[i].GetUID()) == s.object.Ref.UID {
			s.object.Whole = &list[i]
		}
	}
	return err
}

// lastWords are the last writes to the held object by anything but people's tools, after it was deleted.
func (s *search) lastWords() (last controller.Written) {
	if written := controller.StatusWritten(s.object.Meta.ManagedFields); !(controller.Setter{Manager: written.Manager}).Manual() {
		last = written
	}
	for _, setter := range s.setters {
		if !setter.ByHand && setter.At.After(last.At) {
			last = controller.Written{Manager: setter.Manager, At: setter.At}
		}
	}
	if !last.At.After(s.object.RequestedAt()) {
		return controller.Written{}
	}
	return last
}

func writtenEvidence(object *Object, last controller.Written, ago string) graph.Evidence {
	at := last.At
	return graph.Evidence{Source: "managedFields", Observed: fmt.Sprintf("%s wrote to it %s ago, after the deletion", last.Manager, ago), Object: &object.Ref, At: &at}
}

// changed tells whether somebody other than people has written to an object since it was read.
func changed(before, now *metav1.PartialObjectMetadata) (string, bool) {
	for _, entry := range now.ManagedFields {
		if entry.Time != nil && !(controller.Setter{Manager: entry.Manager}).Manual() && entry.Time.After(lastWrite(before, entry.Manager)) {
			return entry.Manager, true
		}
	}
	return "", false
}

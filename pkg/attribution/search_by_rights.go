package attribution

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/limits"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// mostCandidates is how many candidates are examined: each costs two requests or three.
const mostCandidates = 3

// search is the search for the controller that should remove a finalizer
// (docs/deletion.md#evidence-about-a-controller). It knows nothing of the objects that are held but its criteria, so
// that one search answers for all that have them in common.
type search struct {
	finder   *Finder
	session  *session.Session
	health   *health.Checker
	criteria criteria
	found    decision // what it came to
	// byDomain says that the finalizer's domain leads the search, and not rights on the held object's kind, which many
	// may write beside the finalizer's controller.
	byDomain bool

	subjects subjects
	leads    leads
	evidence []finding.Evidence // of what was asked, in that order
	failed   []finding.Unread   // nothing may be concluded without it
	met      []*candidate       // examined, in that order
	gone     []*candidate       // of these, the ones that are not there
	equals   []*candidate       // who may be it just as well as the one that was chosen
	rivals   []*candidate       // who may be it too, the likelier first
	shared   []*candidate       // programs of one ServiceAccount, one of them probably the controller
	possible []finding.Ref      // who may be the controller: they run, or that was not looked at
	limits   []limits.Limit     // of the programs that were met, as their templates tell
	// elsewhere are programs that act on other objects of the kind: they are no candidates.
	elsewhere []instance
	// lookedAt is what was read for traces of any controller, and notLookedAt where else there may be some.
	lookedAt, notLookedAt []string
}

// subjects are those to whom RBAC grants something, by what it is.
type subjects struct {
	writers  []*candidate   // who may remove the finalizer, by rules about this resource or its group
	limited  []*candidate   // who may do something else with it, by such rules
	ordinary []*candidate   // who may because they may do everything
	outside  []string       // users and groups who may by such rules
	users    []*rbac.Access // the users among these
	// administrators are users and groups who may because they may do everything, beside the control plane's own.
	administrators []string
	everyone       *finding.Programs // a group of ServiceAccounts that may: all, or those of a namespace
	groups         []*rbac.Access    // groups of ServiceAccounts that may
	passed         []string          // who has a role for the related groups, and could not remove the finalizer
	readers        bool              // programs may read the kind, as a controller that has lost its other rights
	readBy         []finding.Ref     // the ServiceAccounts of these that RBAC names
	namesakes      []*candidate      // workloads named as the controller would be, with nothing else that says so
	noRights       *finding.Phrase   // what RBAC grants if it lets no account do it
}

// leads are what leads to the finalizer's project beside RBAC.
type leads struct {
	// project is the resource whose group is asked about: the held object's, or the closest to the finalizer's domain.
	project cluster.Resource
	domain  string // of the finalizer
	// catalogued says that the catalogue knows the project, or another finalizer of the same registered domain.
	catalogued bool
	related    []string        // the API groups to which it leads, of a kind of Kubernetes' own
	kinship    naming.Relation // of these to the domain
	owner      []string        // words of the domain that name whose several projects are, and none of these
	// served are those of related that are served, but for the ones that only have an owner in common with it.
	served  []string
	nothing bool // nothing in the cluster has to do with that domain
	// setterUnseen says that nothing in the cluster has the name of the program that set the finalizer.
	setterUnseen bool

	classes    []limits.Class     // of the held object, where a program acts on other classes
	installed  installation       // what the definition says of where its kind comes from
	unlabelled bool               // the definition was read, and none of its labels and annotations tells a person more
	endpoints  []endpoint         // what answers for the API group
	liveLease  bool               // a live Lease has the name of the project
	leaders    []leaseItem        // the live Leases that have it
	seen       []finding.Evidence // of a storage driver, beside its controller
	oldLease   bool               // one that is not renewed does
	user       string             // as whom the program that set the finalizer acts, by its name
	untold     bool               // whether the holder of a live one is there could not be read
	ledUntil   time.Time          // when its last holder can have led at the latest
}

// rankByRights asks RBAC which accounts may remove the finalizer, and ranks them. It answers false if that is not
// clear.
func (s *search) rankByRights(ctx context.Context) bool {
	grants, err := s.finder.permissions(ctx)
	if err != nil {
		return s.cannot(finding.Unread{Aspect: finding.Rights}, err)
	}
	sees(s, "RBAC")
	resource := s.criteria.resource.GroupResource()
	s.leads.owner = ownerWords(s.criteria, grants, resource.Group, grants.Groups())
	for _, access := range grants.Access(resource, s.criteria.namespace) {
		s.sort(ctx, access)
	}
	addImpersonators(ctx, s, grants)
	preferNamedKind(s, grants)
	for _, access := range s.subjects.groups {
		if !s.addMembers(ctx, access) {
			return false
		}
	}
	sortByScore(s.subjects.writers, s.subjects.limited, s.subjects.ordinary)
	s.observeRights(resource.String())
	return true
}

// sort puts an account that RBAC grants something among the candidates, or elsewhere.
func (s *search) sort(ctx context.Context, access *rbac.Access) {
	switch {
	case access.Programs() && (access.Write || access.Ordinary.Write):
		s.subjects.groups = append(s.subjects.groups, access)
	case !access.Account():
		s.subjects.addOutside(access)
	case access.Write, s.criteria.somewhere() && len(access.Elsewhere) > 0:
		s.subjects.writers = append(s.subjects.writers, s.candidate(ctx, access))
	case access.Ordinary.Write:
		s.subjects.ordinary = append(s.subjects.ordinary, s.candidate(ctx, access))
	case access.Finalizers || access.Status || access.Read || len(access.Elsewhere) > 0:
		s.subjects.limited = append(s.subjects.limited, s.candidate(ctx, access))
	}
}

// addMembers makes candidates of the ServiceAccounts of a namespace that workloads there run as, where a binding grants
// something to all of them. Which of all ServiceAccounts of a cluster is meant, a binding doesn't tell.
func (s *search) addMembers(ctx context.Context, group *rbac.Access) bool {
	namespace := group.GroupNamespace()
	s.subjects.everyone = &finding.Programs{Group: group.Subject.String(), Namespace: namespace}
	s.possible = append(s.possible, refOf(group.Subject))
	if namespace == "" {
		return true
	}
	for _, resource := range cluster.WorkloadKinds() {
		list, err := session.ListServed[podRunner](
			ctx, s.session, resource.Group, resource.Resource, namespace, cluster.Selector{},
		)
		if err != nil {
			return s.cannot(finding.Unread{Kinds: []string{"workloads"}, Namespace: namespace}, err)
		}
		for _, item := range list {
			account := cmp.Or(item.Typed.Spec.Template.Spec.ServiceAccountName, "default")
			member := *group
			member.Subject = rbac.Subject{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: account}
			c := s.candidate(ctx, &member)
			c.workload = item.Object
			c.addTemplate(s.terms(), item.Object.Ref.Name, item.Typed.Spec.Template)
			s.subjects.addMember(c)
		}
	}
	return true
}

// addMember adds a candidate by what its group may, unless it has rights of its own.
func (s *subjects) addMember(c *candidate) {
	same := func(other *candidate) bool { return other.account == c.account && other.workload == nil }
	if slices.ContainsFunc(slices.Concat(s.writers, s.ordinary), same) {
		return
	}
	s.limited = slices.DeleteFunc(s.limited, same)
	if c.access.Write {
		s.writers = append(s.writers, c)
	} else {
		s.ordinary = append(s.ordinary, c)
	}
}

// addOutside remembers a user or a group, as which a controller outside the cluster may run.
func (s *subjects) addOutside(access *rbac.Access) {
	switch {
	case strings.HasPrefix(access.Name, "system:"):
	case access.Write:
		s.outside = append(s.outside, access.Subject.String())
		s.addUser(access)
	case access.Ordinary.Write:
		s.administrators = append(s.administrators, access.Subject.String())
	}
}

// observe adds to the evidence what was asked of the cluster as a whole.
func (s *search) observe(source, observed string) {
	s.evidence = append(s.evidence, finding.Observed(source, "%s", observed))
}

// note is observe of what wide output alone shows: how the search found a program, and where it found nothing.
func (s *search) note(source, observed string) {
	s.evidence = append(s.evidence, finding.Observed(source, "%s", observed).Ranked(finding.Second))
}

func sortByScore(lists ...[]*candidate) {
	for _, list := range lists {
		slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Compare(b.score(), a.score()) })
	}
}

func at(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func voiceAsOf(reads *session.Session) finding.Voice { return finding.Voice{Now: reads.AsOf()} }

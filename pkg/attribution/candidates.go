package attribution

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/signs"
)

// candidate is a program that may be the controller.
type candidate struct {
	account rbac.Subject // empty for a workload that was found without RBAC
	access  *rbac.Access
	// operates says which API group of the finalizer's domain it operates or reads; owns, that it does as controllers
	// do.
	operates   *finding.Phrase
	role       string // by which it does: KIND NAMESPACE/NAME
	owns       bool
	byNameOnly bool // nothing but a name leads to it
	// notSetter says that another program set the finalizer, which is not seen, and that nothing ties this one to the
	// finalizer beside its rights.
	notSetter bool
	// unlikeSetter says that nothing but its rights ties it to the finalizer, which another name set that is not seen.
	unlikeSetter bool
	ofKindOnly   bool // nothing leads to it but that it manages the held object's kind; the finalizer is another project's
	// perhapsBeyond says that its template may leave the held object out.
	perhapsBeyond bool
	// through is the account with the rights, if its own has none and it may act as that one.
	through   rbac.Subject
	granted   signs.List // its specific rights on the kind, which weigh, and are no reason to take it for the one
	signs     signs.List
	nominated int // its score before it was examined
	namespace string

	state    candidateState
	workload *session.Object
	former   *session.Object // what was the workload before its namespace was deleted, which starts no pods any more
	pods     []*corev1.Pod   // that live
	ended    []*corev1.Pod   // of its pods the ones that have finished or failed
	holder   string          // of its Lease
	programs []string        // what its pods and their containers are called
	status   finding.Phrase  // completes "Deployment x …"
	evidence []finding.Evidence
	remedies []finding.Remedy
	stale    bool   // its leader Lease was not renewed
	quiet    *quiet // why it probably does nothing, although it has ready pods
	// unsure is what could not be read of its account, without which it is not known whether the API server lets it in.
	unsure *finding.Unread
	// allowed says that the API server allows the removal where RBAC alone doesn't; denied, the other way round.
	allowed, denied bool
	// otherLogin says that it may act as another user than its account.
	otherLogin bool
	starting   bool      // its pod is so young that it may just be starting
	until      time.Time // when the first moment of its pod's Node ends, in which that may only be late; or zero
	node       string    // where it doesn't run, if it has a pod on each Node; else empty
	leads      bool      // it holds its Lease, and renews it
	led        string    // who held the project's Lease, and doesn't renew it: none of its pods
	// unclear are programs that share its ServiceAccount, the running ones first. Not all run, and nothing says which one
	// it is.
	unclear []*candidate
	// sharing are programs that share it, and were not chosen.
	sharing []*program
	// deciding is why the workload is taken for the controller, and none of the others that share its ServiceAccount.
	deciding *finding.Phrase
	// Its namespace is being deleted, or gone, which took it along.
	namespaceTerminating, namespaceGone bool
	deletedBefore                       bool // it is being deleted now, too, where something is foreseen
}

type candidateState string

const (
	candidateAlive candidateState = "alive"
	candidateDown  candidateState = "down"
	candidateIdle  candidateState = "idle" // its ServiceAccount exists, and nothing runs as it
	candidateGone  candidateState = "gone" // its ServiceAccount doesn't exist
	// candidateElsewhere: it acts on other objects of the kind, not on the held one.
	candidateElsewhere candidateState = "elsewhere"
	// candidateUnclear: several programs share its ServiceAccount, and it isn't clear which is the one, or how that
	// fares.
	candidateUnclear candidateState = "unclear"
)

func (c *candidate) String() string {
	if c.workload != nil {
		return c.workload.Ref.String()
	}
	return c.account.String()
}

// name is the name of the workload, or of the ServiceAccount where none is known.
func (c *candidate) name() string {
	if c.workload != nil {
		return c.workload.Ref.Name
	}
	return c.account.Name
}

// candidate ranks a ServiceAccount: by its rights first, then by what else points at it. Names alone prove nothing.
func (s *search) candidate(ctx context.Context, access *rbac.Access) *candidate {
	found := &candidate{
		account: access.Subject, access: access, namespace: access.Namespace,
		granted: rightSigns(access, s.criteria.resource.QualifiedName()),
	}
	for _, manager := range s.criteria.managers {
		switch {
		case sameProgram(manager, access.Name):
			found.points(signs.NamedAsSetter, finding.Clue{Name: manager})
		case alike(manager, access.Name):
			found.points(signs.NamedLikeSetter, finding.Clue{Name: manager})
		}
	}
	if s.criteria.known != nil && matchesAny(s.criteria.known.Namespaces, access.Namespace) {
		found.points(signs.InUsualNamespace, finding.Clue{Name: s.criteria.known.RemovedBy})
	}
	if hook := s.hookServedFrom(ctx, access.Namespace); hook != "" {
		found.points(signs.BesideWebhook, finding.Clue{Name: hook, Project: s.byDomain})
	}
	if len(access.Elsewhere) > 0 && !s.byDomain { // else many have such rights: by a Role for their own namespace
		found.points(signs.MayElsewhere, finding.Clue{Names: access.Elsewhere})
	}
	found.addNames(s.terms(), access.Name)
	if naming.LooksLikeOperator(access.Name) || naming.LooksLikeOperator(access.Namespace) {
		found.points(signs.NamedAsOperator, finding.Clue{})
	}
	return found
}

// addNames adds what a name of a candidate has in common with the project and with the kind.
func (c *candidate) addNames(t terms, name string) {
	if word := naming.WordOfName(c.namespace, name, t.ofProject()...); word != "" {
		c.signs = c.signs.With(signs.NamedAsProject, finding.Clue{Project: t.byDomain}, word)
	}
	if word := naming.Mentioned(name, t.ofKind()...); word != "" {
		c.signs = c.signs.With(signs.NamedAsKind, finding.Clue{}, word)
	}
}

// points adds a sign that points at a candidate.
func (c *candidate) points(kind signs.Kind, clue finding.Clue) { c.signs = c.signs.With(kind, clue) }

// score is what a candidate's rights and signs count for.
func (c *candidate) score() int { return c.granted.Score() + c.signs.Score() }

func (s *search) hookServedFrom(ctx context.Context, namespace string) string {
	for _, hook := range s.session.AdmissionRules(ctx).Hooks {
		service, inCluster := health.HookService(hook.Hook.ClientConfig)
		if inCluster && service.Namespace == namespace && s.terms().made(hook) && !onlySets(s.criteria, hook) {
			return hook.Hook.Name
		}
	}
	return ""
}

// ref is what a candidate is known by; nil for none.
func (c *candidate) ref() *finding.Ref {
	if c == nil {
		return nil
	}
	if c.workload != nil {
		return &c.workload.Ref
	}
	return c.accountRef()
}

func (c *candidate) accountRef() *finding.Ref { return new(refOf(c.account)) }

// refOf is the object that stands for a subject, or what RBAC calls it.
func refOf(subject rbac.Subject) finding.Ref {
	version := rbacv1.SchemeGroupVersion.String()
	if subject.Kind == rbacv1.ServiceAccountKind {
		version = "v1"
	}
	return finding.Ref{APIVersion: version, Kind: subject.Kind, Namespace: subject.Namespace, Name: subject.Name}
}

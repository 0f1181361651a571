package attribution

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// quietKind is why a program with ready pods probably does nothing.
type quietKind string

// The kinds.
const (
	leadsNoMore       quietKind = "LeadsNoMore" // its pod doesn't renew the Lease that it holds
	mayNotLeadLease   quietKind = "MayNotLead"  // the Lease ran out, and it may not write it
	lockIsTaken       quietKind = "LockIsTaken" // another program holds the lock that its arguments name
	restartsOften     quietKind = "RestartsOften"
	accountIsGone     quietKind = "AccountIsGone"
	accountIsRecreate quietKind = "AccountIsRecreated"
)

// quiet is why a program with ready pods probably does nothing, and since when. What it has written since shows the
// contrary.
type quiet struct {
	kind   quietKind
	since  time.Time
	lease  finding.Ref    // of one that may not lead
	status finding.Phrase // completes "Deployment x …"
}

// quietRow is what follows from a kind.
type quietRow struct {
	state    PresenceState
	silences bool // it is not at work on an object for sure, even if it has written since
	lasting  bool // what it has written doesn't count: it can't any more
}

func quietTable() map[quietKind]quietRow {
	return map[quietKind]quietRow{
		leadsNoMore:       {state: Down},
		mayNotLeadLease:   {state: Forbidden},
		lockIsTaken:       {state: Down},
		restartsOften:     {state: Down, silences: true},
		accountIsGone:     {state: Forbidden, lasting: true},
		accountIsRecreate: {state: Forbidden},
	}
}

// stop makes a candidate with ready pods one that is down.
func stop(s *search, c *candidate, pods []*corev1.Pod, why quiet) {
	c.state, c.status, c.quiet = candidateDown, why.status, &why
	if c.workload == nil {
		c.workload = health.FirstPod(pods)
	}
	c.remedies = restart(s.session, c.workload)
}

// settled is a decision about one object: a program with ready pods that probably does nothing is at work after all if
// it has written to the object since, or to another one of its kind.
func settled(ctx context.Context, h *held, found decision) decision {
	c := found.candidate
	if c == nil || c.quiet == nil || found.state != Running && found.state != Down {
		return found
	}
	row := quietTable()[c.quiet.kind]
	if row.lasting || !actedSince(ctx, h, c, c.quiet.since) {
		own := *c
		own.status, own.workload = c.quiet.status, cmp.Or(c.workload, health.FirstPod(c.pods))
		return decision{row.state, &own}
	}
	if c.state == candidateDown {
		own := *c
		c = &own
		c.state, c.stale, c.remedies = candidateAlive, false, nil
	}
	return decision{Running, c}
}

// actedSince reports whether who may be the controller has written to the held object since a time, or, if the object
// doesn't show that, to another one of its kind in its namespace. Objects of Kubernetes' own kinds are written by many.
func actedSince(ctx context.Context, h *held, c *candidate, since time.Time) bool {
	if since.IsZero() {
		return false
	}
	if writesOf(h, h.object.Meta, since) {
		return true
	}
	if h.search.criteria.kindOfKubernetes() || c.quiet.kind == restartsOften || h.object.Ref.Namespace == "" {
		return false
	}
	others, err := h.search.finder.siblings.Get(session.RowKey(h.object.Resource, h.object.Ref.Namespace, ""),
		func() ([]*session.Object, error) {
			return h.search.session.List(ctx, h.object.Resource, h.object.Ref.Namespace)
		})
	return err == nil && slices.ContainsFunc(others, func(one *session.Object) bool {
		return writesOf(h, one.Meta, since)
	})
}

// writesOf reports whether who may be the controller has written to an object since a time.
func writesOf(h *held, meta *metav1.PartialObjectMetadata, since time.Time) bool {
	if meta == nil {
		return false
	}
	fields := unobserved(&h.search, h.search.criteria.resource, meta.ManagedFields)
	return slices.ContainsFunc(fields, func(entry metav1.ManagedFieldsEntry) bool {
		by := entry.Manager
		manual := writers.WritesManifests(by) || strings.HasPrefix(by, "kube-")
		return entry.Time != nil && entry.Time.After(since) && !manual &&
			mayBeController(h.search, h.setters, by) && !h.voices().others(by)
	})
}

// unable is the cause of a controller that runs, and may not do its work for another reason than its rights on the held
// object's kind.
func unable(ctx context.Context, h *held, c *candidate) finding.Finding {
	cause := h.cause(finding.ControllerForbidden, c, unableRemedies(ctx, h.search, c))
	cause.Situation = "ControllerUnable"
	cause.Details = finding.ControllerDetails{
		Controller: c.ref(), Clues: linked(h.search, h.object, c), State: &c.quiet.status,
	}
	cause.Key = h.key("unable controller", c)
	return cause
}

// unableRemedies are what lets a controller do its work again.
func unableRemedies(ctx context.Context, s search, c *candidate) []finding.Remedy {
	again := restart(s.session, c.workload)
	for i := range again {
		again[i].Step = "RestartForToken"
	}
	switch c.quiet.kind {
	case accountIsGone:
		account := c.accountRef()
		create := finding.Remedy{
			Step: "CreateAccountAgain", Details: finding.StepDetails{Object: account}, Risk: finding.NoRisk,
			Command: append(s.session.Kubectl.Prefix(*account), "create", "serviceaccount", account.Name),
		}
		return append([]finding.Remedy{create}, again...)
	case accountIsRecreate:
		return again
	}
	return s.finder.deniedOf(ctx, leaseDenial(c, c.quiet.lease)).Remedies
}

// isUnable reports whether a controller that runs may not do its work for another reason than its rights.
func (c *candidate) isUnable() bool {
	return c.quiet != nil && quietTable()[c.quiet.kind].state == Forbidden
}

// unablePresence is unable where it is about no object. It answers false for others.
func unablePresence(h *held, result *Presence, c *candidate) bool {
	if !c.isUnable() {
		return false
	}
	result.Situation = "ControllerIsUnable"
	result.Details = finding.ControllerDetails{
		Controller: c.ref(), Clues: linked(h.search, h.object, c), State: &c.quiet.status,
	}
	return true
}

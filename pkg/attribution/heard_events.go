package attribution

import (
	"cmp"
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/rbac"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
)

// heard is what Warning events say about the held object since its deletion: the controller's words, the latest first,
// and those of others as evidence.
type heard struct {
	own    []health.Complaint
	others []finding.Evidence
}

// listen reads the events. What is no trouble by its words, such as a write that came too late, is left out, and so is
// the news that the object is deleted. An event without a time is from a text that doesn't show when it was made.
func (h *held) listen(ctx context.Context, c *candidate) (said heard, err error) {
	events, err := h.search.health.Warnings(ctx, h.object)
	told := map[string]bool{}
	for _, event := range events {
		complaint := health.ComplaintOf(event)
		sense := statuses.JudgeAbout(event.Reason+": "+event.Message, h.object.Ref.Name, h.object.Ref.Namespace)
		news := sense == "" && statuses.SaysDeleted(h.object.Ref.Kind, event.Reason)
		before := !complaint.At.IsZero() && complaint.At.Before(h.object.RequestedAt())
		if before || sense != statuses.Trouble && sense != "" || news {
			continue
		}
		voice := h.voices().voiceOf(c, complaint.By, cmp.Or(event.ReportingInstance, event.Source.Host))
		if c.quotesDenial(complaint.Words) {
			voice = ofController
		} else if voice == ofController && ofSibling(ctx, h, complaint.Words) {
			voice = ofAnother // although the controller says it
		}
		switch voice {
		case ofController:
			said.own = append(said.own, complaint)
		case ofAnother:
			if !told[complaint.Source] && len(said.others) < mostNamed {
				said.others = append(said.others, complaint.Evidence(h.object.Ref))
			}
			told[complaint.Source] = true
		}
	}
	return said, err
}

// hear takes a controller's own reports of errors into account. c is nil where nothing says who it is. A denial that is
// over is evidence, and no more; that of another's request is trouble like any other, since it acts as that one.
func (h *held) hear(ctx context.Context, c *candidate, k *known, words string, said finding.Evidence) {
	denied, quoted := h.search.finder.Denial(ctx, words)
	if quoted { // of the controller, or of the account that it impersonates
		if denied.Over {
			h.search.evidence = append(slices.Clone(h.search.evidence), said, denied.Evidence)
			return
		}
		k.denied, k.denial = true, &denied
	}
	k.reports, k.words, k.said = true, words, said
}

// addEvents looks for what a running controller says about the held object in events, and quotes others.
func (h *held) addEvents(ctx context.Context, c *candidate, k *known) {
	said, err := h.listen(ctx, c)
	if err != nil {
		k.unread = true
		h.search.cannot(finding.Unread{Aspect: finding.EventsAbout, Object: &h.object.Ref}, err)
		return
	}
	for _, complaint := range said.own {
		evidence := complaint.Evidence(h.object.Ref)
		if overtaken(h, complaint) {
			said.others = append(said.others, evidence)
		} else if h.hear(ctx, c, k, complaint.Words, evidence); k.reports {
			return
		}
	}
	k.warned = len(said.others) > 0
	h.search.evidence = slices.Concat(h.search.evidence, h.voices().saidByOthers(), said.others)
}

// quoteEvents adds what events say about an object in files that don't show its controller: they are all that speaks.
// A server would have to be asked about each object.
func quoteEvents(ctx context.Context, h *held) {
	if len(h.search.failed) == 0 || !h.object.Terminating() || !h.search.session.Reader.Source().Manifests() {
		return
	}
	said, _ := h.listen(ctx, nil) // what could not be read is noted
	h.search.evidence = slices.Concat(said.others, h.search.evidence)
	for _, complaint := range said.own {
		h.search.evidence = append(h.search.evidence, complaint.Evidence(h.object.Ref))
	}
}

// overtaken reports whether an error is over by what the controller said later: a condition changed since, and says
// that the deletion continues.
func overtaken(h *held, complaint health.Complaint) bool {
	return h.object.Whole != nil && slices.ContainsFunc(statuses.Sayings(h.object.Whole), func(s statuses.Report) bool {
		return s.Seen && s.Of != "" && s.At.After(complaint.At) && !h.voices().byOthers(s) &&
			statuses.Continues(s.Words, statuses.Names(h.object.Whole)...)
	})
}

// reporters are the names under which the catalogue says that the controller reports.
func reporters(search search) []string {
	if search.criteria.known == nil {
		return nil
	}
	return search.criteria.known.Reporters
}

// addReported looks for what a controller that is nowhere to be seen says of the object, if the catalogue tells under
// which name it reports. It has to have said so lately: who speaks lives, unless it has left its Lease since.
func (h *held) addReported(ctx context.Context, k *known) {
	if len(reporters(h.search)) == 0 || !h.object.Terminating() {
		return
	}
	said, err := h.listen(ctx, nil)
	if err != nil {
		k.unread = true
		h.search.cannot(finding.Unread{Aspect: finding.EventsAbout, Object: &h.object.Ref}, err)
		return
	}
	for _, complaint := range said.own {
		if livesOn(h.search.session, h.search.leads, complaint.At) && matchesAny(reporters(h.search), complaint.By) {
			if h.hear(ctx, nil, k, complaint.Words, complaint.Evidence(h.object.Ref)); k.reports {
				k.speaks = true
				if k.denied && k.denial.Subject.Account() {
					k.speaks = h.speaksStill(ctx, k)
				}
				return
			}
		}
	}
}

// speaksStill reports whether something runs as the ServiceAccount that a denial quotes: else who said so is gone. If
// that can't be read, nothing is known of it.
func (h *held) speaksStill(ctx context.Context, k *known) bool {
	c := &candidate{account: k.denial.Subject, namespace: k.denial.Subject.Namespace}
	if !h.search.examine(ctx, c) || c.state == candidateUnclear {
		k.unread = true
		return true
	}
	return c.state == candidateAlive
}

// runsAs reports whether something runs as a ServiceAccount that the API server has denied something.
func (h *held) runsAs(ctx context.Context, subject rbac.Subject) bool {
	if !subject.Account() {
		return false
	}
	c := &candidate{account: subject, namespace: subject.Namespace}
	return h.search.examine(ctx, c) && c.state == candidateAlive
}

// unobserved leaves out what known observers wrote to objects that aren't their own: it shows no controller at work.
// The candidate itself is none.
func unobserved(s *search, resource cluster.Resource, fields []metav1.ManagedFieldsEntry) []metav1.ManagedFieldsEntry {
	c := s.found.candidate
	return slices.DeleteFunc(slices.Clone(fields), func(entry metav1.ManagedFieldsEntry) bool {
		return s.finder.Plugins.Observes(entry.Manager) && !c.isCalled(entry.Manager) &&
			!naming.Mentions(entry.Manager, naming.Project(resource.Group)...)
	})
}

// isCalled reports whether a name is a candidate's, or is in that of its workload: acme-operator, of the Deployment
// acme-operator-controller-manager.
func (c *candidate) isCalled(name string) bool {
	return c != nil && !naming.Generic(name) && (c.runs(name, "") || naming.Mentions(c.name(), name))
}

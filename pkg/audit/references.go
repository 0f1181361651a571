package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/ownership"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// checker is the state of one check.
type checker struct {
	tools   *mechanism.Tools
	census  *session.Census
	catalog *cluster.Catalog
	found   map[string]*report.Finding // by what makes findings alike
	order   []string
	notes   []string
}

// checkReferences judges every owner reference by its row of deletion-mechanics A, and ties the
// garbage collector's own complaints to them.
func (c *checker) checkReferences(ctx context.Context) {
	complaints := map[[2]string]mechanism.Complaint{}
	for _, complaint := range c.tools.Complaints(ctx) {
		complaints[[2]string{complaint.Dependent.Ref.UID, complaint.OwnerUID}] = complaint
	}
	if len(c.census.Owned) > 0 {
		c.notes = append(c.notes, "The garbage collector writes events (OwnerRefInvalidNamespace) about some of the references that it refuses, when it first meets them, and they are kept for an hour. That there are none proves nothing.")
	}
	for _, object := range c.census.Owned {
		for _, judged := range c.judge(ctx, object) {
			if judged.State == finding.Honoured || judged.State == finding.OwnerUnreadable {
				continue // what can't be read is listed as such
			}
			reported := c.describe(object, judged)
			if complaint, complained := complaints[[2]string{object.Ref.UID, string(judged.Reference.UID)}]; complained {
				reported.Evidence = append(reported.Evidence, finding.Evidence{Source: "event OwnerRefInvalidNamespace", Observed: complaint.Message, Object: &reported.Object})
			}
			c.add(strings.Join([]string{string(reported.Reason), string(judged.State), string(reported.Severity), object.Resource.QualifiedName(), object.Ref.Namespace, string(judged.Reference.UID)}, "\x00"), reported)
		}
	}
}

// judge tells of each owner reference what the garbage collector makes of it: from the census, and where
// the owner isn't part of that, by reading it.
func (c *checker) judge(ctx context.Context, object *session.Object) []ownership.Judged {
	var judged, unknown []ownership.Judged
	for _, reference := range object.Meta.OwnerReferences {
		one := ownership.Judged{Reference: reference}
		owner, known := c.census.Find(string(reference.UID))
		if !known {
			unknown = append(unknown, one)
			continue
		}
		one.Owner = owner
		one.State = mechanism.Judge(c.catalog, object.Ref, reference, owner.Ref)
		judged = append(judged, one)
	}
	if len(unknown) == 0 {
		return judged
	}
	for _, one := range c.tools.Owners(ctx, object) {
		wanted := slices.ContainsFunc(unknown, func(other ownership.Judged) bool { return other.Reference.UID == one.Reference.UID })
		if !wanted {
			continue
		}
		// The census is a moment old: what it lacks may have come, and what it has may have gone.
		passing := one.State == finding.OwnerAbsent || one.State == finding.OwnerReplaced
		if passing && !c.tools.Session.StillOwned(ctx, object, string(one.Reference.UID)) {
			continue
		}
		judged = append(judged, one)
	}
	return judged
}

// flaw is how a sort of flawed reference is told.
type flaw struct {
	severity report.Severity
	reason   finding.Reason
	message  string // %[1]s is the dependent, %[2]s the owner as it is named, %[3]s where it really is
}

func flawOf(state finding.Ownership) flaw {
	return map[finding.Ownership]flaw{
		finding.OwnerAbsent: {report.Warning, report.OwnerMissing,
			"%[1]s names %[2]s as its owner, which does not exist where the garbage collector looks for it. The garbage collector should have deleted it, unless another owner keeps it: the collector is down, its request is refused, or it can't judge another owner."},
		finding.OwnerReplaced: {report.Warning, report.OwnerMissing,
			"%[1]s names %[2]s as its owner, and by now that is another object (its uid is another). To the garbage collector the owner is gone, and it should have deleted this."},
		finding.OwnerMisnamed: {report.Error, finding.InvalidOwnerReference,
			"%[1]s names %[2]s as its owner, with the uid of %[3]s. The garbage collector looks by kind and name: when it next looks, it takes the owner for gone and deletes this, although the real owner lives."},
		finding.OwnerUnserved: {report.Error, finding.UnresolvableOwner,
			"%[1]s names %[2]s as its owner, of a kind that the server doesn't serve. The garbage collector can't judge it and leaves it for ever, whatever becomes of its other owners."},
		finding.OwnerElsewhere: {report.Error, finding.InvalidOwnerReference,
			"%[1]s names %[2]s as its owner, which is in another namespace: it is %[3]s. The garbage collector looks in the dependent's own namespace: it takes the owner for gone and deletes this, or never acts."},
		finding.DependentClusterScoped: {report.Error, finding.InvalidOwnerReference,
			"%[1]s has no namespace and names %[2]s as its owner, of a kind that has one. The garbage collector refuses such a reference: it never deletes this, and this blocks its owner's foreground deletion all the same."},
	}[state]
}

func (c *checker) describe(object *session.Object, judged ownership.Judged) report.Finding {
	told := flawOf(judged.State)
	reference := judged.Reference
	named := reference.Kind + " " + reference.Name
	where := named
	owner := finding.Ref{APIVersion: reference.APIVersion, Kind: reference.Kind, Name: reference.Name, UID: string(reference.UID)}
	if judged.Owner != nil {
		where, owner = judged.Owner.Ref.String(), judged.Owner.Ref
	}
	message := fmt.Sprintf(told.message, object.Ref, named, where)
	if object.Terminating() {
		told.severity = report.Info
		message += " It is being deleted as it is."
	}
	return report.Finding{
		Severity: told.severity, Reason: told.reason, Reference: judged.State, Object: object.Ref, Owner: &owner, Message: message,
		Evidence: []finding.Evidence{{Source: object.Ref.String(), Observed: describeReference(reference), Object: &object.Ref}},
		Remedies: finding.Voice{}.Remedies([]finding.Remedy{c.tools.RemoveFlawed(object, judged)}),
	}
}

func describeReference(reference metav1.OwnerReference) string {
	text := fmt.Sprintf("an owner reference to %s %s in %s, uid %s", reference.Kind, reference.Name, reference.APIVersion, reference.UID)
	if reference.BlockOwnerDeletion != nil && *reference.BlockOwnerDeletion {
		text += ", with blockOwnerDeletion"
	}
	return text
}

// checkCycles finds objects that own themselves in the end.
func (c *checker) checkCycles() {
	var owns graph.Graph
	for _, object := range c.census.Owned {
		to := owns.Add(object.Ref)
		for _, reference := range object.Meta.OwnerReferences {
			if owner, known := c.census.Find(string(reference.UID)); known {
				owns.Link(graph.Edge{From: owns.Add(owner.Ref), To: to, Type: finding.WaitsFor})
			}
		}
	}
	for _, members := range owns.Cycles() {
		var names []string
		refs := make([]finding.Ref, len(members))
		for i, member := range members {
			refs[i] = owns.Nodes()[member].Ref
			names = append(names, refs[i].String())
		}
		slices.SortFunc(refs, finding.Compare)
		slices.Sort(names)
		message := fmt.Sprintf("%s own one another. While one of them lives the garbage collector deletes none, and deleted in the foreground together they wait for one another for ever.", strings.Join(names, " and "))
		if len(members) == 1 {
			message = fmt.Sprintf("%s owns itself. Deleted in the foreground, it waits for itself for ever if the reference blocks.", names[0])
		}
		key := "cycle\x00" + strings.Join(names, "\x00")
		for _, ref := range refs {
			c.add(key, report.Finding{
				Severity: report.Warning, Reason: report.OwnerCycle, Reference: finding.OwnersCycle, Object: ref, Message: message,
				Evidence: []finding.Evidence{{Source: "owner references", Observed: strings.Join(names, ", ") + " refer to one another"}},
			})
		}
	}
}

// checkKinds finds dependents of kinds that the garbage collector doesn't watch (row A18).
func (c *checker) checkKinds() {
	watched := map[string]bool{}
	for _, resource := range c.catalog.Owned() {
		watched[resource.QualifiedName()] = true
	}
	for _, object := range c.census.Owned {
		name := object.Resource.QualifiedName()
		if watched[name] {
			continue
		}
		c.add("unwatched\x00"+name, report.Finding{
			Severity: report.Warning, Reason: report.DependentUnwatched, Object: object.Ref,
			Message:  fmt.Sprintf("%s has owners, and %s can't be listed, watched and deleted all three. The garbage collector leaves such kinds out: it neither deletes them nor waits for them.", object.Ref, name),
			Evidence: []finding.Evidence{{Source: "discovery", Observed: fmt.Sprintf("%s is served with the verbs %s", name, strings.Join(object.Resource.Verbs, ", "))}},
		})
	}
}

package attribution

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/limits"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// instance is a program that acts on objects of the kind, and not on the held one.
type instance struct {
	candidate *candidate
	workload  finding.Ref  // the ServiceAccount, where that is all that is known
	limit     limits.Limit // by what its template says, or
	only      []string     // by the namespaces that RBAC gives it rights in, or
	serves    string       // by the controller that objects name which it has written to
}

// searchedFor is the search for what has some criteria, and which of the programs that it met act on an object. Limits
// are seen only by the search itself, so it is made again with what they mean for the object, until it meets no other:
// one search for all objects that are alike in this, too.
func (f *Finder) searchedFor(ctx context.Context, of criteria, object *session.Object) search {
	if of.ofKind {
		return f.search(ctx, of)
	}
	class, classUnread := classTold(ctx, f.Session, of, object)
	of.class = class
	found, seen := f.searched(ctx, of), surroundingsReader{finder: f, object: object}
	for range mostCandidates + 1 {
		verdicts := map[string]bool{}
		for _, one := range found.limits {
			if excludes, says := seen.excludes(ctx, one, found.limits); says {
				verdicts[one.Setting] = excludes
			}
		}
		if seen.unread != nil { // any of these programs may act on other objects
			found.failed, found.found = append(found.failed, *seen.unread), decision{}
			return found
		}
		if len(verdicts) == len(of.beyond) {
			break
		}
		maps.Copy(verdicts, of.beyond)
		of.beyond = verdicts
		found = f.searched(ctx, of)
	}
	for _, class := range seen.read.Classes {
		if observed, is := observedClass(class); is && len(found.elsewhere) > 0 {
			found.evidence, found.leads.classes = append(found.evidence, observed), append(found.leads.classes, class)
		}
	}
	return unlessClassUnread(found, classUnread)
}

// beyondKey is which limits exclude an object, for what searches are compared by.
func (t criteria) beyondKey() string {
	var key strings.Builder
	for _, setting := range slices.Sorted(maps.Keys(t.beyond)) {
		fmt.Fprintf(&key, "%s %t\n", setting, t.beyond[setting])
	}
	return key.String()
}

// excluded is the first limit in a template that leaves the held object out. It remembers all of the template's. A
// program one of whose settings has the object's class acts on it.
func excluded(
	ctx context.Context, s *search, namespace string, template corev1.PodTemplateSpec,
) (by limits.Limit, is bool) {
	if at := s.criteria.home; at != "" && namespace != at {
		return limits.Limit{Setting: s.criteria.homeField + "=" + at, Home: true}, true
	}
	given, read := givenBy(ctx, s, namespace, template)
	if !read {
		return limits.Limit{}, false // nothing follows from a search in which something could not be read
	}
	all := limits.Of(s.criteria.resource, s.criteria.finalizer, namespace, template, given)
	if own, is := ownNamespace(s, namespace, all); is {
		all = append(all, own)
	}
	ofClass := slices.ContainsFunc(all, func(one limits.Limit) bool {
		return one.ByClasses() && !s.criteria.beyond[one.Setting]
	})
	for _, one := range all {
		if !slices.ContainsFunc(s.limits, func(known limits.Limit) bool { return known.Setting == one.Setting }) {
			s.limits = append(s.limits, one)
		}
		if s.criteria.beyond[one.Setting] && (!one.ByClasses() || !ofClass) && (!is || by.Unsure) {
			by, is = one, true
		}
	}
	return by, is
}

// actsElsewhere takes a candidate that acts on other objects out of the search, and says by which limit.
func actsElsewhere(s *search, c *candidate, workload finding.Ref, by limits.Limit) {
	s.elsewhere = append(s.elsewhere, instance{candidate: c, workload: workload, limit: by})
	has := givesSetting(c.namespace, by)
	observed := has + ", which leaves the object out"
	switch {
	case by.Off:
		observed = has + ", so it does nothing with objects of this kind"
	case by.Own:
		observed = "acts only on objects in its own namespace, as the catalogue says"
	case by.Home:
		observed = fmt.Sprintf("is in another namespace than %s of the object says", s.criteria.homeField)
	}
	s.evidence = append(s.evidence, finding.Observed(workload.String(), "%s", observed))
}

// givesSetting says what gives a program in a namespace a setting.
func givesSetting(namespace string, by limits.Limit) string {
	if by.ConfigMap == "" {
		return "its template has " + by.Setting
	}
	return session.Named(cluster.ConfigMaps(), namespace, by.ConfigMap).Ref.String() + " gives it " + by.Setting
}

// leavesOut reports whether the template of what was chosen as a candidate leaves the held object out. One that only
// may is remembered.
func leavesOut(ctx context.Context, s *search, c *candidate) bool {
	if s.criteria.ofKind {
		return false
	}
	template, known := c.template()
	if !known {
		return false
	}
	by, is := excluded(ctx, s, c.namespace, template)
	if !is {
		return false
	}
	if c.perhapsBeyond = by.Unsure; by.Unsure {
		c.evidence = append(c.evidence, finding.Observed(c.String(), "%s, which may leave the object out",
			givesSetting(c.namespace, by)))
		return false
	}
	actsElsewhere(s, c, *c.ref(), by)
	return true
}

// inScope are those of a candidate's programs that act on the held object, unless none does.
func inScope(ctx context.Context, s *search, c *candidate, programs []*program) (within []*program) {
	var others []instance
	for _, one := range programs {
		by, is := excluded(ctx, s, c.namespace, one.template)
		if !is || by.Unsure {
			within = append(within, one)
			continue
		}
		others = append(others, instance{
			candidate: &candidate{account: c.account, namespace: c.namespace, workload: one.workload, pods: one.pods},
			workload:  one.ref(c.namespace), limit: by,
		})
	}
	if len(within) == 0 {
		return programs // the one that is chosen says which limit
	}
	s.elsewhere = append(s.elsewhere, others...)
	return within
}

// noneActs reports whether there are programs, and the template of each leaves the held object out.
func noneActs(ctx context.Context, s *search, c *candidate, programs []*program) bool {
	return len(programs) > 0 && !s.criteria.ofKind && !slices.ContainsFunc(programs, func(one *program) bool {
		by, is := excluded(ctx, s, c.namespace, one.template)
		return !is || by.Unsure
	})
}

// servesOthers remembers an account that serves another namespace.
func servesOthers(s *search, c *candidate) {
	s.elsewhere = append(s.elsewhere, instance{candidate: c, workload: *c.ref(), only: c.access.Elsewhere})
}

// knownElsewhere reports whether a program is known to act on other objects: it, or all that runs as its account.
func knownElsewhere(s *search, c *candidate) bool {
	return slices.ContainsFunc(s.elsewhere, func(one instance) bool {
		if one.only != nil {
			return one.candidate.account == c.account
		}
		return c.workload != nil && one.workload == c.workload.Ref
	})
}

// instances are the programs that act on other objects of the kind, for the answer: each once, in however many ways it
// was found.
func instances(s *search) (all []finding.Instance) {
	for _, one := range s.elsewhere {
		setting := one.limit.Setting
		if one.limit.Own {
			setting = "" // of no template
		}
		known := func(other finding.Instance) bool {
			return other.Program.String() == one.workload.String() && other.Setting == setting
		}
		if !slices.ContainsFunc(all, known) {
			all = append(all, finding.Instance{
				Program: one.workload, Setting: setting, Off: one.limit.Off, Own: one.limit.Own, Namespaces: one.only,
				Serves: one.serves,
			})
		}
	}
	return all
}

// instanceNamed is the instance for other objects that has the name of a field manager; nil for none.
func instanceNamed(s *search, manager string) *finding.Instance {
	for _, one := range instances(s) {
		if alike(manager, one.Program.Name) {
			return &one
		}
	}
	return nil
}

// installAgain is how the controller comes back: the one that the held object's class names, or the one that is gone.
func (h *held) installAgain(gone *candidate) (steps []finding.Remedy) {
	for _, class := range h.search.leads.classes {
		steps = append(steps, finding.Remedy{
			Step: "InstallControllerOfClass", Risk: finding.NoRisk,
			Details: finding.StepDetails{Object: class.Ref, Name: class.Controller},
		})
	}
	setter := setterProgram(h.setters, h.template)
	there := setter != "" && instanceNamed(&h.search, setter) != nil && len(widen(h)) > 0
	if len(steps) > 0 || there { // what is there need not be brought back
		return steps
	}
	return bringBack(h, gone)
}

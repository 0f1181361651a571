package print

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// fact is something that is known, in paragraphs.
type fact struct {
	label string
	texts []string
}

func (f fact) equals(other fact) bool {
	return f.label == other.label && slices.Equal(f.texts, other.texts)
}

// sharedFacts are the ones that are the same of all.
func (t *explanationText) sharedFacts(all []result.Known) []fact {
	return slices.DeleteFunc(t.factsOf(all[0]), func(one fact) bool {
		return slices.ContainsFunc(all[1:], func(other result.Known) bool {
			return !slices.ContainsFunc(t.factsOf(other), one.equals)
		})
	})
}

// factsOf is what people want to know of a finalizer; in wide output also by what its controller is recognised, which
// fields tell how far it is, and where all that was read.
func (t *explanationText) factsOf(known result.Known) (facts []fact) {
	add := func(label string, texts ...string) {
		if texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" }); len(texts) > 0 {
			facts = append(facts, fact{label, texts})
		}
	}
	inDetail := func(label string, texts ...string) {
		if t.w.style.Wide {
			add(label, texts...)
		}
	}
	if names := strings.Join(known.Names, ", "); len(known.Names) > 1 || strings.Contains(names, "*") {
		add("KNOWN AS", names)
	}
	add("ON", onKinds(known))
	add("ADDED BY", known.AddedBy)
	add("WAITS FOR", append(awaited(known.Waits), drained(known.Drains)...)...)
	add("NEEDS", finding.Each(known.Needs, neededFor)...)
	add("GUARDS", finding.Each(known.Guards, guarded)...)
	add("FORCE LOSES", known.Loses)
	add("INSTEAD", known.SafeWay())
	outside := ""
	switch {
	case known.AlwaysOutside:
		outside = "The controller always runs outside the cluster: " + known.MayRunOutside + "."
	case known.MayRunOutside != "":
		outside = "The controller may run outside the cluster: " + known.MayRunOutside + "."
	}
	add("CONTROLLER", t.controllerOf(known), outside)
	says := func(field plugins.Field) string { return field.Path + ": " + field.Says }
	inDetail("STATUS", finding.Each(known.StatusFields, says)...)
	inDetail("OUTSIDE", finding.Each(known.ResourceFields, says)...)
	add("NOTE", known.Notes)
	inDetail("VERIFIED", sureness(known)...)
	inDetail("SOURCE", cmp.Or(known.Source, "no source is given"), strings.Replace(known.Module, "@", " ", 1))
	inDetail("FILE", known.File)
	add("MORE", known.Links...)
	return facts
}

// facts writes labelled paragraphs, each label once.
func (t *explanationText) facts(facts []fact) {
	for _, one := range facts {
		label := one.label
		for _, text := range one.texts {
			var paint func(string) string
			if one.label == "FORCE LOSES" {
				paint = t.w.style.lossText
			}
			t.w.paragraph(fmt.Sprintf("%-13s", label), text, paint)
			label = ""
		}
	}
}

func (t *explanationText) controllerOf(known result.Known) string {
	var parts []string
	add := func(what string, names []string) {
		if len(names) > 0 {
			parts = append(parts, what+strings.Join(names, ", "))
		}
	}
	add("", known.Workloads)
	add("container ", known.Containers)
	if len(known.Namespaces) > 0 {
		parts = append(parts, "in namespace "+strings.Join(known.Namespaces, " or "))
	}
	if known.OwnNamespace {
		parts = append(parts, "acts only in its own namespace")
	}
	if t.w.style.Wide {
		add("Pods with ", known.Labels)
		add("Lease ", known.Leases)
		add("writes as ", known.Managers)
		add("reports events as ", known.Reporters)
	}
	return strings.Join(parts, "; ")
}

// awaited says what blocks the removal, a sentence for all kinds about which it says the same.
func awaited(waits []plugins.Wait) []string {
	alike := func(wait plugins.Wait) string { return string(wait.Scope) + wait.Says }
	return finding.Each(groupBy(waits, alike), func(group []plugins.Wait) string {
		where := "in the same namespace"
		if group[0].Scope == plugins.ScopeCluster {
			where = "in the whole cluster"
		}
		resources := finding.Each(group, func(wait plugins.Wait) string {
			if plural, ownGroup := strings.CutSuffix(wait.Resource, ".*"); ownGroup {
				return plural + " of the same API group"
			}
			if wait.Defined() {
				return "the kind that it defines"
			}
			return wait.Resource
		})
		return fmt.Sprintf("each object of %s that %s (%s)", finding.And(resources), group[0].Says, where)
	})
}

// neededFor says what its controller can't do without.
func neededFor(need plugins.Need) string {
	var through []string
	for _, one := range need.Through {
		through = append(through, one.Resource)
	}
	return fmt.Sprintf("what the object leads to (%s); its controller can't act while that %s",
		strings.Join(through, ", then "), need.Says)
}

// drained says which Node's Pods are removed first, and which of them aren't.
func drained(drain *plugins.Drain) []string {
	if drain == nil {
		return nil
	}
	says := []string{"the Pods that are evicted when the Node is drained"}
	if drain.Node != "" {
		says[0] = "the Pods that are evicted when the Node in " + strings.Trim(drain.Node, "{}") + " is drained"
	}
	if drain.Because != "" {
		says = append(says, "each Pod on that Node that "+drain.Because+", and is therefore never evicted")
	}
	return says
}

func guarded(guard plugins.Guard) string {
	return map[plugins.Guard]string{
		plugins.GuardInUse:         "something that still refers to the object",
		plugins.GuardExternal:      "something outside this cluster",
		plugins.GuardCascade:       "other objects or processes in the cluster, which are cleaned up in order",
		plugins.GuardBookkeeping:   "records in the cluster; nothing outside it",
		plugins.GuardOptInDeletion: "data that is deleted only because of this finalizer: without it, the data is kept",
	}[guard]
}

// sureness says how each group of statements was checked, the ones that were checked best first.
func sureness(known result.Known) (sure []string) {
	groups := map[plugins.Check][]string{}
	add := func(what string, check plugins.Check, said int) {
		if said > 0 {
			groups[check] = append(groups[check], what)
		}
	}
	add("its name", known.Verified.Name, 1)
	add("when it is removed", known.Verified.WaitsFor, 1)
	add("its controller", known.Verified.Controller,
		len(known.Workloads)+len(known.Containers)+len(known.Labels)+len(known.Namespaces)+len(known.Leases))
	add("its fields", known.Verified.Fields,
		len(known.StatusFields)+len(known.ResourceFields)+len(known.Managers)+len(known.Reporters))
	groups[plugins.CheckNone] = append(groups[plugins.CheckNone], groups[""]...)
	for _, check := range plugins.Checks() {
		if what := groups[check]; len(what) > 0 {
			sure = append(sure, strings.Join(what, ", ")+": "+map[plugins.Check]string{
				plugins.CheckSource:  "read in the project's source or documentation",
				plugins.CheckExcerpt: "read in a piece of source code that probably belongs to the project",
				plugins.CheckNone:    "not checked: take it as a hint",
			}[check])
		}
	}
	return sure
}

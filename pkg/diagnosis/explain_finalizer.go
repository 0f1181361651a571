package diagnosis

import (
	"context"
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/attribution"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/mechanism"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// mostKinds bounds for how many kinds of one finalizer the controller is looked for: most are one project's,
// and have one.
const mostKinds = 6

// Presence reports whether the controller of a finalizer is in the cluster, for each kind that may have it. known is
// what the catalogue says about it, kind the one that was asked about, if one was. It only reads.
func Presence(
	ctx context.Context, reader cluster.Reader, finalizer string, known []plugins.Finalizer, kind string,
	options mechanism.Options,
) (*result.InCluster, error) {
	tools := options.Tools(reader)
	servedKinds, err := tools.Session.Reader.ServedKinds(ctx)
	if err != nil {
		return nil, err
	}
	p := &presences{tools: tools, servedKinds: servedKinds, finalizer: finalizer, asked: kind}
	answer := &result.InCluster{Asked: true, Controllers: []result.Presence{}}
	for i := range known {
		p.ofPlugin(ctx, answer, &known[i])
	}
	if len(known) == 0 {
		p.ofNobody(ctx, answer)
	}
	answer.Unreadable = session.Unreadable(ctx, tools.Session.Reader)
	return answer, nil
}

type presences struct {
	tools            *mechanism.Tools
	servedKinds      *cluster.ServedKinds
	finalizer, asked string
}

func (p *presences) ofPlugin(ctx context.Context, answer *result.InCluster, known *plugins.Finalizer) {
	kinds := p.served(func(resource cluster.Resource) bool {
		matches := func(pattern string) bool { return plugins.Match(pattern, resource.GroupKind().String()) }
		return len(known.Kinds) == 0 || slices.ContainsFunc(known.Kinds, matches)
	})
	if len(known.Kinds) == 0 && p.asked == "" {
		kinds = []cluster.Resource{{}} // it may be on any kind, and its controller is the same for all
	}
	if len(kinds) == 0 {
		addPresence(answer, p.unserved(known), known.Kinds...)
		return
	}
	for _, resource := range kinds[:min(len(kinds), mostKinds)] {
		found := mechanism.Presence(ctx, p.tools, resource, p.finalizer, known)
		addPresence(answer, p.presenceOf(known.Project, found, resource), kindOf(resource)...)
	}
}

func (p *presences) unserved(known *plugins.Finalizer) result.Presence {
	for _, pattern := range known.Kinds {
		if _, group, _ := strings.Cut(pattern, "."); p.servedKinds.MayServe(group) {
			return p.presenceOf(known.Project, attribution.Presence{State: attribution.Unsettled, Finding: finding.Finding{
				Situation: "KindsNotDiscovered", Details: finding.StepDetails{Name: group}, Certainty: finding.Unknown,
			}}, cluster.Resource{})
		}
	}
	return p.presenceOf(known.Project, attribution.Presence{State: result.NotServed, Finding: finding.Finding{
		Situation: "KindsNotServed", Certainty: finding.Proven,
	}}, cluster.Resource{})
}

// ofNobody looks for the controller of a finalizer that the catalogue does not know, on the kind that was asked about,
// or on those of the API group in its name (finalizer-conventions 3).
func (p *presences) ofNobody(ctx context.Context, answer *result.InCluster) {
	kinds := p.served(func(cluster.Resource) bool { return p.asked != "" })
	if p.asked == "" {
		kinds, answer.Guessed = p.named(), true
	}
	for _, resource := range kinds[:min(len(kinds), mostKinds)] {
		presence := p.presenceOf("", mechanism.Presence(ctx, p.tools, resource, p.finalizer, nil), resource)
		addPresence(answer, presence, kindOf(resource)...)
	}
}

// served returns the kinds that the cluster serves and that fit, and are the one that was asked about.
func (p *presences) served(fits func(cluster.Resource) bool) (kinds []cluster.Resource) {
	if _, group, _ := strings.Cut(p.asked, "."); group != "" {
		p.servedKinds.Ask(strings.ToLower(group))
	}
	for _, resource := range p.servedKinds.Resources {
		again := func(known cluster.Resource) bool { return known.GroupKind() == resource.GroupKind() }
		if (p.asked == "" || isKind(resource, p.asked)) && fits(resource) && !slices.ContainsFunc(kinds, again) {
			kinds = append(kinds, resource)
		}
	}
	return kinds
}

// isKind reports whether a resource is of a kind, given as KIND or KIND.GROUP in whichever case, or by its plural.
func isKind(resource cluster.Resource, kind string) bool {
	name, group, qualified := strings.Cut(kind, ".")
	return (strings.EqualFold(resource.Kind, name) || strings.EqualFold(resource.Resource, name)) &&
		(!qualified || strings.EqualFold(resource.Group, group))
}

// named returns the kinds of the API group that is in the finalizer's name, the longest if several are: the domain
// before the slash, or all of it where there is none, ends with the group. A kind that is named in it too comes alone.
func (p *presences) named() (kinds []cluster.Resource) {
	domain, _, _ := strings.Cut(strings.ToLower(p.finalizer), "/")
	group, rest := "", ""
	for _, resource := range p.servedKinds.Resources {
		before, ends := strings.CutSuffix(domain, resource.Group)
		ends = ends && (before == "" || strings.HasSuffix(before, "."))
		if ends && len(resource.Group) > len(group) && !cluster.ServedByKubernetes(resource.Group) {
			group, rest = resource.Group, strings.TrimSuffix(before, ".")
		}
	}
	if group == "" {
		return nil
	}
	for _, resource := range p.servedKinds.Resources {
		switch {
		case resource.Group != group:
		case rest != "" && (strings.EqualFold(resource.Kind, rest) || resource.Resource == rest):
			return []cluster.Resource{resource}
		default:
			kinds = append(kinds, resource)
		}
	}
	return kinds
}

// kindOf names a kind; nothing where it is none.
func kindOf(resource cluster.Resource) []string {
	if resource.Kind == "" {
		return nil
	}
	return []string{resource.GroupKind().String()}
}

func addPresence(answer *result.InCluster, found result.Presence, kinds ...string) {
	for i := range answer.Controllers {
		known := &answer.Controllers[i]
		same := known.Key == found.Key ||
			found.Controller != nil && known.Controller != nil && *known.Controller == *found.Controller
		if known.Project == found.Project && known.State == found.State && same {
			known.Kinds = append(known.Kinds, kinds...)
			return
		}
	}
	found.Kinds = kinds
	answer.Controllers = append(answer.Controllers, found)
}

// presenceOf is what was found out about a finalizer on a kind. It is alike for kinds that differ in their names alone.
func (p *presences) presenceOf(project string, found attribution.Presence, kind cluster.Resource) result.Presence {
	voice := finding.Voice{Now: p.tools.Session.AsOf()}
	return result.Presence{
		Project: project, State: string(found.State), Reason: found.Reason, Certainty: found.Certainty,
		Controller: found.Controller, Message: voice.Foretold(found.Finding),
		Situation: found.Situation, Details: found.Details, Key: found.Identity(),
		Alike:    finding.KeyOf(project, found.State, strings.ReplaceAll(found.Identity(), kind.QualifiedName(), "")),
		InShort:  voice.InShort(func(v finding.Voice) string { return v.Foretold(found.Finding) }),
		Evidence: result.Evidence(found.Evidence), Remedies: append([]finding.Remedy{}, voice.Remedies(found.Remedies)...),
	}
}

// Package naming compares the names of programs, projects, API groups and finalizers. It reads nothing itself.
//
// This package may change at any time.
package naming

import (
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Domain is the part of a finalizer that may name whose it is: what is before the slash, or all of a dotted name. A
// bare word has none (finalizer-conventions 2).
func Domain(finalizer string) string {
	if domain, _, _ := strings.Cut(strings.ToLower(finalizer), "/"); strings.Contains(domain, ".") {
		return domain
	}
	return ""
}

// Relation is how closely an API group and a finalizer's domain are related, the closer the greater.
type Relation int

// What a group can be to a domain (finalizer-conventions 3, rules 2 to 4). Among groups that the domain is a part of,
// the longest is the closest, which counts labels from PartOf on.
const (
	Unrelated Relation = iota
	SameOwner          // they share a registered domain
	Below              // the group is a part of the domain: work.karmada.io of karmada.io
	PartOf             // the domain is a part of the group: cluster.kubeblocks.io of kubeblocks.io
	Same      Relation = 100
)

// RelationOf says how an API group is related to a finalizer's domain. A domain that many projects share makes no group
// a relative.
func RelationOf(domain, group string) Relation {
	domain, group = oneSpelling(domain), oneSpelling(group)
	switch {
	case domain == "" || !strings.Contains(group, ".") || Shared(domain) || Shared(group):
		return Unrelated
	case domain == group:
		return Same
	case strings.HasSuffix(domain, "."+group):
		return PartOf + Relation(strings.Count(group, "."))
	case strings.HasSuffix(group, "."+domain):
		return Below
	case Registered(domain) == Registered(group):
		return SameOwner
	}
	return Unrelated
}

// Foreign reports whether a finalizer is of another project than a kind of an API group, as far as its domain tells:
// that has nothing in common with the group, and has no word of it or of the kind.
func Foreign(finalizer, group string, kind ...string) bool {
	domain := Domain(finalizer)
	if domain == "" || Shared(domain) || Shared(group) || RelationOf(domain, group) != Unrelated {
		return false
	}
	return !Mentions(domain, slices.DeleteFunc(append(Project(group), kind...), Vague)...)
}

// OfOtherPart reports whether a finalizer is of another part of a project than a kind of an API group, as far as its
// domain tells: both are below one registered domain, and the finalizer has a word there that neither the group nor the
// kind has: glaze.potters.guild on a kind of kiln.potters.guild.
func OfOtherPart(finalizer, group string, kind ...string) bool {
	domain := Domain(finalizer)
	if RelationOf(domain, group) != SameOwner {
		return false
	}
	own, known := strings.TrimSuffix(domain, Registered(domain)), append(strings.Split(group, "."), kind...)
	return slices.ContainsFunc(strings.Split(own, "."), func(label string) bool {
		return len(label) > 2 && !slices.ContainsFunc(Words(label), Vague) && !Mentions(label, known...) &&
			!Mentions(strings.Join(known, " "), label)
	})
}

// oneSpelling takes kubernetes.io for k8s.io, as projects do (finalizer-conventions 5).
func oneSpelling(domain string) string {
	if rest, old := strings.CutSuffix(domain, ".kubernetes.io"); old {
		return rest + ".k8s.io"
	}
	return domain
}

// Shared reports whether a domain belongs to many projects, or to none: then the names below it don't show whose they
// are. Public suffixes are (github.io, googleapis.com, co.uk), and some more that projects of several owners use. Those
// of Kubernetes are among them as parts of names, of finalizers too; which API groups Kubernetes serves is something
// else (cluster.ServedByKubernetes).
func Shared(domain string) bool {
	suffix, _ := publicsuffix.PublicSuffix(domain)
	// Without a dot, it may be a group of Kubernetes, such as apps.
	return suffix == domain && strings.Contains(domain, ".") || slices.Contains([]string{
		"k8s.io", "x-k8s.io", "kubernetes.io", "k8s.aws", "storage.k8s.io", "storage.kubernetes.io",
		"networking.k8s.io", "github.com", "amazonaws.com", "azure.com", "cloud.google.com",
		"example.com", "example.org", "example.net", "cluster.local",
	}, domain)
}

// Registered is the registered domain: one label below a public suffix, or below a domain that is shared.
func Registered(domain string) string {
	owned, err := publicsuffix.EffectiveTLDPlusOne(domain)
	if err != nil { // it is a public suffix, or has empty labels
		return domain
	}
	if below, found := strings.CutSuffix(domain, "."+owned); found && Shared(owned) {
		return below[strings.LastIndex(below, ".")+1:] + "." + owned
	}
	return owned
}

// SameRegistrant reports whether two domains are below one that was registered, also below one that many projects
// share.
func SameRegistrant(a, b string) bool {
	one, err := publicsuffix.EffectiveTLDPlusOne(a)
	other, failed := publicsuffix.EffectiveTLDPlusOne(b)
	return err == nil && failed == nil && one == other
}

// ClosestGroups returns those of some API groups that are closest to a finalizer's domain, sorted.
func ClosestGroups(domain string, groups []string) (closest []string, relation Relation) {
	for _, group := range groups {
		switch related := RelationOf(domain, group); {
		case related == Unrelated || related < relation:
		case related > relation:
			closest, relation = []string{group}, related
		default:
			closest = append(closest, group)
		}
	}
	slices.Sort(closest)
	return slices.Compact(closest), relation
}

// IsBareWord reports whether a finalizer is a bare word, which names neither a domain nor a project: a person may have
// made it up (finalizer-conventions 2).
func IsBareWord(finalizer string) bool { return !strings.ContainsAny(finalizer, "./") }

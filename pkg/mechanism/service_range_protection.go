package mechanism

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

const (
	// rangeDelay is how long a range without addresses stays, so that everybody who hands addresses
	// out has heard of its end (k8s v1.37 pkg/controller/servicecidrs/servicecidrs_controller.go:
	// deletionGracePeriod).
	rangeDelay = 10 * time.Second
	// repairDelay is the age at which the API server frees an address that nothing has (k8s v1.37
	// pkg/registry/core/service/ipallocator/controller/repairip.go:syncIPAddress).
	repairDelay = time.Minute
)

// serviceRangeProtection explains networking.k8s.io/service-cidr-finalizer: a ServiceCIDR stays while
// a Service has an address that lies in no other (deletion-mechanics M13).
func serviceRangeProtection(ctx context.Context, t *Tools, object *session.Object, hold finding.Hold) (session.Answer, bool) {
	if hold.Name != "networking.k8s.io/service-cidr-finalizer" || !object.Is("networking.k8s.io", "ServiceCIDR") {
		return session.Answer{}, false
	}
	ranges, err := session.ListServed[networkingv1.ServiceCIDR](ctx, t.Session, object.Resource.Group, "servicecidrs", "", cluster.Selector{})
	if err != nil {
		return session.Unread("ServiceCIDRs", err), true
	}
	var own, others []netip.Prefix
	for _, one := range ranges {
		if one.Object.Ref.UID == object.Ref.UID {
			own = append(own, prefixes(one.Typed)...)
		} else {
			others = append(others, prefixes(one.Typed)...)
		}
	}
	// As the controller does: a range of which every part lies in another isn't asked for addresses.
	contained := len(own) > 0 && !slices.ContainsFunc(own, func(part netip.Prefix) bool { return !coveredBy(part, others) })
	if !contained {
		// The label is that of addresses that the API server gave to Services itself.
		selector := cluster.Selector{Labels: networkingv1.LabelManagedBy + "=ipallocator.k8s.io"}
		addresses, err := session.ListServed[networkingv1.IPAddress](ctx, t.Session, object.Resource.Group, "ipaddresses", "", selector)
		if err != nil {
			return session.Unread("IPAddresses", err), true
		}
		if answer := t.addressesIn(ctx, own, others, addresses); !answer.Empty() {
			return answer, true
		}
	}
	if left := rangeDelay - t.Session.Since(object); left > 0 {
		return session.Progress(finding.Finding{
			Message:  fmt.Sprintf("No address lies in %s alone. It stays for %s after its deletion, so that no new one is handed out.", object.Ref, rangeDelay),
			Awaited:  fmt.Sprintf("the %s to be over that a range without addresses stays", rangeDelay),
			Evidence: t.Health.LeaseEvidence(ctx), Until: object.RequestedAt().Add(rangeDelay),
		}), true
	}
	return t.Refusals.Overdue(ctx, t.Refusals.Release(object, hold, "service-cidrs-controller", "release "+object.Ref.String()+", in which alone no address lies any more")), true
}

func prefixes(of *networkingv1.ServiceCIDR) []netip.Prefix {
	var parsed []netip.Prefix
	for _, cidr := range of.Spec.CIDRs {
		if prefix, err := netip.ParsePrefix(cidr); err == nil { // the API server has checked it
			parsed = append(parsed, prefix)
		}
	}
	return parsed
}

// coveredBy tells whether a range lies in one of others (k8s v1.37
// pkg/api/servicecidr/servicecidr.go:ContainsPrefix).
func coveredBy(part netip.Prefix, others []netip.Prefix) bool {
	return slices.ContainsFunc(others, func(other netip.Prefix) bool { return other.Overlaps(part) && other.Bits() <= part.Bits() })
}

// handsOut tells whether an address is one that a range hands out: not its first, and not the last of
// an IPv4 range (k8s v1.37 pkg/api/servicecidr/servicecidr.go:PrefixContainsIP).
func handsOut(part netip.Prefix, address netip.Addr) bool {
	if !part.Contains(address) || part.Masked().Addr() == address {
		return false
	}
	next := address.Next()
	return !address.Is4() || next.IsValid() && part.Contains(next)
}

// addressesIn answers for the addresses that lie in a range and in no other: it waits for what has
// each of them.
func (t *Tools) addressesIn(ctx context.Context, own, others []netip.Prefix, addresses []session.Item[networkingv1.IPAddress]) session.Answer {
	answer := session.Answer{}
	for _, address := range addresses {
		parsed, err := netip.ParseAddr(address.Object.Ref.Name)
		if err != nil {
			continue // the API server has checked it
		}
		has := func(part netip.Prefix) bool { return handsOut(part, parsed) }
		if slices.ContainsFunc(own, has) && !slices.ContainsFunc(others, has) {
			answer.Add(t.addressInUse(ctx, address, rangesOf(own)))
		}
	}
	return answer
}

func rangesOf(prefixes []netip.Prefix) string {
	words := make([]string, len(prefixes))
	for i, prefix := range prefixes {
		words[i] = prefix.String()
	}
	return strings.Join(words, ", ")
}

// addressInUse answers for one address: it goes with the Service that has it.
func (t *Tools) addressInUse(ctx context.Context, address session.Item[networkingv1.IPAddress], ranges string) session.Answer {
	parent := address.Typed.Spec.ParentRef
	if parent == nil {
		return t.leftover(address.Object, "names nobody that has it")
	}
	resource, served, err := t.Session.Served(ctx, parent.Group, parent.Resource)
	what := fmt.Sprintf("%s %s/%s", schema.GroupResource{Group: parent.Group, Resource: parent.Resource}, parent.Namespace, parent.Name)
	if err != nil {
		return session.Unread(what, err)
	}
	if !served {
		return t.leftover(address.Object, "belongs to "+what+", a kind that this cluster doesn't serve")
	}
	user, err := t.Session.Read(ctx, resource, parent.Namespace, parent.Name)
	if apierrors.IsNotFound(err) {
		return t.leftover(address.Object, fmt.Sprintf("belongs to %s %s/%s, which is gone", resource.Kind, parent.Namespace, parent.Name))
	}
	if err != nil {
		return session.Unread(what, err)
	}
	return session.Answer{Waits: []session.Wait{{Blocker: user, Otherwise: session.Cause(t.hasAddress(user, address.Object, ranges))}}}
}

// hasAddress is the cause of a range in which a Service has its address.
func (t *Tools) hasAddress(user, address *session.Object, ranges string) finding.Finding {
	return finding.Finding{
		Reason: finding.StillInUse, Object: user.Ref, Certainty: finding.Proven,
		Message: fmt.Sprintf("%s has the address %s, which lies in no other range than %s. A range stays as long as it is needed, as it should.", user.Ref, address.Ref.Name, ranges),
		Awaited: fmt.Sprintf("%s, which has the address %s in it", user.Ref, address.Ref.Name),
		Evidence: []finding.Evidence{
			{Source: address.Ref.String(), Observed: "spec.parentRef is " + user.Ref.String(), Object: &address.Ref},
			{Source: user.Ref.String(), Observed: "no deletionTimestamp", Object: &user.Ref},
		},
		Remedies: []finding.Remedy{{
			Action:  fmt.Sprintf("If the Services shall keep their addresses, add a ServiceCIDR that contains %s: this one then goes at once. See the ranges there are.", ranges),
			Command: append(t.Session.Kubectl.Prefix(finding.Ref{}), "get", "servicecidrs.networking.k8s.io"),
			Risk:    finding.NoRisk,
		}, {
			Action:  "Delete the Service, and create it again if it is needed: it then gets an address in another range.",
			Command: t.Session.Kubectl.Command(user, "delete", "--wait=false"),
			Risk:    finding.Disruption,
			Loses:   "the Service and its address, until it is created again",
		}},
		Alike: "users of " + ranges + " of kind " + user.Resource.QualifiedName(),
		Several: func(count int) string {
			return fmt.Sprintf("%d objects of kind %s which have addresses in it", count, user.Ref.Kind)
		},
	}
}

// leftover answers for an address that nothing has any more: the API server frees it by itself.
func (t *Tools) leftover(address *session.Object, state string) session.Answer {
	note := finding.Finding{
		Message:  fmt.Sprintf("%s %s. The API server frees such addresses by itself once they are a minute old.", address.Ref, state),
		Awaited:  fmt.Sprintf("the API server to free %s, which %s", address.Ref, state),
		Evidence: []finding.Evidence{{Source: address.Ref.String(), Observed: fmt.Sprintf("%s, created %s ago", state, t.Session.Ago(address.Meta.CreationTimestamp.Time)), Object: &address.Ref}},
	}
	if due := address.Meta.CreationTimestamp.Add(repairDelay + session.Patience); t.Session.Now().Before(due) {
		note.Until = due
		return session.Progress(note)
	}
	note.Awaited += ", and nothing tells why it has not"
	return session.Open(note)
}

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
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
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
func serviceRangeProtection(ctx context.Context, w *World, object *facts.Object, hold graph.Hold) (facts.Answer, bool) {
	if hold.Name != "networking.k8s.io/service-cidr-finalizer" || !object.Is("networking.k8s.io", "ServiceCIDR") {
		return facts.Answer{}, false
	}
	ranges, err := facts.ListServed[networkingv1.ServiceCIDR](ctx, w, object.Resource.Group, "servicecidrs", "", cluster.Selector{})
	if err != nil {
		return facts.Unread("ServiceCIDRs", err), true
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
		addresses, err := facts.ListServed[networkingv1.IPAddress](ctx, w, object.Resource.Group, "ipaddresses", "", selector)
		if err != nil {
			return facts.Unread("IPAddresses", err), true
		}
		if answer := w.addressesIn(ctx, own, others, addresses); !answer.Empty() {
			return answer, true
		}
	}
	if left := rangeDelay - w.Since(object); left > 0 {
		return facts.Progress(facts.Note{
			Message:  fmt.Sprintf("No address lies in %s alone. It stays for %s after its deletion, so that no new one is handed out.", object.Ref, rangeDelay),
			Awaited:  fmt.Sprintf("the %s to be over that a range without addresses stays", rangeDelay),
			Evidence: w.LeaseEvidence(ctx), Until: object.RequestedAt().Add(rangeDelay),
		}), true
	}
	return w.Overdue(ctx, w.Release(object, hold, "service-cidrs-controller", "release "+object.Ref.String()+", in which alone no address lies any more")), true
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
func (w *World) addressesIn(ctx context.Context, own, others []netip.Prefix, addresses []facts.Item[networkingv1.IPAddress]) facts.Answer {
	answer := facts.Answer{}
	for _, address := range addresses {
		parsed, err := netip.ParseAddr(address.Object.Ref.Name)
		if err != nil {
			continue // the API server has checked it
		}
		has := func(part netip.Prefix) bool { return handsOut(part, parsed) }
		if slices.ContainsFunc(own, has) && !slices.ContainsFunc(others, has) {
			answer.Add(w.addressInUse(ctx, address, rangesOf(own)))
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
func (w *World) addressInUse(ctx context.Context, address facts.Item[networkingv1.IPAddress], ranges string) facts.Answer {
	parent := address.Typed.Spec.ParentRef
	if parent == nil {
		return w.leftover(address.Object, "names nobody that has it")
	}
	resource, served, err := w.Served(ctx, parent.Group, parent.Resource)
	what := fmt.Sprintf("%s %s/%s", schema.GroupResource{Group: parent.Group, Resource: parent.Resource}, parent.Namespace, parent.Name)
	if err != nil {
		return facts.Unread(what, err)
	}
	if !served {
		return w.leftover(address.Object, "belongs to "+what+", a kind that this cluster doesn't serve")
	}
	user, err := w.Read(ctx, resource, parent.Namespace, parent.Name)
	if apierrors.IsNotFound(err) {
		return w.leftover(address.Object, fmt.Sprintf("belongs to %s %s/%s, which is gone", resource.Kind, parent.Namespace, parent.Name))
	}
	if err != nil {
		return facts.Unread(what, err)
	}
	return facts.Answer{Waits: []facts.Wait{{Blocker: user, Otherwise: facts.Cause(w.hasAddress(user, address.Object, ranges))}}}
}

// hasAddress is the cause of a range in which a Service has its address.
func (w *World) hasAddress(user, address *facts.Object, ranges string) graph.Cause {
	return graph.Cause{
		Reason: graph.StillInUse, Object: user.Ref, Certainty: graph.Proven,
		Message: fmt.Sprintf("%s has the address %s, which lies in no other range than %s. A range stays as long as it is needed, as it should.", user.Ref, address.Ref.Name, ranges),
		Awaited: fmt.Sprintf("%s, which has the address %s in it", user.Ref, address.Ref.Name),
		Evidence: []graph.Evidence{
			{Source: address.Ref.String(), Observed: "spec.parentRef is " + user.Ref.String(), Object: &address.Ref},
			{Source: user.Ref.String(), Observed: "no deletionTimestamp", Object: &user.Ref},
		},
		Remedies: []graph.Remedy{{
			Action:  fmt.Sprintf("If the Services shall keep their addresses, add a ServiceCIDR that contains %s: this one then goes at once. See the ranges there are.", ranges),
			Command: append(w.Kubectl.Prefix(graph.Ref{}), "get", "servicecidrs.networking.k8s.io"),
			Risk:    graph.NoRisk,
		}, {
			Action:  "Delete the Service, and create it again if it is needed: it then gets an address in another range.",
			Command: w.Kubectl.Command(user, "delete", "--wait=false"),
			Risk:    graph.Disruption,
			Loses:   "the Service and its address, until it is created again",
		}},
		Alike: "users of " + ranges + " of kind " + user.Resource.QualifiedName(),
		Several: func(count int) string {
			return fmt.Sprintf("%d objects of kind %s which have addresses in it", count, user.Ref.Kind)
		},
	}
}

// leftover answers for an address that nothing has any more: the API server frees it by itself.
func (w *World) leftover(address *facts.Object, state string) facts.Answer {
	note := facts.Note{
		Message:  fmt.Sprintf("%s %s. The API server frees such addresses by itself once they are a minute old.", address.Ref, state),
		Awaited:  fmt.Sprintf("the API server to free %s, which %s", address.Ref, state),
		Evidence: []graph.Evidence{{Source: address.Ref.String(), Observed: fmt.Sprintf("%s, created %s ago", state, w.Ago(address.Meta.CreationTimestamp.Time)), Object: &address.Ref}},
	}
	if due := address.Meta.CreationTimestamp.Add(repairDelay + facts.Patience); w.Now().Before(due) {
		note.Until = due
		return facts.Progress(note)
	}
	note.Awaited += ", and nothing tells why it has not"
	return facts.Open(note)
}

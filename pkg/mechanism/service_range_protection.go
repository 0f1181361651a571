package mechanism

import (
	"context"
	"net/netip"
	"slices"
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

const (
	// rangeDelay is how long a range without addresses stays, so that everybody who hands addresses out has heard of its
	// end (k8s v1.37 pkg/controller/servicecidrs/servicecidrs_controller.go: deletionGracePeriod).
	rangeDelay = 10 * time.Second
	// repairDelay is the age at which the API server frees an address that nothing has (k8s v1.37
	// pkg/registry/core/service/ipallocator/controller/repairip.go:syncIPAddress).
	repairDelay = time.Minute
)

// serviceRangeProtection explains networking.k8s.io/service-cidr-finalizer: a ServiceCIDR stays while a Service has an
// address that lies in no other (docs/deletion.md#servicecidr-protection).
func serviceRangeProtection(ctx context.Context, t *Tools, held Held) Answer {
	group, every := held.Resource.Group, cluster.Selector{}
	ranges, err := session.ListServed[networkingv1.ServiceCIDR](ctx, t.Session, group, "servicecidrs", "", every)
	if err != nil {
		return session.Unread(unreadKind("ServiceCIDRs", ""), err)
	}
	var own, others []netip.Prefix
	for _, item := range ranges {
		if item.Object.Ref.UID == held.Ref.UID {
			own = append(own, prefixes(item.Typed)...)
		} else {
			others = append(others, prefixes(item.Typed)...)
		}
	}
	// As the controller does: a range whose every part is in another one isn't asked for addresses.
	alone := func(part netip.Prefix) bool { return !coveredBy(part, others) }
	if len(own) == 0 || slices.ContainsFunc(own, alone) {
		// The label is that of addresses that the API server gave to Services itself.
		selector := cluster.Selector{Labels: networkingv1.LabelManagedBy + "=ipallocator.k8s.io"}
		addresses, err := session.ListServed[networkingv1.IPAddress](ctx, t.Session, group, "ipaddresses", "", selector)
		if err != nil {
			return session.Unread(unreadKind("IPAddresses", ""), err)
		}
		if answer := addressesIn(ctx, t.Session, t.Health, own, others, addresses); !answer.Empty() {
			return answer
		}
	}
	if left := rangeDelay - t.Session.Since(held.Object); left > 0 {
		return session.Progress(Finding{
			Situation: "RangeWithoutAddresses", Object: held.Ref, Key: finding.KeyOf("RangeWithoutAddresses"),
			Details:  finding.AddressDetails{DelaySeconds: int64(rangeDelay.Seconds())},
			Evidence: t.Health.ControlPlane.LeaseEvidence(ctx), Until: held.RequestedAt().Add(rangeDelay),
		})
	}
	return unreleased(ctx, t.Refusals, held, finding.Phrase{Situation: "ReleaseServiceRange"})
}

func prefixes(serviceCIDR *networkingv1.ServiceCIDR) []netip.Prefix {
	var parsed []netip.Prefix
	for _, cidr := range serviceCIDR.Spec.CIDRs {
		if prefix, err := netip.ParsePrefix(cidr); err == nil { // the API server has checked it
			parsed = append(parsed, prefix)
		}
	}
	return parsed
}

// coveredBy reports whether a range lies in one of others (k8s v1.37
// pkg/api/servicecidr/servicecidr.go:ContainsPrefix).
func coveredBy(part netip.Prefix, others []netip.Prefix) bool {
	return slices.ContainsFunc(others, func(other netip.Prefix) bool {
		return other.Overlaps(part) && other.Bits() <= part.Bits()
	})
}

// handsOut reports whether an address is one that a range hands out: not its first, and not the last of an IPv4 range
// (k8s v1.37 pkg/api/servicecidr/servicecidr.go:PrefixContainsIP).
func handsOut(part netip.Prefix, address netip.Addr) bool {
	if !part.Contains(address) || part.Masked().Addr() == address {
		return false
	}
	next := address.Next()
	return !address.Is4() || next.IsValid() && part.Contains(next)
}

// addressesIn answers for the addresses that lie in a range and in no other: it waits for what has each of them.
func addressesIn(
	ctx context.Context, reads *session.Session, checker *health.Checker, own, others []netip.Prefix,
	addresses []session.Item[networkingv1.IPAddress],
) (answer Answer) {
	for _, address := range addresses {
		parsed, err := netip.ParseAddr(address.Object.Ref.Name)
		has := func(part netip.Prefix) bool { return err == nil && handsOut(part, parsed) } // the API server has checked it
		if slices.ContainsFunc(own, has) && !slices.ContainsFunc(others, has) {
			answer.Add(addressInUse(ctx, reads, checker, address.Object, address.Typed.Spec.ParentRef, own))
		}
	}
	return answer
}

func addressInUse(
	ctx context.Context, reads *session.Session, checker *health.Checker, address *Object,
	parent *networkingv1.ParentReference, own []netip.Prefix,
) Answer {
	if parent == nil {
		return leftover(reads, checker, address, finding.AddressDetails{})
	}
	resource, served, err := session.Served(ctx, reads.Reader, parent.Group, parent.Resource)
	path := " " + parent.Namespace + "/" + parent.Name
	what := schema.GroupResource{Group: parent.Group, Resource: parent.Resource}.String() + path
	if err == nil && !served {
		return leftover(reads, checker, address, finding.AddressDetails{Owner: what})
	}
	var user *Object
	if err == nil {
		user, err = reads.Read(ctx, resource, parent.Namespace, parent.Name)
	}
	if apierrors.IsNotFound(err) {
		return leftover(reads, checker, address, finding.AddressDetails{Owner: resource.Kind + path, Served: true})
	}
	if err != nil {
		return session.Unread(finding.Unread{Name: what}, err)
	}
	return Answer{Waits: []Wait{{Blocker: user, Otherwise: session.Cause(hasAddress(reads, user, address, own))}}}
}

func hasAddress(reads *session.Session, user, address *Object, own []netip.Prefix) Finding {
	details := finding.StillInUseDetails{Address: address.Ref.Name}
	for _, prefix := range own {
		details.Ranges = append(details.Ranges, prefix.String())
	}
	look := reads.Kubectl.Prefix(finding.Ref{}, "get", "servicecidrs.networking.k8s.io")
	return Finding{
		Reason: finding.StillInUse, Situation: "AddressInRange", Object: user.Ref, Certainty: finding.Proven,
		Details: details, Key: finding.KeyOf("AddressInRange", details.Ranges, user.Resource.QualifiedName()),
		Evidence: []Evidence{
			address.Ref.Observed("spec.parentRef is %s", user.Ref), user.Ref.Observed("no deletionTimestamp"),
		},
		Remedies: []Remedy{
			{Step: "AddServiceRange", Details: details, Command: look},
			{Step: "RecreateService", Risk: finding.Disruption, Command: reads.Kubectl.Command(user, "delete", "--wait=false")},
		},
	}
}

// leftover answers for an address that nothing has any more: the API server frees it by itself.
func leftover(reads *session.Session, checker *health.Checker, address *Object, details finding.AddressDetails) Answer {
	created := address.Meta.CreationTimestamp
	due := created.Add(repairDelay + session.Patience)
	note := Finding{Situation: "AddressUnused", Object: address.Ref, Until: due}
	if details.Overdue = !reads.Now().Before(note.Until); details.Overdue {
		note.Until = time.Time{}
	}
	state := checker.Words(finding.Phrase{Situation: "AddressUnused", Details: details})
	note.Evidence = []Evidence{address.Ref.Observed("created %s ago; %s", reads.Ago(created.Time), state)}
	note.Details = details
	return going(note, details.Overdue)
}

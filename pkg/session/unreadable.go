package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Unreadable lists every read that failed, and every API group that can't be discovered and would matter: it was asked
// for, or it is the group of one of some objects. Each is there once, sorted.
func Unreadable(ctx context.Context, reader *cluster.CachedReader, objects ...finding.Ref) []finding.Unreadable {
	list := []finding.Unreadable{}
	for _, failure := range reader.Failures() {
		list = append(list, finding.Unreadable{
			Resource: failure.Resource, Namespace: failure.Namespace, Name: failure.Name,
			Error: reason(reader, failure.Err), Why: WhyUnread(failure.Err), Stored: StorageFails(failure.Err),
		})
	}
	if servedKinds, err := reader.ServedKinds(ctx); err == nil {
		for _, object := range objects {
			servedKinds.Ask(object.Group())
		}
		for _, version := range servedKinds.Missed() {
			list = append(list, finding.Unreadable{
				Resource: "*." + version.String(), Error: servedKinds.Failed[version].Error(), Why: "its discovery fails",
			})
		}
	}
	slices.SortFunc(list, func(a, b finding.Unreadable) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Name, b.Name))
	})
	// Sorted, what failed for all namespaces comes first and covers each of them.
	return slices.CompactFunc(list, func(a, b finding.Unreadable) bool {
		return a.Resource == b.Resource && a.Name == b.Name && (a.Namespace == b.Namespace || b.Namespace == "")
	})
}

// WhyUnread says in a few words why a read failed, as finding.Unreadable has it.
func WhyUnread(err error) string {
	var timeout interface{ Timeout() bool }
	var probe *cluster.ProbeError
	var invalid *cluster.InvalidPart
	if errors.As(err, &probe) {
		return "the dry run: " + WhyUnread(probe.Err)
	}
	switch {
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return finding.ForbiddenRead
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.As(err, &invalid):
		return "not a valid name"
	case conversionFails(err):
		return "its conversion webhook failed"
	case StorageDamaged(err), UnnamedDamage(err) != "":
		return "what is stored can't be read"
	case apierrors.IsTooManyRequests(err):
		return "the server is too busy"
	case apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), errors.As(err, &timeout) && timeout.Timeout():
		return "timed out"
	case cluster.NotRecorded(err):
		return finding.NotRecordedRead
	}
	if got, wrong := cluster.GotWrongAnswer(err); wrong {
		return "answered with " + got
	}
	return finding.FailedRead
}

// conversionFails reports whether nothing but a conversion webhook keeps something in storage from being read.
func conversionFails(err error) bool {
	damages := Damages(err.Error())
	return len(damages) > 0 && !slices.ContainsFunc(damages, func(one Damage) bool { return !one.Conversion() })
}

// NothingListed is an error where not a single kind of an area could be listed, and nothing was found all the same: an
// empty answer would be a lie. Manifests don't tell lists, but objects, so that of them nothing can be missed.
func NothingListed(reader *cluster.CachedReader, area Area, asked int, unlisted []cluster.Unlisted, found int) error {
	if asked == 0 || len(unlisted) < asked || found > 0 || reader.Source().Manifests() {
		return nil
	}
	first, where := unlisted[0].Err, fmt.Sprintf(" in namespace %q", area.Namespace)
	switch {
	case len(area.Kinds) > 0 &&
		!slices.ContainsFunc(area.Kinds, func(resource cluster.Resource) bool { return resource.Namespaced }):
		area.Namespace, where = "", ""
	case area.Namespace == "":
		where = " in all namespaces (name a namespace that you can read: -n NAMESPACE)"
	}
	switch {
	case errors.Is(first, context.Canceled):
		return first
	case apierrors.IsForbidden(first):
		what := "anything"
		if len(area.Kinds) > 0 {
			what = strings.Join(NamesOf(unlisted), ", ")
		}
		return fmt.Errorf("you are not allowed to list %s%s: %w", what, where, first)
	case cluster.NotRecorded(first) && area.Namespace != "":
		return fmt.Errorf("this can't be answered for namespace %q, because no kind in it was recorded completely: %w",
			area.Namespace, first)
	}
	return fmt.Errorf("nothing could be listed: %w", first)
}

// NamesOf returns the names of kinds.
func NamesOf(unread []cluster.Unlisted) []string {
	return finding.Each(unread, func(unlisted cluster.Unlisted) string { return unlisted.QualifiedName() })
}

// FalseFirst compares for an order in which what is false comes first.
func FalseFirst(a, b bool) int {
	order := map[bool]int{false: 0, true: 1}
	return order[a] - order[b]
}

package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// Unreadable lists every read that failed, and every API group that can't be discovered and would matter: it was
// asked for, or it is the group of one of some objects. Each stands there once, sorted.
func (s *Session) Unreadable(ctx context.Context, objects ...finding.Ref) []finding.Unreadable {
	list := []finding.Unreadable{}
	for _, failure := range s.Reader.Failures() {
		list = append(list, finding.Unreadable{
			Resource: failure.Resource, Namespace: failure.Namespace, Name: failure.Name,
			Error: failure.Err.Error(), Why: whyUnread(failure.Err),
		})
	}
	if catalog, err := s.Reader.Catalog(ctx); err == nil {
		for _, object := range objects {
			catalog.Ask(object.Group())
		}
		for _, version := range catalog.Missed() {
			list = append(list, finding.Unreadable{
				Resource: "*." + version.String(), Error: catalog.Failed[version].Error(), Why: "its discovery fails",
			})
		}
	}
	slices.SortFunc(list, func(a, b finding.Unreadable) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	// Sorted, what failed for all namespaces comes first and covers each of them.
	return slices.CompactFunc(list, func(a, b finding.Unreadable) bool {
		return a.Resource == b.Resource && a.Name == b.Name && (a.Namespace == b.Namespace || b.Namespace == "")
	})
}

func whyUnread(err error) string {
	var timeout interface{ Timeout() bool }
	var probe *cluster.ProbeError
	if errors.As(err, &probe) {
		return "the dry run: " + whyUnread(probe.Err)
	}
	switch {
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return "forbidden"
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case StorageDamaged(err):
		return "what is stored can't be read"
	case apierrors.IsTooManyRequests(err):
		return "the server is too busy"
	case apierrors.IsTimeout(err), apierrors.IsServerTimeout(err), errors.As(err, &timeout) && timeout.Timeout():
		return "timed out"
	case cluster.NotRecorded(err):
		return "not recorded"
	}
	if got, wrong := cluster.GotWrongAnswer(err); wrong {
		return "answered with " + got
	}
	return "failed"
}

// NothingListed is an error where not a single kind of an area could be listed, and nothing was found all the same: an
// empty answer would be a lie. Manifests don't tell lists, but objects, so that of them nothing can be missed.
func (s *Session) NothingListed(area Area, asked int, unlisted []cluster.Unlisted, found int) error {
	if asked == 0 || len(unlisted) < asked || found > 0 || s.Reader.Source() == cluster.FromManifests {
		return nil
	}
	first := unlisted[0].Err
	switch {
	case errors.Is(first, context.Canceled):
		return first
	case apierrors.IsForbidden(first) && area.Namespace == "":
		return fmt.Errorf("you may not list anything in all namespaces; ask about one that you may read with -n: %w", first)
	case apierrors.IsForbidden(first):
		return fmt.Errorf("you may not list anything in namespace %q: %w", area.Namespace, first)
	case cluster.NotRecorded(first) && area.Namespace != "":
		return fmt.Errorf("nothing of namespace %q was recorded: %w", area.Namespace, first)
	}
	return fmt.Errorf("nothing could be listed: %w", first)
}

// NamesOf returns the names of kinds.
func NamesOf(unread []cluster.Unlisted) []string {
	return finding.Each(unread, func(one cluster.Unlisted) string { return one.QualifiedName() })
}

// FalseFirst compares for an order in which what is false comes first.
func FalseFirst(a, b bool) int {
	order := map[bool]int{false: 0, true: 1}
	return order[a] - order[b]
}

// Damage is one thing in storage that kube-apiserver can't hand out: a conversion webhook doesn't answer
// (deletion-mechanics M19), or it doesn't decode (M20). Since 1.37 only the text behind tells them apart.
type Damage struct {
	Key  string           // the storage key as the server says it, or empty: some texts have none
	Kind schema.GroupKind // that of a conversion webhook that failed; empty if the object doesn't decode
	Said string           // the innermost text: why it failed
}

// Conversion tells whether it is a conversion webhook that failed.
func (d Damage) Conversion() bool { return d.Kind.Kind != "" }

// Damages reads what the server says of its storage, in an error or in a namespace's condition: "… StorageError:
// corrupt object, Code: 7, Key: K, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=N: WHY" (k8s
// v1.37 apiserver/pkg/storage/errors.go:StorageError.Error), or from older servers "conversion webhook for G/V, Kind=K
// failed: WHY".
func Damages(text string) []Damage {
	key := regexp.MustCompile(`Key: ([^\s,]+)`)
	reason := regexp.MustCompile(`(?s)AdditionalErrorMsg: (?:object not decodable revision=\d+: )?(.*)`)
	conversion := regexp.MustCompile(`(?s)conversion webhook for ([^\s,]+), Kind=([^\s:]+) failed: (.*)`)
	var found []Damage
	for i, part := range strings.Split(text, "StorageError: corrupt object") {
		one := Damage{Said: part}
		if match := key.FindStringSubmatch(part); i > 0 && match != nil {
			one.Key = match[1]
		}
		if match := reason.FindStringSubmatch(part); i > 0 && match != nil {
			one.Said = match[1]
		}
		one.Said = withoutTail(one.Said)
		failed := conversion.FindStringSubmatch(part)
		if failed != nil {
			if version, err := schema.ParseGroupVersion(failed[1]); err == nil {
				one.Kind, one.Said = version.WithKind(failed[2]).GroupKind(), withoutTail(failed[3])
			}
		}
		if i == 0 && failed == nil {
			continue // what stands before the first
		}
		same := func(other Damage) bool {
			return one.Kind == other.Kind && (one.Conversion() || one.Key == other.Key)
		}
		if !slices.ContainsFunc(found, same) {
			found = append(found, one)
		}
	}
	return found
}

// withoutTail cuts off what a list of errors says next.
func withoutTail(text string) string {
	text, _, _ = strings.Cut(text, ", failed to read one or more")
	text, _, _ = strings.Cut(text, ", unexpected items still remain")
	return strings.TrimRight(strings.TrimSpace(text), ",]")
}

// StorageDamaged tells whether a read failed because of what is in storage: a finding, and no accident of the reading.
func StorageDamaged(err error) bool { return err != nil && len(Damages(err.Error())) > 0 }

// RemainingResources reads the message of NamespaceContentRemaining: "Some resources are remaining: R.G has N resource
// instances, …". The core group is empty and leaves a trailing dot (deletion-mechanics B.2, trap T2).
func RemainingResources(message string) []schema.GroupResource {
	instances := regexp.MustCompile(`([a-z0-9-]+)\.([a-z0-9.-]*) has \d+ resource instances`)
	var found []schema.GroupResource
	for _, match := range instances.FindAllStringSubmatch(message, -1) {
		found = append(found, schema.GroupResource{Group: match[2], Resource: match[1]})
	}
	return found
}

// OnlyPodsRemain tells whether a NamespaceDeletionContentFailure is about pods without finalizers only.
func OnlyPodsRemain(message string) bool {
	_, failures, found := strings.Cut(message, "remaining: ")
	if !found {
		return false
	}
	for failure := range strings.SplitSeq(failures, ", unexpected items") {
		if !strings.HasSuffix(failure, "for gvr: /v1, Resource=pods") {
			return false
		}
	}
	return true
}

package session

import (
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

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
	if text == "" {
		return nil
	}
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

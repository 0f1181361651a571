package session

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Damage is one thing in storage that kube-apiserver can't hand out: a conversion webhook doesn't answer
// (docs/deletion.md#conversion-webhooks), or it doesn't decode (docs/deletion.md#undecodable-objects). Since 1.37 only
// the text behind tells them apart.
type Damage struct {
	Key  string           // the storage key as the server says it, or empty: some texts have none
	Kind schema.GroupKind // that of a conversion webhook that failed; empty if the object doesn't decode
	Said string           // the innermost text: why it failed
	// Deletable tells that kube-apiserver speaks of it as one that it deletes unread, if it is asked in so many words:
	// by default since 1.37, and from 1.32 on with AllowUnsafeMalformedObjectDeletion (k8s v1.37
	// apiserver/pkg/storage/etcd3/corrupt_obj_deleter.go).
	Deletable bool
}

// damageTexts are the forms of what the server says of damage. What a scan reads is held against them again and again.
type damageTexts struct{ key, reason, conversion, untransformed, decoders *regexp.Regexp }

var damageForms = sync.OnceValue(func() damageTexts {
	return damageTexts{
		key:           regexp.MustCompile(`Key: ([^\s,]+)`),
		reason:        regexp.MustCompile(`(?s)AdditionalErrorMsg: (?:object not decodable revision=\d+: )?(.*)`),
		conversion:    regexp.MustCompile(`(?s)conversion webhook for ([^\s,]+), Kind=([^\s:]+) failed: (.*)`),
		untransformed: regexp.MustCompile(`unable to transform key "([^"]+)": ((?:[^,]|,[^ ])*)`),
		decoders: regexp.MustCompile(`illegal base64 data|invalid character '|unexpected end of JSON input|` +
			`json parse error|cannot unmarshal|unexpected EOF|\bproto: |illegal tag \d|wireType|` +
			`no kind "[^"]*" is registered|Object 'Kind' is missing|Object 'apiVersion' is missing|error decoding|` +
			`unable to decode|no matching prefix found|message authentication failed|invalid padding`),
	}
})

// Conversion reports whether it is a conversion webhook that failed.
func (d Damage) Conversion() bool { return d.Kind.Kind != "" }

// Damages reads what the server says of its storage, in an error or in a namespace's condition: "… StorageError:
// corrupt object, Code: 7, Key: K, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=N: WHY" (k8s
// v1.37 apiserver/pkg/storage/errors.go:StorageError.Error), or from older servers "conversion webhook for G/V, Kind=K
// failed: WHY".
func Damages(text string) []Damage {
	if text == "" {
		return nil
	}
	forms := damageForms()
	var found []Damage
	for i, part := range strings.Split(text, "StorageError: corrupt object") {
		damage := Damage{Said: part, Deletable: i > 0}
		if match := forms.key.FindStringSubmatch(part); i > 0 && match != nil {
			damage.Key = match[1]
		}
		if match := forms.reason.FindStringSubmatch(part); i > 0 && match != nil {
			damage.Said = match[1]
		}
		damage.Said = withoutTail(damage.Said)
		failed := forms.conversion.FindStringSubmatch(part)
		if failed != nil {
			if version, err := schema.ParseGroupVersion(failed[1]); err == nil {
				damage.Kind, damage.Said = version.WithKind(failed[2]).GroupKind(), withoutTail(failed[3])
			}
		}
		if i == 0 && failed == nil {
			continue // what is before the first
		}
		same := func(other Damage) bool {
			return damage.Kind == other.Kind && (damage.Conversion() || damage.Key == other.Key)
		}
		if !slices.ContainsFunc(found, same) {
			found = append(found, damage)
		}
	}
	return withUntransformed(found, text)
}

// withUntransformed adds what can't be decrypted, which names its key on every version: "unable to transform key
// \"K\": WHY" (k8s v1.30 apiserver/pkg/storage/etcd3/store.go:GetList).
func withUntransformed(found []Damage, text string) []Damage {
	for _, match := range damageForms().untransformed.FindAllStringSubmatch(text, -1) {
		known := func(other Damage) bool { return other.Key == match[1] }
		if !slices.ContainsFunc(found, known) {
			found = append(found, Damage{Key: match[1], Said: withoutTail(match[2])})
		}
	}
	return found
}

// Unnamed reads what servers before 1.37 say of an object that doesn't decode, alone or in a namespace's condition: the
// decoder's own words, without the object's key or kind; and what this object makes of the lists of its kind. It is
// empty if a text says nothing like that, or names what it is about (Damages).
func Unnamed(text string) string {
	if len(Damages(text)) > 0 || !damageForms().decoders.MatchString(text) {
		return ""
	}
	if _, failures, found := strings.Cut(text, "remaining: "); found {
		text = failures
	}
	return withoutTail(strings.ReplaceAll(text, unready+": failed to list <unspecified>: ", ""))
}

// unready is the refusal to list a kind if kube-apiserver can't get all its objects into memory (k8s v1.37
// apiserver/pkg/storage/cacher/cacher.go).
const unready = "storage is (re)initializing"

// StorageFails reports whether a list failed in a way in which the controllers' lists fail, too: kube-apiserver could
// not read what is in storage.
func StorageFails(err error) bool {
	var status apierrors.APIStatus
	return StorageDamaged(err) || UnnamedDamage(err) != "" ||
		errors.As(err, &status) && strings.Contains(status.Status().Message, unready)
}

// UnnamedDamage is what a read's error says of something in storage that doesn't decode, where it names neither key nor
// kind. What fails on this side of the wire is no such thing.
func UnnamedDamage(err error) string {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return ""
	}
	if status.Status().Code < http.StatusInternalServerError && !apierrors.IsTooManyRequests(err) {
		return ""
	}
	return Unnamed(status.Status().Message)
}

// withoutTail cuts off what a list of errors says next.
func withoutTail(text string) string {
	text, _, _ = strings.Cut(text, ", failed to read one or more")
	text, _, _ = strings.Cut(text, ", unexpected items still remain")
	return strings.TrimRight(strings.TrimSpace(text), ",]")
}

// StorageDamaged reports whether a read failed because of what is in storage: a finding, and no accident of the
// reading.
func StorageDamaged(err error) bool { return err != nil && len(Damages(err.Error())) > 0 }

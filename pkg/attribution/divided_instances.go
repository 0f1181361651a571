package attribution

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

// Division is what divides the objects of a kind among programs: what has to be read of each to tell them apart.
type Division int

// What has to be read.
const (
	Undivided   Division = iota
	ByNamespace          // nothing
	ByLabels             // labels and annotations
	ByClass              // the whole objects
)

// Divides says how the objects of a kind are divided among the programs that were met.
func (a Absence) Divides() (by Division) {
	if a.homes {
		by = ByLabels
	}
	if a.agent != nil {
		return ByClass
	}
	for _, one := range a.limits {
		switch {
		case one.ByTrait() && !one.ToldApart(a.limits):
		case one.ByClasses(), one.ByTenant(), one.ByTrait():
			return ByClass
		case one.BySelector(), one.ByShare():
			by = max(by, ByLabels)
		case !one.Off:
			by = max(by, ByNamespace)
		}
	}
	return by
}

// PartOf names the part of a division that an object is in: the same programs act on all in it. unread is what could
// not be read of the object's classes or its namespace, without which that isn't known.
func PartOf(
	ctx context.Context, f *Finder, a Absence, object *session.Object,
) (part string, unread *finding.Unread) {
	seen := surroundingsReader{finder: f, object: object}
	var said strings.Builder
	for _, one := range a.limits {
		excludes, _ := seen.excludes(ctx, one, a.limits)
		fmt.Fprintf(&said, "%s %t\n", one.Setting, excludes)
	}
	for _, class := range seen.read.Classes { // one answer names one class
		fmt.Fprintf(&said, "%s %s %s\n", class.Whose, class.Name, class.Controller)
	}
	at, _ := home(object)
	if a.agent != nil {
		of, failed := agentOfObject(ctx, f, object, *a.agent)
		return said.String() + at + of.key(), cmp.Or(seen.unread, failed)
	}
	return said.String() + at, seen.unread
}

// saysHome reports whether an object says in which namespace its program is: by its labels and annotations, or, where a
// list left these out, by the names of the fields that were written.
func saysHome(live *metav1.PartialObjectMetadata) bool {
	if at, _ := home(&session.Object{Meta: live}); at != "" {
		return true
	}
	return slices.ContainsFunc(live.ManagedFields, func(entry metav1.ManagedFieldsEntry) bool {
		if entry.FieldsV1 == nil {
			return false
		}
		keys := regexp.MustCompile(`"f:([^"]+)"`).FindAllStringSubmatch(entry.FieldsV1.GetRawString(), -1)
		return slices.ContainsFunc(keys, func(key []string) bool { return naming.NamesOperatorNamespace(key[1]) })
	})
}

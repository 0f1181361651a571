package attribution

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// mostNamed is how many things of one sort are named in a sentence.
const mostNamed = 3

// LosesOf says what is lost when a hold of an object is removed by force: what the catalogue says, and the names that
// the object itself gives of it. It reads the object whole if these are in a part that was not read.
func (f *Finder) LosesOf(ctx context.Context, object *session.Object, hold finding.Hold) finding.Loss {
	var known plugins.Finalizer
	if hold.Type == finding.Finalizer {
		known, _ = f.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
	}
	if len(known.ResourceFields) > 0 || known.Loses == "" && !cluster.ServedByKubernetes(object.Resource.Group) {
		_ = f.ReadFields(ctx, object) // then the answer says where they stand
	}
	return f.Loses(object, hold, known)
}

// Loses is LosesOf for an object as far as it was read. known is empty where the catalogue doesn't know the hold.
func (f *Finder) Loses(object *session.Object, hold finding.Hold, known plugins.Finalizer) finding.Loss {
	if known.Loses == "" {
		return finding.Loss{Object: object.Ref, Content: hold.OfContent(), Named: belongings(object)}
	}
	named, unread := standsFor(object, known)
	return finding.Loss{
		Object: object.Ref, Known: known.Loses, Unverified: !known.Verified.WaitsFor.Done(), Named: named,
		Unread: unread,
	}
}

// LosesUnidentified is LosesOf for an entry whose controller is not known.
func (f *Finder) LosesUnidentified(ctx context.Context, object *session.Object) finding.Loss {
	if !cluster.ServedByKubernetes(object.Resource.Group) {
		_ = f.ReadFields(ctx, object) // then the answer says less
	}
	return UnidentifiedLoss(object)
}

// UnidentifiedLoss is LosesUnidentified for an object as far as it was read.
func UnidentifiedLoss(object *session.Object) finding.Loss {
	return finding.Loss{Object: object.Ref, Unidentified: true, Named: belongings(object)}
}

// standsFor returns what an object stands for, by the catalogue's fields; or those fields, where they were not read.
func standsFor(object *session.Object, known plugins.Finalizer) (named []finding.Named, unread []string) {
	for _, field := range known.ResourceFields {
		if object.Whole == nil {
			unread = append(unread, strings.Trim(field.Path, "{}"))
			continue
		}
		one := finding.Named{What: field.Says, Values: field.Values(object.Whole.Object)}
		same := func(other finding.Named) bool {
			return other.What == one.What && slices.Equal(other.Values, one.Values)
		}
		if len(one.Values) > 0 && !slices.ContainsFunc(named, same) {
			named = append(named, one)
		}
	}
	return named, unread
}

// StorageOf returns what a volume names of the storage behind it, in the catalogue's fields for its finalizers.
func (f *Finder) StorageOf(object *session.Object, finalizers ...string) []finding.Named {
	for _, finalizer := range finalizers {
		known, found := f.Plugins.Find(finalizer, object.Resource.GroupKind().String())
		if found && object.Whole != nil {
			if named, _ := standsFor(object, known); len(named) > 0 {
				return named
			}
		}
	}
	return nil
}

// belongings are fields of an object in which people name what is behind it.
func belongings(object *session.Object) (named []finding.Named) {
	if object.Whole == nil {
		return nil
	}
	for _, part := range []string{"status", "spec"} {
		fields, _, _ := unstructured.NestedMap(object.Whole.Object, part)
		for _, field := range statuses.Belongings() {
			if value, is := fields[field].(string); is && value != "" {
				named = append(named, finding.Named{What: part + "." + field, Values: []string{value}})
			}
		}
	}
	return named[:min(len(named), mostNamed)]
}

// mostFields is how many objects of a kind are read whole only to name what they stand for.
const mostFields = 8

// ReadFields reads an object whole, for what its fields tell people. A Secret never is, nor a ConfigMap, which
// may hold one; a list of a kind of Kubernetes may hold thousands, so they are read one by one.
func (f *Finder) ReadFields(ctx context.Context, object *session.Object) error {
	if object.Whole != nil || secretive(object) {
		return nil
	}
	f.mu.Lock()
	f.fields[object.Resource.String()]++
	few := f.fields[object.Resource.String()] <= mostFields
	f.mu.Unlock()
	if !few {
		return nil
	}
	_, err := f.Session.Whole(ctx, object)
	return err
}

func secretive(object *session.Object) bool {
	return object.Is("", "Secret") || object.Is("", "ConfigMap")
}

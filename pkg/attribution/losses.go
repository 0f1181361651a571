package attribution

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/facts"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/graph"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// mostNamed is how many things of one sort are named in a sentence.
const mostNamed = 3

// LosesOf says what is lost when a hold of an object is removed by force: what a plugin says, and the names
// that the object itself gives of it. It reads the object whole if these stand where nobody has read.
func (w *World) LosesOf(ctx context.Context, object *facts.Object, hold graph.Hold) string {
	var known plugins.Finalizer
	if hold.Type == graph.Finalizer {
		known, _ = w.Plugins.Find(hold.Name, object.Resource.GroupKind().String())
	}
	if len(known.ResourceFields) > 0 || known.Loses == "" && !cluster.ServedByKubernetes(object.Resource.Group) {
		_ = w.ReadFields(ctx, object) // then the answer says where they stand
	}
	return w.Loses(object, hold, known)
}

// Loses is LosesOf for an object as far as it was read. known is empty where no plugin knows the hold.
func (w *World) Loses(object *facts.Object, hold graph.Hold, known plugins.Finalizer) string {
	if known.Loses == "" {
		loses := "what the controller would have cleaned up for " + object.Ref.String() + " is left behind, in the cluster or outside"
		if hold.Type == graph.SpecFinalizer {
			loses = "what is still in " + object.Ref.String() + " stays in storage, and comes back with the next one of that name"
		}
		if named := belongings(object); len(named) > 0 {
			loses += ": perhaps " + strings.Join(named, ", ")
		}
		return loses
	}
	loses := known.Loses + standsFor(object, known)
	if !known.Verified.WaitsFor.Done() {
		loses += "; that is unverified"
	}
	return loses
}

// LosesUnidentified is LosesOf for an entry of which nothing tells whose it is.
func (w *World) LosesUnidentified(ctx context.Context, object *facts.Object) string {
	if !cluster.ServedByKubernetes(object.Resource.Group) {
		_ = w.ReadFields(ctx, object) // then the answer says less
	}
	return losesUnidentified(object)
}

func losesUnidentified(object *facts.Object) string {
	const loses = "whatever the entry guards is left behind"
	if named := belongings(object); len(named) > 0 {
		return loses + ": perhaps " + strings.Join(named, ", ")
	}
	return loses + ", and nothing readable tells what that is"
}

// standsFor names, in parentheses, what an object stands for, by the fields in which a plugin says that it
// does; or it says which fields tell, where these were not read.
func standsFor(object *facts.Object, known plugins.Finalizer) string {
	var named, tell []string
	for _, field := range known.ResourceFields {
		path := strings.Trim(field.Path, "{}")
		if object.Whole == nil {
			tell = append(tell, path)
			continue
		}
		values := field.Values(object.Whole.Object)
		if text := field.Says + " " + facts.Some(values, mostNamed); len(values) > 0 && !slices.Contains(named, text) {
			named = append(named, text)
		}
	}
	switch {
	case len(named) > 0:
		return " (" + strings.Join(named, ", ") + ")"
	case len(tell) > 0:
		return " (" + facts.Some(tell, mostNamed) + " would tell which, and was not read)"
	}
	return ""
}

// StorageOf names the storage behind a volume as plugins say where it stands: " (volume vol-1)", or nothing.
func (w *World) StorageOf(object *facts.Object, finalizers ...string) string {
	for _, finalizer := range finalizers {
		if known, found := w.Plugins.Find(finalizer, object.Resource.GroupKind().String()); found && object.Whole != nil {
			if named := standsFor(object, known); named != "" {
				return named
			}
		}
	}
	return ""
}

// belongings are fields of an object in which people name what stands behind it.
func belongings(object *facts.Object) (named []string) {
	if object.Whole == nil {
		return nil
	}
	for _, part := range []string{"status", "spec"} {
		fields, _, _ := unstructured.NestedMap(object.Whole.Object, part)
		for _, field := range []string{"endpoint", "url", "address", "host", "arn", "id", "bucket", "bucketName", "volumeId", "volumeHandle", "instanceId", "externalId", "providerID"} {
			if value, is := fields[field].(string); is && value != "" {
				named = append(named, part+"."+field+" "+value)
			}
		}
	}
	return named[:min(len(named), mostNamed)]
}

// mostFields is how many objects of a kind are read whole only to name what they stand for.
const mostFields = 8

// ReadFields reads an object whole, for what its fields tell people. A Secret never is, nor a ConfigMap, which
// may hold one; a list of a kind of Kubernetes may hold thousands, so they are read one by one.
func (w *World) ReadFields(ctx context.Context, object *facts.Object) error {
	if object.Whole != nil || secretive(object) {
		return nil
	}
	w.mu.Lock()
	if w.fields == nil {
		w.fields = map[string]int{}
	}
	w.fields[object.Resource.String()]++
	few := w.fields[object.Resource.String()] <= mostFields
	w.mu.Unlock()
	if !few {
		return nil
	}
	_, err := w.Whole(ctx, object)
	return err
}

// secretive tells whether an object is of a kind that is never read whole.
func secretive(object *facts.Object) bool {
	return object.Is("", "Secret") || object.Is("", "ConfigMap")
}

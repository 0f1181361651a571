package mechanism

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// namedThere are the objects of another cluster that a held object names, each once, and how many it names besides.
func namedThere(held Held, known plugins.Elsewhere) (objects []finding.Ref, more int) {
	seen := map[finding.Ref]bool{}
	add := func(ref finding.Ref) {
		switch {
		case !mayBeThere(ref) || seen[ref.Place()]:
		case len(objects) == mostLookedAtThere:
			more++
		default:
			seen[ref.Place()] = true
			objects = append(objects, ref)
		}
	}
	for _, there := range known.Objects {
		for _, item := range plugins.Maps(there.Each, held.Whole.Object) {
			add(refOfItem(item))
		}
		for _, id := range (plugins.Field{Path: there.IDs, Says: "id"}).Values(held.Whole.Object) {
			add(refOfID(id))
		}
		if there.Kind != "" {
			kind := schema.ParseGroupKind(there.Kind)
			add(finding.Ref{
				APIVersion: apiVersionOf(kind.Group), Kind: kind.Kind, Name: plugins.Filled(there.Name, held.Whole.Object),
				Namespace: plugins.Filled(there.Namespace, held.Whole.Object),
			})
		}
	}
	return objects, more
}

// mayBeThere reports whether an object can have a reference, which will reach requests and commands (k8s v1.37
// staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go:
// ValidateCustomResourceDefinitionNames).
func mayBeThere(ref finding.Ref) bool {
	version, err := schema.ParseGroupVersion(ref.APIVersion)
	return err == nil && ref.Name != "" && cluster.CheckName(ref.Namespace, ref.Name) == nil &&
		len(validation.IsDNS1035Label(strings.ToLower(ref.Kind))) == 0 &&
		(version.Group == "" || len(validation.IsDNS1123Subdomain(version.Group)) == 0)
}

// apiVersionOf is a reference's version where only the group is known: the server's own is taken when it is read.
func apiVersionOf(group string) string {
	if group == "" {
		return "v1"
	}
	return group + "/"
}

// refOfItem reads the fields by which an item, or a manifest, names an object.
func refOfItem(item map[string]any) finding.Ref {
	text := func(in map[string]any, field string) string { text, _ := in[field].(string); return text }
	ref := finding.Ref{Kind: text(item, "kind"), Namespace: text(item, "namespace"), Name: text(item, "name")}
	group := text(item, "group")
	if version := text(item, "apiVersion"); version != "" {
		group = finding.Ref{APIVersion: version}.Group()
	}
	if meta, is := item["metadata"].(map[string]any); is {
		ref.Namespace, ref.Name = text(meta, "namespace"), text(meta, "name")
	}
	if ref.Kind == "" && len(item) > 0 && ref.Name != "" && item["kind"] == nil {
		return finding.Ref{}
	}
	ref.APIVersion = apiVersionOf(group)
	return ref
}

// refOfID reads NAMESPACE_NAME_GROUP_KIND. In names of RBAC objects, a colon is written as two underscores.
func refOfID(id string) finding.Ref {
	namespace, rest, _ := strings.Cut(id, "_")
	kindAt := strings.LastIndex(rest, "_")
	if kindAt < 0 {
		return finding.Ref{}
	}
	kind, rest := rest[kindAt+1:], rest[:kindAt]
	groupAt := strings.LastIndex(rest, "_")
	if groupAt < 0 {
		return finding.Ref{}
	}
	return finding.Ref{
		APIVersion: apiVersionOf(rest[groupAt+1:]), Kind: kind, Namespace: namespace,
		Name: strings.ReplaceAll(rest[:groupAt], "__", ":"),
	}
}

// lookThere looks in another cluster for what a hold waits for.
type lookThere struct {
	tools *Tools // of that cluster
	held  Held   // marked as not of that cluster
	known plugins.Finalizer
	sure  bool          // the rule was verified, and it is surely that cluster
	live  []finding.Ref // objects that are there and are not being deleted
}

// at is what the hold waits for there, as an answer of that cluster.
func (l *lookThere) at(ctx context.Context, named []finding.Ref) (answer Answer) {
	for _, there := range l.known.Elsewhere.Objects {
		switch {
		case there.Drained:
			answer.Add(l.drained(ctx))
		case there.Resource != "":
			answer.Add(l.listed(ctx, there))
		}
	}
	objects, unread := l.read(ctx, named)
	answer.Add(unread)
	for _, object := range objects {
		if object.Terminating() {
			answer.Waits = append(answer.Waits, l.wait(object))
		} else {
			l.live = append(l.live, object.Ref)
		}
	}
	return l.asGuesses(answer)
}

func (l *lookThere) wait(object *Object) Wait { return Wait{Blocker: object} }

// asGuesses makes the waits likely ones, unless they are sure.
func (l *lookThere) asGuesses(answer Answer) Answer {
	if l.sure {
		return answer
	}
	for i := range answer.Waits {
		if answer.Waits[i].Bond == nil {
			answer.Waits[i].Bond = &session.Bond{Strength: session.NamedInStatus}
		}
	}
	return answer
}

// read reads objects as far as it takes to see whether they are being deleted. What is gone is left out.
func (l *lookThere) read(ctx context.Context, named []finding.Ref) (objects []*Object, unread Answer) {
	var mu sync.Mutex
	var tasks []func()
	found := make([]*Object, len(named))
	served := l.tools.Session.ServedKinds(ctx)
	for i, ref := range named {
		resource, is := served.OfKind(schema.GroupKind{Group: ref.Group(), Kind: ref.Kind})
		if !is {
			if served.MayServe(ref.Group()) && len(served.FailedVersions()) > 0 {
				unread.Add(session.Unread(finding.UnreadObject(ref), errNotServed(ref)))
			}
			continue
		}
		if !resource.Namespaced {
			ref.Namespace = ""
		}
		tasks = append(tasks, func() {
			object, err := l.tools.Session.Read(ctx, resource, ref.Namespace, ref.Name)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				found[i] = object
			case !apierrors.IsNotFound(err):
				unread.Add(session.Unread(finding.UnreadObject(session.Named(resource, ref.Namespace, ref.Name).Ref), err))
			}
		})
	}
	session.SideBySide(tasks)
	objects = slices.DeleteFunc(found, func(object *Object) bool { return object == nil })
	return objects, unread
}

func errNotServed(ref finding.Ref) error { return fmt.Errorf("%s can't be discovered", ref.Group()) }

package statuses

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Reference is an object that another one names: in a field that is shaped like a reference, or in words.
type Reference struct {
	Path      string   // where: spec.databaseRef
	Kinds     []string // possible words for its kind; compared without regard to case
	Group     string   // as given; empty if not known
	Namespace string   // as given; empty if not known
	Name      string
	UID       string // as given. A reference that has nothing else is by uid alone

	// Near says that in words the name stands right behind the word for its kind, or is part of one with it.
	Near bool
	// Explicit says that the reference itself has the kind. Else the field's name is read for it.
	Explicit bool
	// Upward says that the field's name speaks of what the object belongs to, runs on or makes use of, and not of
	// what goes with it.
	Upward bool
}

// InSpec reports whether the reference is in the object's spec: a person asked for that, and no controller reported it.
func (r Reference) InSpec() bool { return strings.HasPrefix(r.Path, "spec") }

// Referent is an object that may be meant.
type Referent struct {
	Group, Kind, Plural, Singular string
	Namespace, Name, UID          string
}

// Fits reports whether a reference may mean an object. home is the namespace of the object that has the reference: one
// without a namespace means what is beside it, and, of an object without a namespace, what is in any.
func (r Reference) Fits(referent Referent, home string) bool {
	if r.UID != "" && (referent.UID != "" || r.Name == "") {
		return r.UID == referent.UID
	}
	named := func(kind string) bool {
		return strings.EqualFold(kind, referent.Kind) || strings.EqualFold(kind, referent.Plural) ||
			referent.Singular != "" && strings.EqualFold(kind, referent.Singular)
	}
	if r.Name != referent.Name || !slices.ContainsFunc(r.Kinds, named) || r.Group != "" && r.Group != referent.Group {
		return false
	}
	namespace := r.Namespace
	if namespace == "" {
		namespace = home
	}
	return referent.Namespace == "" || namespace == "" || namespace == referent.Namespace
}

// References returns what an object names in its spec and its status, at any depth and in lists:
//
//   - maps with kind and name, as object references are, and manifests that are embedded, with kind and metadata.name;
//   - fields whose name ends in Ref, Refs, Reference or References, and Name or Names, with the kind's name before
//     that: databaseRef: {name: orders}, databaseName: orders, databaseRefs: [orders];
//   - entries of inventories: NAMESPACE_NAME_GROUP_KIND, as sigs.k8s.io/cli-utils writes them
//     (pkg/object/objmetadata.go:ParseObjMetadata), and KIND/NAME;
//   - fields whose name ends in UID.
func References(object *unstructured.Unstructured) []Reference {
	var found []Reference
	for _, part := range []string{"spec", "status"} {
		w := referenceWalk{found: &found, path: part}
		w.value(object.Object[part])
	}
	return found
}

// referenceWalk is one step of a walk through fields: key is the name of the field that it has come to.
type referenceWalk struct {
	found     *[]Reference
	path, key string
	upward    bool
}

func (w referenceWalk) into(key string) referenceWalk {
	words := wordsOf(key)
	w.path, w.key, w.upward = w.path+"."+key, key, w.upward || upward(words)
	return w
}

func (w referenceWalk) add(reference Reference) {
	reference.Path, reference.Upward = w.path, w.upward
	*w.found = append(*w.found, reference)
}

func (w referenceWalk) value(value any) {
	switch value := value.(type) {
	case map[string]any:
		w.object(value)
	case []any:
		for i, item := range value {
			inside := w
			inside.path = fmt.Sprintf("%s[%d]", w.path, i)
			inside.value(item)
		}
	case string:
		w.text(value)
	}
}

func (w referenceWalk) object(fields map[string]any) {
	own := func(name string) string { return text(fields, name) }
	name, kind := own("name"), own("kind")
	if metadata, embedded := fields["metadata"].(map[string]any); embedded && kind != "" && name == "" {
		reference := Reference{Kinds: []string{kind}, Group: groupOf(fields), Explicit: true}
		if reference.Name, reference.Namespace = text(metadata, "name"), text(metadata, "namespace"); reference.Name != "" {
			w.add(reference)
		}
		return // a manifest is about another object
	}
	if kind == "" {
		kind = own("resource")
	}
	byKey := kindsIn(w.key, "ref", "refs", "reference", "references")
	if name != "" && (kind != "" || len(byKey) > 0) {
		reference := Reference{Kinds: byKey, Group: groupOf(fields), Namespace: own("namespace"), Name: name, UID: own("uid")}
		if kind != "" {
			reference.Kinds, reference.Explicit = []string{kind}, true
		}
		w.add(reference)
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if key == "uid" && name != "" {
			continue // of what is named, or of nothing that is a reference
		}
		inside := w.into(key)
		said, isText := fields[key].(string)
		if kinds := kindsIn(key, "name"); isText && len(kinds) > 0 && said != "" {
			reference := Reference{Kinds: kinds, Name: said, Namespace: own(key[:len(key)-len("name")] + "Namespace")}
			if reference.Namespace == "" {
				reference.Namespace = own("namespace")
			}
			inside.add(reference)
			continue
		}
		inside.value(fields[key])
	}
}

// text reads one string of a list or a field by itself.
func (w referenceWalk) text(said string) {
	words := wordsOf(w.key)
	if said == "" || len(words) == 0 {
		return
	}
	switch last := words[len(words)-1]; {
	case last == "uid":
		w.add(Reference{UID: said})
	case last == "id" && strings.Count(said, "_") >= 3:
		w.inventoried(said)
	case strings.Contains(said, "/") && (slices.Contains(listing(), last) || blocking(words)):
		w.add(Slashed(said))
	case strings.Count(said, "_") >= 3 && slices.Contains(listing(), last):
		w.inventoried(said)
	default:
		if kinds := kindsIn(w.key, "ref", "refs", "reference", "references", "names"); len(kinds) > 0 {
			w.add(Reference{Kinds: kinds, Name: said})
		}
	}
}

func (w referenceWalk) inventoried(id string) {
	if reference, is := Inventoried(id); is {
		w.add(reference)
	}
}

// Inventoried reads NAMESPACE_NAME_GROUP_KIND. A name may have underscores, which are twice for a colon.
func Inventoried(id string) (reference Reference, is bool) {
	namespace, rest, _ := strings.Cut(id, "_")
	end := strings.LastIndex(rest, "_")
	kind := rest[end+1:]
	rest = rest[:max(end, 0)]
	middle := strings.LastIndex(rest, "_")
	if middle <= 0 || kind == "" {
		return Reference{}, false
	}
	name := strings.ReplaceAll(rest[:middle], "__", ":")
	return Reference{
		Kinds: []string{kind}, Group: rest[middle+1:], Namespace: namespace, Name: name, Explicit: true,
	}, true
}

// Slashed reads KIND/NAME, KIND.GROUP/NAME and KIND/NAMESPACE/NAME.
func Slashed(said string) Reference {
	parts := strings.Split(said, "/")
	kind, group, _ := strings.Cut(parts[0], ".")
	reference := Reference{Kinds: []string{kind}, Group: group, Name: parts[len(parts)-1], Explicit: true}
	if len(parts) == 3 {
		reference.Namespace = parts[1]
	}
	return reference
}

// groupOf is the API group that a reference gives, in any of the ways in which references do.
func groupOf(fields map[string]any) string {
	for _, name := range []string{"group", "apiGroup"} {
		if group := text(fields, name); group != "" {
			return group
		}
	}
	group, _, grouped := strings.Cut(text(fields, "apiVersion"), "/")
	if !grouped {
		return "" // a version alone: of the core group, or of one that stands elsewhere
	}
	return group
}

package snapshot

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/credential"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/naming"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/statuses"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/switches"
)

// shaped returns which fields of a map are kept for their shapes: parts of references, conditions and other reports of
// a status, finalizers of templates, declarations of use, Nodes, and what names something behind the object. The
// packages that read these by shape say which they are (pkg/attribution).
func (w walk) shaped(all map[string]any, at spot) map[string]bool {
	keep := map[string]bool{}
	if at.area != "spec" && at.area != "status" {
		return keep
	}
	for name := range statuses.ReferenceParts(at.field, all, w.isKind) {
		keep[name] = keep[name] || w.likeReference(name, all[name])
	}
	if at.area == "spec" {
		for name := range statuses.NeedParts(at.field, all, w.isKind) {
			keep[name] = keep[name] || w.likeReference(name, all[name]) || name == "optional" && plain(all[name])
		}
	}
	w.used(all, at, keep)
	if at.shape && at.field == "metadata" { // of a manifest
		keep["name"], keep["namespace"] = likeName(all["name"]), likeName(all["namespace"])
	}
	for name, value := range all {
		switch {
		case at.area == "status" && w.told(name, value, at),
			name == "finalizers" && at.field == "metadata" && likeNames(value):
			keep[name] = true
		case slices.Contains([]string{at.field, at.parent}, "conditions") && at.area == "status" && // a list, or a map
			slices.Contains(statuses.ConditionFields(), name):
			keep[name] = plain(value)
		case naming.NamesNode(name) && likeName(value), naming.NamesHost(name) && likeLabel(value),
			w.ofClass(name, value, at):
			keep[name] = true
		case at.area == "spec" && switches.AsksBelow(at.field, name),
			at.area == "spec" && switches.Asks(at.field) && name == "enabled",
			at.depth == 0 && slices.Contains(statuses.Belongings(), name):
			keep[name] = plain(value)
		}
	}
	return keep
}

// ofClass reports whether a field names an object's class, the controller of a class, a tenant, or another trait.
func (w walk) ofClass(name string, value any, at spot) bool {
	if at.area != "spec" || !likeName(value) {
		return false
	}
	if _, refers := naming.ClassOf(at.field); at.depth == 1 && refers && name == "name" {
		return true
	}
	_, names := naming.ClassOf(name)
	return at.depth == 0 &&
		(names || naming.NamesShare(name) || naming.NamesTrait(name) || slices.Contains(naming.ControllerFields(), name))
}

// told reports whether a field of a status is read for what its controller says.
func (w walk) told(name string, value any, at spot) bool {
	words, isText := value.(string)
	telling := append(statuses.TellingFields(), "observedGeneration", "reason")
	if at.depth == 0 && slices.Contains(telling, name) && plain(value) {
		return true
	}
	if texts, isList := value.([]any); isList && statuses.Tells(name) {
		return slices.ContainsFunc(texts, func(one any) bool {
			said, isText := one.(string)
			return isText && (statuses.IsStatement(said) || at.depth == 0 && statuses.ListsErrors(name))
		})
	}
	return isText && (statuses.TellsTrouble(name, words) || statuses.Tells(name) && statuses.IsStatement(words))
}

// used adds what declares that one object uses another (mechanism/declared_use_shape.go).
func (w walk) used(all map[string]any, at spot, keep map[string]bool) {
	if at.area != "spec" {
		return
	}
	own := slices.Contains(statuses.ReferenceKeys(), at.field)
	if own {
		keep["name"], keep["namespace"] = likeName(all["name"]), likeName(all["namespace"])
	}
	beside := func(key string) bool { _, is := all[key].(map[string]any); return is }
	refers := slices.ContainsFunc(slices.Concat(statuses.ReferenceKeys(), statuses.SelectorKeys()), beside)
	if own || refers {
		for _, name := range []string{"kind", "apiVersion", "group", "apiGroup"} {
			keep[name] = keep[name] || w.likeReference(name, all[name])
		}
	}
	if slices.Contains(statuses.SelectorKeys(), at.field) {
		_, keep["matchLabels"] = all["matchLabels"].(map[string]any)
	}
	if at.depth == 0 {
		keep["reason"] = plain(all["reason"])
		for name, value := range all {
			if slices.ContainsFunc(statuses.KindOf(name), w.isKind) {
				keep[name] = keep[name] || likeNames(value)
			}
		}
	}
	if at.depth == 1 && slices.ContainsFunc(statuses.KindOf(at.field), w.isKind) {
		keep["name"], keep["namespace"] = likeName(all["name"]), likeName(all["namespace"])
	}
}

// isKind reports whether a word is one for a kind that the cluster serves.
func (c *cleaner) isKind(word string) bool {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.kinds == nil || c.kinds[strings.ToLower(word)]
}

// likeReference reports whether a value may be a part of a reference.
func (w walk) likeReference(name string, value any) bool {
	text, isText := value.(string)
	switch {
	case isText && name == "kind":
		return kindLike().MatchString(text) && !credential.Random(text)
	case isText:
		return likeName(text)
	}
	_, isMap := value.(map[string]any)
	return isMap || likeNames(value)
}

func likeNames(value any) bool {
	all, isList := value.([]any)
	if !isList {
		return likeName(value)
	}
	return len(all) > 0 && !slices.ContainsFunc(all, func(one any) bool { return !likeName(one) })
}

// likeName reports whether a value may be the name of an object, alone or with what else references have.
func likeName(value any) bool {
	text, isText := value.(string)
	return isText && nameLike().MatchString(text) && !credential.Random(text)
}

// likeLabel reports whether a value may be a name without a domain.
func likeLabel(value any) bool {
	text, _ := value.(string)
	return likeName(value) && !strings.Contains(text, ".")
}

// plain reports whether a value is no map and no list.
func plain(value any) bool {
	switch value.(type) {
	case nil, map[string]any, []any:
		return false
	}
	return true
}

var nameLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\w[\w.:/-]{0,252}$`)
})

// qualifiedName is how the API server wants names of finalizers: with a domain.
var qualifiedName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z0-9-]+(?:\.[a-z0-9-]+)+/[A-Za-z0-9._-]+$`)
})

var kindLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]{0,62}$`) })

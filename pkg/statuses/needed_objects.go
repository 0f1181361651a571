package statuses

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Need is what an object's spec names that its controller may need for its work.
type Need struct {
	Reference
	// Input says that the field's name is that of something which the controller is given. Where it is not, the object
	// named may also be made by the controller, or be of no importance to it.
	Input bool
	// Elsewhere says that the reference has a field for the namespace.
	Elsewhere bool
}

// Needs returns what an object names in its spec that its controller may be given: Secrets, ConfigMaps, classes,
// accounts, settings of a provider and the like, in the order of the fields.
//
//   - maps with a name, and a kind or a field's name that has one: secretRef: {name: cf}, configMap: {name: cf};
//   - the same by key: secretKeyRef: {name: cf, key: token};
//   - names alone: secretName: cf;
//   - of annotations, pairs that name a Secret in a namespace, as those of storage drivers do.
//
// What the controller writes to is left out, and so is what a pod template needs, and what is optional.
func Needs(object *unstructured.Unstructured) (needs []Need) {
	w := needWalk{found: &needs, path: "spec"}
	w.value(object.Object["spec"])
	return append(needs, annotatedNeeds(object.GetAnnotations())...)
}

// annotatedNeeds are the Secrets that annotations name for a driver of storage (kubernetes-csi/external-snapshotter
// pkg/utils/util.go: AnnDeletionSecretRefName; external-provisioner pkg/controller/controller.go).
func annotatedNeeds(annotations map[string]string) (needs []Need) {
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		namespace := annotations[strings.TrimSuffix(key, "name")+"namespace"]
		if strings.HasSuffix(key, "-secret-name") && annotations[key] != "" && namespace != "" {
			secret := Reference{
				Path: "the annotation " + key, Kinds: []string{"secret"}, Namespace: namespace, Name: annotations[key],
			}
			needs = append(needs, Need{Reference: secret, Input: true, Elsewhere: true})
		}
	}
	return needs
}

// NamesSecret reports whether an annotation has a name for one of a pair that Needs reads.
func NamesSecret(annotation string) bool {
	return strings.HasSuffix(annotation, "-secret-name") || strings.HasSuffix(annotation, "-secret-namespace")
}

// needWalk is one step of a walk through the fields of a spec: words are those of the fields that it has passed.
type needWalk struct {
	found     *[]Need
	path, key string
	words     []string
}

func (w needWalk) value(value any) {
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
		if kinds := namedKinds(w.key); len(kinds) > 0 && value != "" {
			w.add(Reference{Kinds: kinds, Name: value}, false)
		}
	}
}

func (w needWalk) object(fields map[string]any) {
	name, kind := text(fields, "name"), text(fields, "kind")
	kinds := neededKinds(w.key)
	if optional, _ := fields["optional"].(bool); optional {
		return
	}
	if name != "" && len(kinds) > 0 {
		reference := Reference{Kinds: kinds, Group: groupOf(fields), Namespace: text(fields, "namespace"), Name: name}
		if kind != "" {
			reference.Kinds, reference.Explicit = []string{kind}, true
		}
		_, elsewhere := fields["namespace"]
		w.add(reference, elsewhere)
		return
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		words := wordsOf(key)
		if slices.ContainsFunc(words, leadsAway) {
			continue
		}
		inside := needWalk{w.found, w.path + "." + key, key, slices.Concat(w.words, words)}
		said, isText := fields[key].(string)
		namespace := text(fields, strings.TrimSuffix(key, "Name")+"Namespace")
		if kinds := namedKinds(key); isText && said != "" && len(kinds) > 0 {
			inside.add(Reference{Kinds: kinds, Name: said, Namespace: namespace}, namespace != "")
		} else if !isText {
			inside.value(fields[key])
		}
	}
}

// NeedParts returns which fields of a map are read as needs, or as parts of one, where the map is in a field: the same
// as Needs reads (TestNeedParts). known reports whether a word is one for a kind.
func NeedParts(key string, fields map[string]any, known func(word string) bool) map[string]bool {
	parts := map[string]bool{}
	if slices.ContainsFunc(neededKinds(key), known) && text(fields, "name") != "" {
		for _, name := range []string{"name", "namespace", "kind", "apiVersion", "group", "apiGroup", "optional"} {
			parts[name] = true
		}
	}
	for name, value := range fields {
		_, isList := value.([]any)
		_, isText := value.(string)
		switch {
		case isText && slices.ContainsFunc(namedKinds(name), known):
			parts[name], parts[strings.TrimSuffix(name, "Name")+"Namespace"] = true, true
		case isList && slices.ContainsFunc(namedKinds(name), known):
			parts[name] = true
		}
	}
	return parts
}

// add adds what is named where the walk is. It is an input if a field on the way has a word for that, or is a reference
// to a Secret or a ConfigMap: secretName alone is often what a controller makes.
func (w needWalk) add(reference Reference, elsewhere bool) {
	reference.Path, reference.Upward = w.path, upward(w.words)
	refers := len(w.words) > 0 && slices.Contains(refEndings(), w.words[len(w.words)-1])
	data := slices.Contains(reference.Kinds, "secret") || slices.Contains(reference.Kinds, "configmap") ||
		slices.Contains([]string{"Secret", "ConfigMap"}, reference.Kinds[0])
	input := slices.ContainsFunc(w.words, isGiven) || refers && data
	*w.found = append(*w.found, Need{Reference: reference, Input: input, Elsewhere: elsewhere})
}

// namedKinds are the kinds that the name of a field with a text may stand for: secretName, or credentialsSecretRef. A
// text in a field for credentials may be one.
func namedKinds(key string) []string { return kindsIn(key, append(refEndings(), "name", "names")...) }

func refEndings() []string { return []string{"ref", "refs", "reference", "references"} }

// neededKinds are the kinds that the name of a field with a map may stand for: secretRef, secretKeyRef, configMap.
// Credentials are in a Secret.
func neededKinds(key string) []string {
	words := wordsOf(key)
	if len(words) == 0 {
		return nil
	}
	switch last := words[len(words)-1]; {
	case last == "credentials", last == "credential", last == "secret":
		return []string{"secret"}
	case strings.EqualFold(key, "configMap"):
		return []string{"configmap"}
	case slices.Contains(words, "key") && last == "ref": // secretKeyRef
		at := slices.Index(words, "key")
		return kindsIn(strings.Join(words[:at], "-")+"-ref", "ref")
	}
	return kindsIn(key, refEndings()...)
}

// isGiven reports whether a word of a field's name says that the controller is given what the field names.
func isGiven(word string) bool {
	return slices.Contains([]string{
		"credentials", "credential", "auth", "authentication", "login", "password", "token", "kubeconfig", "provider",
		"identity", "admin",
	}, word)
}

// leadsAway reports whether a word of a field's name says that what is below it is written by the controller, or
// concerns pods and not the controller.
func leadsAway(word string) bool {
	return slices.Contains([]string{
		"write", "publish", "output", "outputs", "target", "destination", "generated", "generate", "export", "result",
		"template", "templates", "containers", "volumes", "env", "pod", "image", "pull", "owner", "parent", "node",
	}, word)
}

// SaysAbsent reports whether words say that something isn't there.
func SaysAbsent(words string) bool {
	s := Split(words)
	return slices.ContainsFunc([]string{
		"not found", "could not find", "couldn't find", "cannot find", "can't find", "unable to find", "does not exist",
		"doesn't exist", "do not exist", "no such", "is missing", "missing", "is gone", "was deleted", "has been deleted",
		"not exist", "no longer exists",
	}, s.has)
}

// Mentions reports whether a name is a whole word of a text, by itself or behind its namespace.
func Mentions(words, name string) bool {
	return slices.ContainsFunc(tokens(words), func(word string) bool {
		_, last, slashed := cutLast(word, "/")
		return word == name || slashed && last == name
	})
}

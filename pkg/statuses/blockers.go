package statuses

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// blocking reports whether a field's name says that what it lists keeps the object, or still uses it: blockedBy,
// blockers, blockingResources, inUseBy.
func blocking(words []string) bool {
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	if last == "blockers" || words[0] == "blocking" {
		return true
	}
	return last == "by" && len(words) > 1 && slices.Contains([]string{
		"blocked", "used", "use", "referenced", "held", "needed", "required", "mounted", "consumed",
	}, words[len(words)-2])
}

// namedBlockers are the fields of a status that list by references, and not in words, what keeps the object. Each is
// put in words, in which others look for objects: "blockedBy: Lock.example.com shop/nightly".
func namedBlockers(status map[string]any, context statusContext) (said []Report) {
	eachField(status, func(path, top, key string, value any) {
		if !blocking(wordsOf(key)) {
			return
		}
		if named := referredTo(key, value); len(named) > 0 {
			own, by := context.of("f:" + top)
			one := own.report(path, key+": "+strings.Join(named, ", "))
			one.By = by
			said = append(said, one)
		}
	})
	return said
}

// ListedUsers are the objects that a field such as blockedBy of a Terminating object's status lists, in words, if its
// controller says no more than that something keeps or uses the object: "1 resource blocks the deletion". Empty else.
func ListedUsers(object *unstructured.Unstructured, words string) string {
	status, found, _ := unstructured.NestedMap(object.Object, "status")
	text := strings.ToLower(words)
	uses := func(stem string) bool { return strings.Contains(text, stem) }
	if !found || !slices.ContainsFunc([]string{"block", "in use", "referenced", "dependent"}, uses) {
		return ""
	}
	for _, listed := range namedBlockers(status, contextOf(object, status)) {
		if !listed.Before {
			return UsersNamed(listed.Words)
		}
	}
	return ""
}

// referredTo are the objects that a field refers to, each with its kind and group in front of its name.
func referredTo(key string, value any) (named []string) {
	var found []Reference
	referenceWalk{found: &found, path: key, key: key}.value(value)
	for _, reference := range found {
		if !reference.Explicit || reference.Name == "" || reference.Upward {
			continue
		}
		kind, name := reference.Kinds[0], reference.Name
		if reference.Group != "" {
			kind += "." + reference.Group
		}
		if reference.Namespace != "" {
			name = reference.Namespace + "/" + name
		}
		named = append(named, kind+" "+name)
	}
	return named
}

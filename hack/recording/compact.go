package recording

import (
	"slices"
	"strings"
	"time"
)

// compact leaves out of an object what its line says already, or what is as it mostly is. expand is the inverse.
func compact(body map[string]any, of identity, kind string, start time.Time) map[string]any {
	metadata, _ := body["metadata"].(map[string]any)
	if metadata == nil {
		return body
	}
	if made, ok := timeOf(metadata["creationTimestamp"]); ok {
		created := text(metadata["creationTimestamp"])
		if fromStart(of, metadata, start) {
			created = theStart
			eachText(metadata, func(text string) string {
				if _, is := timeOf(text); is {
					return made.Format(time.RFC3339)
				}
				return text
			})
		}
		sinceMade(body, made)
		metadata["creationTimestamp"] = created
	}
	version, kind := usual(of, kind)
	leaveOut(body, "apiVersion", version)
	leaveOut(body, "kind", kind)
	leaveOut(metadata, "name", of.Name)
	leaveOut(metadata, "namespace", of.Namespace)
	leaveOut(metadata, "uid", of.uid())
	if of.resource != "events" && !hasVersion(metadata) { // events are put in order by it
		metadata["resourceVersion"] = unversioned
	}
	if text(metadata["resourceVersion"]) == unversioned {
		delete(metadata, "resourceVersion")
	}
	if all, has := metadata["managedFields"].([]any); has {
		metadata["managers"] = managersOf(all, of)
		delete(metadata, "managedFields")
	}
	leaveOut(metadata, "creationTimestamp", theStart)
	return body
}

// unversioned is the version of an object that is compared with no other one.
const unversioned = "1"

// hasVersion reports whether the version of an object is compared with another one's: it is an owner that waits for its
// dependents, or a dependent.
func hasVersion(metadata map[string]any) bool {
	finalizers, _ := metadata["finalizers"].([]any)
	return metadata["ownerReferences"] != nil || slices.Contains(finalizers, any("foregroundDeletion"))
}

func leaveOut(fields map[string]any, name, value string) {
	if text(fields[name]) == value {
		delete(fields, name)
	} else if _, has := fields[name]; !has {
		fields[name] = nil // it isn't there
	}
}

func fillIn(fields map[string]any, name, value string) {
	if is, has := fields[name]; has && is == nil {
		delete(fields, name)
	} else if !has && value != "" {
		fields[name] = value
	}
}

// expand returns an object as it is in a snapshot.
func expand(body map[string]any, of identity, kind string, start time.Time) map[string]any {
	metadata, _ := body["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		body["metadata"] = metadata
	}
	version, kind := usual(of, kind)
	fillIn(body, "apiVersion", version)
	fillIn(body, "kind", kind)
	fillIn(metadata, "name", of.Name)
	fillIn(metadata, "namespace", of.Namespace)
	fillIn(metadata, "uid", of.uid())
	fillIn(metadata, "resourceVersion", unversioned)
	fillIn(metadata, "creationTimestamp", theStart)
	if all, has := metadata["managers"].(map[string]any); has {
		metadata["managedFields"] = managedFields(all, of)
		delete(metadata, "managers")
	}
	if text(metadata["creationTimestamp"]) == theStart {
		metadata["creationTimestamp"] = start.Format(time.RFC3339)
	}
	if made, ok := timeOf(metadata["creationTimestamp"]); ok {
		eachText(body, func(text string) string { return fromMade(text, made) })
	}
	if all, has := metadata["managedFields"].([]any); has {
		sortManagers(all)
	}
	return body
}

func usual(of identity, kind string) (string, string) {
	if of.Form == wordWhole {
		return of.apiVersion(), kind
	}
	return "meta.k8s.io/v1", "PartialObjectMetadata"
}

const (
	theStart = "@"   // stands for the time at which the recorded cluster was started
	whenMade = "+0s" // stands for the time at which an object was made
)

// fromStart reports whether an object was made by the control plane itself when it started: when exactly plays no role.
func fromStart(of identity, metadata map[string]any, start time.Time) bool {
	made, ok := timeOf(metadata["creationTimestamp"])
	return ok && ofControlPlane(of, metadata) && made.Sub(start).Abs() < startTakes
}

// ofControlPlane reports whether an object is configuration that only the control plane itself wrote.
func ofControlPlane(of identity, metadata map[string]any) bool {
	_, deleted := metadata["deletionTimestamp"]
	_, owned := metadata["ownerReferences"]
	managers, _ := metadata["managedFields"].([]any)
	foreign := slices.ContainsFunc(managers, func(one any) bool {
		entry, _ := one.(map[string]any)
		manager := text(entry["manager"])
		return !strings.HasPrefix(manager, "kube-") && !strings.HasPrefix(manager, "api-priority-and-fairness") &&
			manager != "clusterrole-aggregation-controller"
	})
	slim := of.Form != wordWhole // and without those who wrote it, as in an inventory
	return !deleted && !owned && !foreign && (slim || len(managers) > 0) &&
		!slices.Contains([]string{"events", "leases", "nodes", "pods"}, of.resource)
}

const startTakes = time.Minute

func timeOf(value any) (time.Time, bool) {
	found, err := time.Parse(time.RFC3339, text(value))
	return found, err == nil && strings.HasSuffix(text(value), "Z")
}

// sinceMade writes the times in an object as how long after its creation they were, as far as they are that.
func sinceMade(body map[string]any, made time.Time) {
	eachText(body, func(text string) string {
		at, is := timeOf(text)
		if after := "+" + at.Sub(made).String(); is && fromMade(after, made) == text {
			return after
		}
		return text
	})
}

// fromMade returns the time that sinceMade wrote, or any other text as it is.
func fromMade(text string, made time.Time) string {
	after, err := time.ParseDuration(strings.TrimPrefix(text, "+"))
	switch {
	case err != nil || !strings.HasPrefix(text, "+"):
		return text
	case strings.Contains(text, ".") || strings.Contains(text, "µs") || strings.Contains(text, "ms"):
		return made.Add(after).Format("2006-01-02T15:04:05.000000Z")
	}
	return made.Add(after).Format(time.RFC3339)
}

// eachText replaces texts at any depth.
func eachText(within any, replace func(string) string) any {
	switch within := within.(type) {
	case map[string]any:
		for field, value := range within {
			within[field] = eachText(value, replace)
		}
	case []any:
		for i, value := range within {
			within[i] = eachText(value, replace)
		}
	case string:
		return replace(within)
	}
	return within
}

package plugins

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Rescue says how what an object stands for outside the cluster, or has created in one, outlives an object that was
// deleted by mistake.
type Rescue struct {
	// Keep are settings with which the controller removes the finalizer without cleaning up, also if they are made while
	// the object is being deleted. The first one that suits the object counts.
	Keep []Setting `json:"keep,omitempty"`
	// Create are settings that the object needs when it is created again, so that its controller takes over what exists.
	Create []Setting `json:"create,omitempty"`
	// Adopt says how a new object takes over what exists: whole sentences.
	Adopt string `json:"adopt,omitempty"`
	// Copy is how what an object stands for comes back where the object is kept and its parent goes.
	Copy *Copy `json:"copy,omitempty"`
}

// Copy is a new object beside one that is kept, and for the same. Its parent, whose controller would have deleted the
// kept one, takes the copy when it is created again. In both patches, {.status.field} is that field of the kept object.
type Copy struct {
	// Patch makes the copy's manifest of the kept object's, as a JSON merge patch. It names the copy.
	Patch string `json:"patch"`
	// Parent changes the manifest of the parent, as a JSON merge patch.
	Parent string `json:"parent"`
	// Says is how it then comes back: whole sentences.
	Says string `json:"says"`
}

// Patches are the changes of the copy and of its parent, and whether the kept object has all that they need.
func (c Copy) Patches(kept map[string]any) (own, parent map[string]any, complete bool) {
	complete = true
	filled := func(patch string) map[string]any {
		fields := Setting{Patch: patch}.Fields()
		fill(fields, func(reference string) string {
			values := Field{Path: reference, Says: "field"}.Values(kept)
			if len(values) == 0 {
				complete = false
				return ""
			}
			return values[0]
		})
		return fields
	}
	own, parent = filled(c.Patch), filled(c.Parent)
	return own, parent, complete
}

var reference = regexp.MustCompile(`\{\.[^{}]+\}`)

// fill replaces the references in all texts of a change.
func fill(change map[string]any, value func(reference string) string) {
	for name, field := range change {
		switch field := field.(type) {
		case map[string]any:
			fill(field, value)
		case string:
			change[name] = reference.ReplaceAllStringFunc(field, value)
		}
	}
}

// Creates reports whether what an object stands for is other objects, which it has created in a cluster, and nothing
// outside.
func (f Finalizer) Creates() bool {
	of := func(guard Guard) bool { return slices.Contains(f.Guards, guard) }
	return of(GuardCascade) && !of(GuardExternal) && !of(GuardOptInDeletion)
}

// Setting is a change of an object.
type Setting struct {
	// Has is a JSONPath of a field that the object must have for it: {.spec.deletionPolicy}. Without one, it suits every
	// object.
	Has string `json:"has,omitempty"`
	// Patch is the change, as a JSON merge patch: {"spec":{"deletionPolicy":"Orphan"}}.
	Patch string `json:"patch"`
}

// Suits reports whether an object has the field that a setting is about.
func (s Setting) Suits(object map[string]any) bool {
	return s.Has == "" || len(Field{Path: s.Has, Says: "field"}.Values(object)) > 0
}

// MadeIn reports whether an object has all that a setting would change.
func (s Setting) MadeIn(object map[string]any) bool { return has(object, s.Fields()) }

func has(object, change map[string]any) bool {
	for name, value := range change {
		inside, deeper := value.(map[string]any)
		if !deeper {
			stored, there := object[name]
			is, failed := json.Marshal(stored) // numbers may differ in type
			wanted, err := json.Marshal(value)
			if !there || failed != nil || err != nil || !bytes.Equal(is, wanted) {
				return false
			}
			continue
		}
		below, is := object[name].(map[string]any)
		if !is || !has(below, inside) {
			return false
		}
	}
	return true
}

// Fields are what a setting changes, as the fields of an object. They are nil for a patch that is none.
func (s Setting) Fields() (fields map[string]any) {
	if json.Unmarshal([]byte(s.Patch), &fields) != nil {
		return nil
	}
	return fields
}

// paths lead to all that a setting changes, each as the names of the fields on the way.
func (s Setting) paths() [][]string { return leaves(s.Fields(), nil) }

func leaves(fields map[string]any, above []string) (paths [][]string) {
	for name, value := range fields {
		path := append(slices.Clone(above), name)
		if below, deeper := value.(map[string]any); deeper {
			paths = append(paths, leaves(below, path)...)
			continue
		}
		paths = append(paths, path)
	}
	return paths
}

// Suiting is the first of some settings that suits an object.
func Suiting(settings []Setting, object map[string]any) (Setting, bool) {
	for _, setting := range settings {
		if setting.Suits(object) {
			return setting, true
		}
	}
	return Setting{}, false
}

// settings are all that the catalogue says of rescuing an object.
func (f Finalizer) settings() []Setting {
	if f.Rescue == nil {
		return nil
	}
	return append(append([]Setting{}, f.Rescue.Keep...), f.Rescue.Create...)
}

func (v *validator) rescue(field string, rescue Rescue) {
	v.check(field, len(rescue.Keep)+len(rescue.Create) > 0 || rescue.Adopt != "", "it says nothing")
	if rescue.Copy != nil {
		for name, patch := range map[string]string{"patch": rescue.Copy.Patch, "parent": rescue.Copy.Parent} {
			v.check(field+".copy."+name, len(Setting{Patch: patch}.Fields()) > 0, "%q is no JSON merge patch", patch)
		}
		v.check(field+".copy.says", rescue.Copy.Says != "", "it is empty")
	}
	for name, settings := range map[string][]Setting{"keep": rescue.Keep, "create": rescue.Create} {
		for i, setting := range settings {
			at := item(field+"."+name, i)
			v.check(at+".patch", len(setting.Fields()) > 0, "%q is no JSON merge patch", setting.Patch)
			v.check(at+".has", setting.Has == "" || len(PathsIn(setting.Has)) == 1 && strings.HasPrefix(setting.Has, "{."),
				"%q is no JSONPath of the form {.spec.deletionPolicy}", setting.Has)
		}
	}
}

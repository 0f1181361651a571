package switches

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// shape is how switches are named and set that no catalogue has. Names are in small letters, without dashes.
type shape struct {
	names    string // separated by blanks
	values   string // by which it is on
	bare     bool   // an annotation without a value is on, too
	protects bool
	inherits bool // it concerns what the object owns, too
	inSpec   int  // how deep in the spec it is looked for, if at all; a pause also below what is about the operator
	vague    bool // its name may mean something else: it counts where nothing else is known to be wrong
	remark   bool // its name says too little: it is shown, and decides nothing
	// allows is the text that turns it off, where to take it away need not do.
	allows string
}

func shapes() []shape {
	const yes = "true yes on 1 enabled enable paused"
	return []shape{
		{names: "pause paused " + stopsReconciling(), values: yes, bare: true, inherits: true, inSpec: 1},
		{names: "suspend suspended", values: yes, bare: true, inSpec: 1}, // schedules are, too, and not what they have made
		{names: "managed managementstate reconcile reconciliation reconciliationloop " + managedBy(),
			values: "false no off disabled unmanaged paused skip never", inherits: true, inSpec: 1},
		{names: "deleteprotection deletionprotected deletionprotection deletionprotectionenabled donotdelete nodelete " +
			"nodeletion preventdelete preventdeletion preventdestroy protectdelete protectdeletion protecteddelete " +
			"protectfromdeletion terminationprotection undeletable",
			values: yes + " always cascading", protects: true, inSpec: 3},
		{names: "deletepolicy deletionpolicy removalpolicy terminationpolicy", // Delete and Retain are no protections
			values: "block blocked deny disallow donotdelete donotterminate forbid prevent protect protected", protects: true,
			inSpec: 1},
		{names: "protect protected", values: yes, bare: true, protects: true, vague: true}, // a field may mean data
		{names: "allowdelete allowdeletion allowdestroy allowremoval allowteardown deletable deletionallowed", // or of data
			values: "false no off never", protects: true, inSpec: 1, vague: true, allows: "true"},
		{names: "maintenance maintenancemode", values: yes, inSpec: 1, vague: true},
		{names: "mode managementmode managementpolicy operationmode operatormode reconcilemode reconcilepolicy syncmode",
			values: "manual unmanaged paused", inSpec: 1, vague: true},
		{names: "freeze frozen hold ignore ignored legalhold lock locked onhold skip skipped", values: yes, bare: true,
			inSpec: 1, remark: true}, // or of an account, a door, a check
		{names: "active enabled", values: "false no off disabled", inSpec: 1, remark: true}, // or of what it stands for
		{names: "desiredstate runstate state targetstate", values: "frozen halted locked paused suspended", inSpec: 1,
			remark: true},
	}
}

// stopsReconciling are the names that are made of a verb and of what it stops, in either order: blockreconcile,
// reconciliationdisabled.
func stopsReconciling() string {
	var names []string
	for _, verb := range strings.Fields(
		"block blocked disable disabled donot dont freeze frozen halt halted hold ignore ignored no pause paused skip stop " +
			"stopped suspend suspended",
	) {
		for _, what := range []string{"reconcile", "reconciliation", "reconciler"} {
			names = append(names, verb+what, what+verb)
		}
	}
	return strings.Join(names, " ")
}

// managedBy are the names that say who manages the object: managedbyoperator, operatormanaged.
func managedBy() string {
	var names []string
	for _, who := range strings.Fields("operator controller") {
		names = append(names, "managedby"+who, who+"managed", "manageby"+who, who+"enabled")
	}
	return strings.Join(names, " ")
}

// aboutOperator reports whether a field of a spec holds what the operator does with the object, and not what the object
// is: operator.pause, reconciliation.mode.
func aboutOperator(name string) bool {
	return slices.Contains([]string{
		"operator", "controller", "reconcile", "reconciler", "reconciliation", "management", "maintenance", "operations",
	}, strings.ToLower(name))
}

// Asks reports whether a name, of an annotation or of a field in a spec, is one that a switch may have.
func Asks(name string) bool {
	return slices.ContainsFunc(shapes(), func(shape shape) bool { return shape.has(name) })
}

// AsksBelow reports whether a field of a spec, below another one, may be a switch: by its name, or as it would be
// called alone, deletionAllowed of deletion: {allowed: false}.
func AsksBelow(parent, name string) bool {
	return slices.ContainsFunc(shapes(), func(shape shape) bool { return shape.hasBelow(parent, name) })
}

func (s shape) hasBelow(parent, name string) bool {
	if s.remark && !slices.Contains([]string{"annotations", "labels", "spec"}, parent) {
		return false // of a part of the object
	}
	return s.has(name) || aboutDeletion(parent) && (s.has(parent+name) || s.has(name+parent))
}

// aboutDeletion reports whether a field of a spec holds what is said of the object's deletion, or what protects it.
func aboutDeletion(name string) bool {
	return slices.Contains([]string{"deletion", "termination", "protect", "protection"}, strings.ToLower(name))
}

// has reports whether the last part of a name is among the shape's.
func (s shape) has(name string) bool {
	last := strings.ToLower(name[strings.LastIndex(name, "/")+1:])
	plain := strings.NewReplacer("-", "", "_", "", ".", "").Replace(last)
	return slices.Contains(strings.Fields(s.names), plain)
}

func (s shape) isOn(value any) bool {
	switch value := value.(type) {
	case string, bool:
		if value == "" {
			return s.bare
		}
		return slices.Contains(strings.Fields(s.values), strings.ToLower(fmt.Sprint(value)))
	}
	return false
}

// contrary is what turns a value off.
func (s shape) contrary(value any) any {
	if _, is := value.(string); is && s.allows != "" {
		return s.allows
	}
	return contrary(value)
}

// Named returns the switches of an object that are on, by what switches are usually named.
func Named(object map[string]any) []Switch { return byShapes(object, false) }

// Remarked returns what may be a switch of an object, and as well something else: locked, enabled: false.
func Remarked(object map[string]any) []Switch { return byShapes(object, true) }

func byShapes(object map[string]any, remarks bool) (found []Switch) {
	for _, shape := range shapes() {
		if shape.remark != remarks {
			continue
		}
		for _, part := range []string{"annotations", "labels"} {
			found = append(found, shape.within(object, 1, "metadata", part)...)
		}
		found = append(found, shape.within(object, shape.inSpec, "spec")...)
	}
	return found
}

// within looks for switches below a field, in a sorted order.
func (s shape) within(object map[string]any, depth int, path ...string) (found []Switch) {
	below, _ := at(object, path)
	fields, is := below.(map[string]any)
	if !is || depth <= 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value, here := fields[name], append(slices.Clone(path), name)
		if nested, is := value.(map[string]any); is && s.has(name) { // reconcile: {enabled: false}
			value, here = nested["enabled"], append(here, "enabled")
		}
		if s.hasBelow(path[len(path)-1], name) && s.isOn(value) {
			found = append(found, Switch{
				Path: here, Value: fmt.Sprint(value), Protects: s.protects, Inherits: s.inherits, off: s.contrary(value),
				Vague: s.vague,
			})
		}
		below := depth - 1
		if len(path) == 1 && (!s.protects && aboutOperator(name) || s.protects && aboutDeletion(name)) {
			below = max(below, 1)
		}
		found = append(found, s.within(object, below, append(slices.Clone(path), name)...)...)
	}
	return found
}

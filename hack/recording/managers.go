package recording

import (
	"slices"
	"strings"
)

// managersOf returns managedFields by who wrote, so that another time of one doesn't change the others: MANAGER, or
// MANAGER OPERATION VERSION SUBRESOURCE.
func managersOf(all []any, of identity) map[string]any {
	managers := map[string]any{}
	for _, one := range all {
		entry, _ := one.(map[string]any)
		name := strings.Join([]string{text(entry["manager"]), text(entry["operation"]), text(entry["apiVersion"]),
			text(entry["subresource"])}, "|")
		name = strings.TrimSuffix(name, "|Update|"+of.apiVersion()+"|")
		fields, _ := entry["fieldsV1"].(map[string]any)
		said := map[string]any{"wrote": paths(fields)}
		if at := text(entry["time"]); at != whenMade {
			said["at"] = at
		}
		managers[name] = said
	}
	return managers
}

func managedFields(managers map[string]any, of identity) []any {
	var all []any
	for name, said := range managers {
		parts := append(strings.Split(name, "|"), "Update", of.apiVersion(), "")
		said, _ := said.(map[string]any)
		entry := map[string]any{
			"manager": parts[0], "operation": parts[1], "apiVersion": parts[2], "time": whenMade,
			"fieldsType": "FieldsV1", "fieldsV1": fieldsV1(said["wrote"]),
		}
		if parts[3] != "" {
			entry["subresource"] = parts[3]
		}
		if at, has := said["at"]; has {
			entry["time"] = at
		}
		all = append(all, entry)
	}
	return all
}

// sortManagers sorts managedFields as the API server has them.
func sortManagers(all []any) {
	order := func(one any) string {
		entry, _ := one.(map[string]any)
		return text(entry["operation"]) + text(entry["time"]) + text(entry["manager"]) + text(entry["subresource"])
	}
	slices.SortFunc(all, func(a, b any) int { return strings.Compare(order(a), order(b)) })
}

// paths returns a set of fields: a list where nothing is below any of them.
func paths(fields map[string]any) any {
	nested, flat := map[string]any{}, []string{}
	for name, below := range fields {
		name = strings.TrimPrefix(name, "f:")
		if below, _ := below.(map[string]any); len(below) > 0 {
			nested[name] = paths(below)
			continue
		}
		nested[name] = []any{}
		flat = append(flat, name)
	}
	if len(flat) < len(nested) {
		return nested
	}
	slices.Sort(flat)
	return flat
}

func fieldsV1(said any) map[string]any {
	fields := map[string]any{}
	field := func(name string) string {
		if name == "." || strings.HasPrefix(name, "k:") || strings.HasPrefix(name, "v:") || strings.HasPrefix(name, "i:") {
			return name
		}
		return "f:" + name
	}
	switch said := said.(type) {
	case map[string]any:
		for name, below := range said {
			fields[field(name)] = fieldsV1(below)
		}
	case []any:
		for _, name := range said {
			fields[field(text(name))] = map[string]any{}
		}
	}
	return fields
}

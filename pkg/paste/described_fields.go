package paste

import (
	"slices"
	"strings"
	"time"
)

// nested returns what is written below one another, further to the right each: a map of labels, a list of texts, or,
// where labels come again, a list of maps (k8s v1.37 kubectl/pkg/describe/describe.go:printUnstructuredContent, which
// sorts the keys of a map).
func nested(lines []string) any {
	var texts []any
	var maps []map[string]any
	last := ""
	for at := 0; at < len(lines); {
		own := strings.TrimSpace(lines[at])
		end := at + 1
		for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || indentation(lines[end]) > indentation(lines[at])) {
			end++
		}
		below := lines[at+1 : end]
		at = end
		match := labelled.FindStringSubmatch(own)
		switch {
		case own == "":
			continue
		case match == nil:
			texts = append(texts, own)
			for _, more := range below {
				texts = append(texts, strings.TrimSpace(more))
			}
			continue
		case len(maps) == 0 || match[1] <= last && maps[len(maps)-1][fieldOf(match[1])] != nil:
			maps = append(maps, map[string]any{})
		}
		last = match[1]
		maps[len(maps)-1][fieldOf(last)] = labelValue(last, match[2], below)
	}
	switch {
	case len(maps) == 1:
		return maps[0]
	case len(maps) > 1:
		list := make([]any, len(maps))
		for i, one := range maps {
			list[i] = one
		}
		return list
	case texts != nil:
		return texts
	}
	return nil
}

// part is the rest of the line that a label begins at the margin of a description, and the lines below it; nil where
// there is none.
func part(lines []string, label string) []string {
	for at, line := range lines {
		behind, is := strings.CutPrefix(line, label+":")
		if !is {
			continue
		}
		end := at + 1
		for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || indentation(lines[end]) > 0) {
			end++
		}
		return append([]string{behind}, lines[at+1:end]...)
	}
	return nil
}

// labelValue is what is behind a label, or below it.
func labelValue(label, behind string, below []string) any {
	switch {
	case label == "Used By", label == "Mounted By": // one below the other
		values := []any{behind}
		for _, more := range below {
			values = append(values, strings.TrimSpace(more))
		}
		return values
	case behind == "true", behind == "false":
		return behind == "true"
	case behind != "":
		return behind
	}
	value := nested(below)
	if slices.Contains([]string{"Conditions", "Owner References", "Finalizers", "Versions", "Short Names"}, label) {
		switch value.(type) {
		case map[string]any, string:
			return []any{value}
		}
	}
	return value
}

// fieldOf is the field that a label stands for: deletionTimestamp of Deletion Timestamp, apiVersion of API Version.
func fieldOf(label string) string {
	words := strings.Fields(label)
	words[0] = lowered(words[0])
	return strings.Join(words, "")
}

// lowered writes the first word of a label small: all of it if it is an abbreviation.
func lowered(word string) string {
	if word == strings.ToUpper(word) {
		return strings.ToLower(word)
	}
	return strings.ToLower(word[:1]) + word[1:]
}

// conditionTable reads the table of conditions in a description. A message may be wrapped.
func conditionTable(described any) (conditions []any) {
	rows, _ := described.([]any)
	var columns []column
	for _, row := range rows {
		text, _ := row.(string)
		switch {
		case strings.HasPrefix(text, "Type"):
			columns = columnsOf(text)
		case strings.HasPrefix(text, "----"), columns == nil:
		default:
			if condition := conditionRow(text, columns); condition != nil {
				conditions = append(conditions, condition)
			}
		}
	}
	return conditions
}

func conditionRow(text string, columns []column) any {
	parts := wide.Split(text, len(columns))
	if len(parts) != len(columns) {
		return nil
	}
	condition := map[string]any{}
	for i, column := range columns {
		field, value := lowered(column.name), parts[i]
		if strings.HasSuffix(field, "Time") {
			at, err := time.Parse(time.RFC1123Z, value)
			if err != nil {
				continue
			}
			value = at.UTC().Format(time.RFC3339)
		}
		condition[field] = value
	}
	return condition
}

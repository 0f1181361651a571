package statuses

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

func conditionReports(status map[string]any, context statusContext) (reports []Report) {
	for _, one := range conditionsOf(status) {
		if !troubled(one.kind, one.status, joined(one.reason, withoutNames(one.message, context.names...))) {
			continue
		}
		report := context.ofCondition(one)
		if report.Words == "" {
			report.Words = one.kind
		}
		report.Loose = polarityOf(one.kind) != bad && Judge(one.reason) != Trouble
		reports = append(reports, report)
	}
	return reports
}

// fieldReports reads the fields in which controllers without conditions put what went wrong.
func fieldReports(status map[string]any, context statusContext) (reports []Report) {
	say := func(field, words string) {
		own, by := context.of("f:" + field)
		report := own.report("status."+field, words)
		report.By = by
		reports = append(reports, report)
	}
	judge := func(words string) Sense { return JudgeAbout(words, context.names...) }
	for _, field := range errorFields() {
		for _, words := range errorTexts(status[field]) {
			if Judge(field+": "+withoutNames(words, context.names...)) == Trouble && !past(words) {
				say(field, words)
			}
		}
	}
	for _, field := range stateFields() {
		if value := text(status, field); judge(value) == Trouble {
			say(field, joined(value, saidBeside(status)))
			return reports
		}
	}
	message, reason := text(status, "message"), text(status, "reason")
	switch {
	case len(reports) > 0:
	case judge(message) == Trouble:
		say("message", message)
		reports[len(reports)-1].Loose = true
	case judge(joined(reason, message)) == Trouble:
		say("reason", joined(reason, message))
	}
	if len(reports) == 0 {
		for _, statement := range slices.Concat(failedDeletions(status), listed(status), troubledParts(status)) {
			field, _, _ := strings.Cut(strings.TrimPrefix(statement.Where, "status."), ".")
			field, _, _ = strings.Cut(field, "[")
			own, by := context.of("f:" + field)
			report := own.report(statement.Where, statement.Words)
			report.By, report.Loose = by, true
			reports = append(reports, report)
		}
	}
	if len(reports) == 0 {
		reports = errorsWithin(status, context)
	}
	return reports
}

// errorTexts are the texts of a field for errors: a text, an object with a message, or a list of these.
func errorTexts(value any) (texts []string) {
	switch value := value.(type) {
	case string:
		if value != "" {
			texts = append(texts, value)
		}
	case map[string]any:
		words := cmp.Or(firstText(value, explainingFields()...), text(value, "error"), anyStatement(value))
		if words = joined(text(value, "reason"), words); words != "" {
			texts = append(texts, words)
		}
	case []any:
		for _, one := range value {
			texts = append(texts, errorTexts(one)...)
		}
	}
	return texts
}

// listed are the statements of trouble in lists of a status, other than its conditions: of what it consists of, or in
// steps. What is kept of the past is left out.
func listed(status map[string]any) (found []Statement) {
	for _, statement := range statementsOf(status) {
		inList := strings.Contains(statement.Where, "[") && !strings.HasPrefix(statement.Where, "status.conditions[")
		if inList && !bygone(statement.Where) && Judge(statement.Words) == Trouble {
			found = append(found, statement)
		}
	}
	return found
}

// bygone reports whether a field keeps what has been.
func bygone(where string) bool {
	return slices.ContainsFunc([]string{"history", "previous", "past", "events", "log"}, func(word string) bool {
		return slices.Contains(wordsOf(where), word)
	})
}

// troubledParts are the states of trouble of what a status consists of by name, with what is said beside each:
// status.stores.blobs of {state: Error, message: …}. A part in a list is among what is listed.
func troubledParts(status map[string]any) (found []Statement) {
	var walk func(path string, part map[string]any)
	walk = func(path string, part map[string]any) {
		for _, name := range slices.Sorted(maps.Keys(part)) {
			below, is := part[name].(map[string]any)
			if !is {
				continue
			}
			here := path + "." + name
			for _, field := range partStateFields() {
				if state := text(below, field); Judge(state) == Trouble && !bygone(here) {
					words := joined(state, saidBeside(below))
					found = append(found, Statement{Where: here + "." + field, Words: words})
				}
			}
			walk(here, below)
		}
	}
	walk("status", status)
	return found
}

// failedDeletions are fields that are named for the cleanup, and whose one word says that it went wrong, with what is
// said beside: deprovision: failed.
func failedDeletions(status map[string]any) (found []Statement) {
	for _, field := range slices.Sorted(maps.Keys(status)) {
		words := slices.DeleteFunc(wordsOf(field), func(word string) bool {
			return strings.HasPrefix(word, "releas") // as Helm makes them
		})
		if state := text(status, field); SpeaksOfDeletion(strings.Join(words, " ")) && !bygone(field) &&
			!IsStatement(state) && Judge(state) == Trouble {
			found = append(found, Statement{Where: "status." + field, Words: joined(state, saidBeside(status))})
		}
	}
	return found
}

// saidBeside is what a part of a status says beside its state: the reason, and the first text that explains it.
func saidBeside(part map[string]any) string {
	return joined(text(part, "reason"), firstText(part, explainingFields()...))
}

// firstText is the first text in some fields.
func firstText(part map[string]any, fields ...string) string {
	for _, field := range fields {
		if said := text(part, field); said != "" {
			return said
		}
	}
	return ""
}

// anyStatement is the first text of more than one word in a part of a status, whatever its field is called.
func anyStatement(part map[string]any) string {
	for _, field := range slices.Sorted(maps.Keys(part)) {
		if said := text(part, field); IsStatement(said) {
			return said
		}
	}
	return ""
}

// explainingFields are the ones that say in words what a state means, the one that most use first.
func explainingFields() []string { return []string{"message", "description", "detail", "details"} }

func errorFields() []string {
	return []string{
		"error", "errors", "errorMessage", "lastError", "lastErrors", "failureMessage", "failures", "deletionError",
		"deletionErrors", "problems",
	}
}

func stateFields() []string { return []string{"phase", "state"} }

// partStateFields are those for the state of a part of a status: health of {status: Degraded, message: …}.
func partStateFields() []string { return append(stateFields(), "status", "health") }

// TellsTrouble reports whether a field of a part of a status is for its state, and says that it is in trouble.
func TellsTrouble(field, value string) bool {
	return slices.Contains(stateFields(), field) && Judge(value) == Trouble
}

// TellingFields are the fields of a status, beside its conditions, in which Reports looks for trouble.
func TellingFields() []string { return slices.Concat(errorFields(), stateFields(), explainingFields()) }

// ListsErrors reports whether a field of a status has a name for a list of errors.
func ListsErrors(field string) bool {
	return strings.HasSuffix(field, "s") && slices.Contains(errorFields(), field)
}

// past reports whether a field for errors says that there is none, or none any more.
func past(words string) bool {
	sense := Judge(words)
	return sense == Fine || sense == Conflict
}

func joined(reason, message string) string { return strings.Trim(reason+": "+message, ": ") }

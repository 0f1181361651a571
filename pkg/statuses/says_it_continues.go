package statuses

import (
	"slices"
	"strings"
	"unicode"
)

// Continues reports whether a controller's words say that a deletion continues, or that nothing is in its way. Whoever
// is told to wait is told so for what was understood: words in another language, of a person who must do something, or
// of what holds it back, don't say that. Some names may be in them, as for JudgeAbout.
func Continues(words string, names ...string) bool {
	if strings.ContainsFunc(words, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) }) {
		return false
	}
	sense, s := JudgeAbout(words, names...), Split(withoutNames(words, names...))
	switch {
	case sense == Conflict: // it tries again
		return true
	case sense == Trouble, slices.ContainsFunc(s, func(w word) bool { return w.in(holdsBack) }):
		return false
	case sense == Fine:
		return true
	case slices.ContainsFunc(s, func(w word) bool { return w.in(qualifies) }):
		return false
	}
	for i, w := range s { // it does, or has done: "dropped 3 tables", and not "access was dropped"
		if w.in(releases) || (w.in(deed) || w.in(dealt)) && (i == 0 || s[i-1].ends() || s[i-1].is(",")) {
			return true
		}
	}
	return slices.ContainsFunc([]string{
		"in progress", "under way", "shutting down", "tearing down", "still has", "still have",
	}, s.has)
}

// HoldsBack reports whether a word in a controller's words speaks of a person, or of what keeps a deletion from
// continuing until someone acts: Paused, WaitingForApproval.
func HoldsBack(words string) bool {
	return slices.ContainsFunc(Split(withoutNames(words)), func(w word) bool { return w.in(holdsBack) })
}

// holdsBack reports whether a word speaks of a person, or of what keeps a deletion from continuing until someone acts.
func holdsBack(w string) bool {
	switch w {
	case "protect", "protected", "protection", "protects", "paused", "pause", "pauses", "suspended", "suspend", "suspends",
		"disabled", "disable", "human", "person", "someone", "somebody", "people",
		"approval", "approve", "approved", "approver", "approves", "confirm", "confirmation", "confirmed", "confirms",
		"manual",
		"manually", "administrator", "administrators", "admin", "admins", "user", "customer", "owner", "team",
		"annotate", "annotation", "lock", "locked", "locks", "hold", "holds", "held", "holding", "retain", "retains",
		"keep", "keeps", "must", "need", "needs", "needed", "require", "requires", "required", "please", "decision", "decide",
		"review", "ticket", "legal", "freeze", "frozen", "postponed", "deferred", "overdue", "won't", "refuse", "never",
		"unless", "nobody", "impossible", "rc", "errno", "exit", "exited", "signal", "veto", "consent", "unmanaged",
		"blocked",
		"blocking", "blocks", "stale", "maintenance", "quota", "licence", "license":
		return true
	}
	return false
}

// qualifies reports whether a word may say that something else is the case than the words around it seem to say.
func qualifies(w string) bool {
	switch w {
	case "skip", "skipped", "skipping", "skips", "off", "users", "retained", "retention", "kept", "policy", "policies",
		"ignore",
		"ignored", "ignores", "ignoring", "scheduled", "window", "delayed", "without", "only", "because", "although", "since",
		"nothing", "again", "attempt", "attempts", "yet", "not", "no", "backoff", "bypass", "permission", "permit", "allow",
		"allowed", "ask", "asked", "asks", "reply", "replies", "answer", "answers", "response", "busy", "full", "used",
		"referenced", "references", "exists", "exist", "unknown", "but", "however", "until":
		return true
	}
	return false
}

// releases reports whether a word says that something is being taken down.
func releases(w string) bool {
	switch w {
	case "deleting", "removing", "draining", "detaching", "terminating", "releasing", "cleaning", "evicting", "unmounting",
		"deprovisioning", "destroying", "purging", "wiping", "erasing", "archiving", "uploading", "unloading", "emptying",
		"revoking", "dropping", "stopping", "closing", "flushing", "migrating", "moving", "copying", "snapshotting",
		"disconnecting", "unregistering", "deregistering", "decommissioning", "finalizing", "reclaiming", "pruning",
		"uninstalling", "undeploying", "unbinding", "dismantling", "handing", "transferring", "leaving", "deallocating",
		"deletion", "removal", "removed", "deleted", "released", "drained", "detached", "evicted", "terminated", "purged",
		"progressing", "reconciling", "demoting", "promoting", "reassigning", "rebalancing", "killing", "powering":
		return true
	}
	return false
}

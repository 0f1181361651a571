package statuses

// badWord reports whether a word alone says that something is wrong.
func badWord(w string) bool {
	switch w {
	case "err", "error", "errors", "errored", "fail", "fails", "failed", "failing", "failure", "failures",
		"fault", "faulted", "fatal", "denied", "denies", "forbidden", "refused", "refuses", "refusing",
		"rejected", "rejects", "unable", "cannot", "can't", "couldn't", "unauthorized", "unauthorised",
		"unauthenticated", "invalid", "malformed", "unsupported", "illegal", "exception", "panic", "crash",
		"crashed", "crashes", "crashing", "crashloop", "abort", "aborted", "aborting", "violation",
		"violations", "violate", "violates", "insufficient", "expired", "mismatch", "mismatched", "corrupt",
		"corrupted", "broken", "stuck", "hangs", "hung", "unreachable", "inaccessible", "exceeded", "exceeds",
		"timeout", "throttled", "throttling", "exhausted", "unexpected", "unresolved", "unresolvable",
		"unrecoverable", "misconfigured", "wrong", "incorrect", "eof", "oomkilled", "killed", "x509",
		"unmarshal", "prevented", "problem", "problems":
		return true
	}
	return false
}

// weakWord reports whether a word says so unless it is in what is waited for.
func weakWord(w string) bool {
	switch w {
	case "blocked", "blocks", "blocking", "stalled", "degraded", "unhealthy", "missing", "unavailable", "lost",
		"locked", "interrupted":
		return true
	}
	return false
}

// troublePhrases are the ones that begin with a word and say that something is wrong. Some of these words would
// otherwise take trouble back.
func troublePhrases(first string) []string {
	switch first {
	case "timed":
		return []string{"timed out"}
	case "deadline":
		return []string{"deadline exceeded"}
	case "manual":
		return []string{"manual approval", "manual intervention", "manual action", "manual confirmation", "manual step"}
	case "approval":
		return []string{"approval required", "approval is required", "approval needed"}
	case "requires":
		return []string{"requires approval", "requires confirmation", "requires human"}
	case "giving":
		return []string{"giving up"}
	case "gave":
		return []string{"gave up"}
	case "too":
		return []string{"too many requests"}
	case "bad":
		return []string{"bad gateway", "bad request", "bad credentials"}
	case "reset":
		return []string{"reset by peer"}
	case "out":
		return []string{"out of memory", "out of quota"}
	case "backoff":
		return []string{"backoff limit"}
	case "back":
		return []string{"back off"}
	case "unknown":
		return []string{"unknown authority"}
	case "has":
		return []string{"has dependents", "has dependencies"}
	case "handshake":
		return []string{"handshake failure"}
	case "in":
		return []string{"in error"}
	case "disk":
		return []string{"disk full"}
	}
	return negatedPhrases(first)
}

// negatedPhrases are the ones of troublePhrases that say that something is not so.
func negatedPhrases(first string) []string {
	switch first {
	case "can":
		return []string{"can not"}
	case "could":
		return []string{"could not"}
	case "must":
		return []string{"must not be"}
	case "not":
		return []string{"not authorized", "not authorised", "not allowed", "not permitted", "not supported",
			"not possible", "not empty", "not configured", "not connected", "not initialized", "not valid",
			"not recognized", "not enough", "not registered", "not found", "not specified"}
	case "does":
		return []string{"does not exist", "does not allow", "does not have", "does not support",
			"does not match"}
	case "don't":
		return []string{"don't have"}
	case "doesn't":
		return []string{"doesn't exist", "doesn't allow", "doesn't have", "doesn't match"}
	case "no":
		return []string{"no such", "no route", "no space", "no healthy", "no valid", "no credentials",
			"no endpoints", "no matches", "no permission", "no permissions"}
	}
	return nil
}

// waits are phrases by which something says what it waits for; retries, that it will try again, or is at it.
func waits() []string {
	return []string{
		"waiting", "waits for", "wait for", "awaiting", "awaits", "pending", "still has", "still have", "still attached",
		"will be deleted by",
	}
}

func retries() []string {
	return []string{"in progress", "requeued", "requeueing", "retrying", "draining", "not ready"}
}

// harmless are reasons that sound ill, and by which nothing is wrong.
func harmless() []string {
	return []string{"unconsolidatable"} // Karpenter: there is no cheaper node
}

// succeeds are words by which something says that all went well.
func succeeds(w string) bool {
	switch w {
	case "succeeded", "success", "successful", "successfully", "completed", "complete", "finished", "done",
		"reconciled", "synced", "ready", "healthy", "ok":
		return true
	}
	return false
}

// nothing are the values by which a field says that there is none.
func nothing(w string) bool {
	switch w {
	case "0", "none", "nil", "null", "false", "no", "empty", "unset":
		return true
	}
	return false
}

// attribute are the words of trouble that may say what sort of thing something is.
func attribute(w string) bool {
	switch w {
	case "failed", "failing", "errored", "degraded", "unreachable", "invalid", "expired", "stalled",
		"unhealthy", "stuck", "broken", "corrupt", "corrupted", "lost", "blocked", "crashed", "rejected",
		"faulted", "missing", "unavailable", "mismatched", "denied", "refused", "aborted", "throttled":
		return true
	}
	return false
}

// particle are words before which a word of trouble says what became of something, not what sort of thing it is.
func particle(w string) bool {
	switch w {
	case "again", "by", "to", "because", "due", "after", "for", "on", "at", "while", "when", "as", "from",
		"since", "until", "and", "or", "during", "before", "this", "it", "within", "without", "via", "through",
		"but", "that", "which", ",", "/":
		return true
	}
	return false
}

// dealing are words before what is dealt with; dealt, behind it.
func dealing(w string) bool {
	switch w {
	case "deleting", "removing", "replacing", "restarting", "pruning", "cleaning", "skipping", "purging",
		"rebuilding", "remediating", "remediation", "retrying", "recreating", "rescheduling", "evicting",
		"previously", "waiting", "cleanup":
		return true
	}
	return dealt(w)
}

func dealt(w string) bool {
	switch w {
	case "deleted", "removed", "replaced", "restarted", "pruned", "cleaned", "skipped", "purged", "rebuilt",
		"remediated", "recreated", "rescheduled", "evicted", "retried":
		return true
	}
	return false
}

// over are words by which trouble is over.
func over(w string) bool {
	switch w {
	case "resolved", "recovered", "cleared", "fixed", "repaired", "healed", "ignored", "ignoring", "tolerated",
		"suppressed", "corrected", "mitigated", "solved":
		return true
	}
	return false
}

package statuses

// idle reports whether a word beside a number says that it doesn't count what is done or left: time, attempts, trouble,
// what its writer counts about itself, and what goes up and down by itself.
func idle(word string) bool {
	switch word {
	case "time", "times", "timestamp", "epoch", "unix", "age", "uptime", "elapsed", "second", "seconds", "sec", "secs",
		"s", "ms", "millis", "minute", "minutes", "min", "mins", "m", "hour", "hours", "h", "day", "days", "ttl",
		"timeout", "deadline",
		"delay", "interval", "duration", "since", "until", "after", "ago", "next", "last",
		"attempt", "attempts", "try", "tries", "retry", "retries", "retrying", "backoff", "again", "restart", "restarts",
		"reconcile", "reconciles", "reconciled", "reconciliation", "reconciliations", "reconciling", "reconciler", "sync",
		"syncs", "synced", "loop", "loops", "iteration", "iterations", "pass", "round", "rounds", "cycle", "cycles",
		"heartbeat", "heartbeats", "beat", "beats", "tick", "ticks", "pulse", "probe", "probes", "check", "checks", "poll",
		"polls", "observed", "generation", "revision", "version", "resourceversion", "sequence", "seq", "serial", "id", "ids",
		"hash", "checksum", "port", "nonce", "nodename",
		"error", "errors", "failure", "failures", "failed", "fail", "fails", "failing", "warning", "warnings", "exception",
		"exceptions", "rc", "code", "exit", "status", "http", "denied", "rejected", "refused",
		"cpu", "memory", "mem", "load", "lag", "latency", "rate", "qps", "free", "available", "capacity", "temperature",
		"usage",
		"used", "utilization", "millicores", "throughput", "bps", "pid", "weight", "priority":
		return true
	}
	return false
}

// deed reports whether a word says of a number that it counts what is done.
func deed(word string) bool {
	switch word {
	case "deleted", "removed", "done", "completed", "complete", "finished", "processed", "succeeded", "successful",
		"cleaned",
		"drained", "evicted", "migrated", "moved", "released", "detached", "unmounted", "reclaimed", "purged", "archived",
		"uploaded", "copied", "dropped", "wiped", "erased", "killed", "stopped", "terminated", "revoked", "closed", "freed",
		"pruned", "flushed", "handled", "shredded", "destroyed", "handed", "transferred", "progress", "percent",
		"percentage":
		return true
	}
	return false
}

// remainder reports whether a field's last word says that it counts what is left.
func remainder(word string) bool {
	switch word {
	case "left", "remaining", "pending", "outstanding", "todo", "queued", "queue", "backlog", "remainder", "count",
		"total",
		"number", "open", "busy", "held", "active", "alive", "still", "remain", "remains":
		return true
	}
	return false
}

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

// deed reports whether a word says of a number that it counts what is done of a deletion. What a controller does all
// the time is none: processed, handled, closed, flushed.
func deed(word string) bool {
	switch word {
	case "deleted", "removed", "done", "completed", "finished", "cleaned", "drained", "evicted", "migrated", "moved",
		"released", "detached", "unmounted", "reclaimed", "purged", "wiped", "erased", "killed", "stopped", "terminated",
		"revoked", "freed", "pruned", "shredded", "destroyed", "decommissioned", "deregistered", "uninstalled",
		"unregistered", "dismantled", "emptied":
		return true
	}
	return false
}

// share reports whether a word says of a number that it is the part of something that is done.
func share(word string) bool {
	return word == "progress" || word == "percent" || word == "percentage" || word == "complete"
}

// remainder reports whether a word says of a number that it counts what is left.
func remainder(word string) bool {
	switch word {
	case "left", "remaining", "pending", "outstanding", "todo", "backlog", "remainder", "still", "remain", "remains",
		"undeleted":
		return true
	}
	return false
}

// deleting reports whether a word names a deletion, or a part of one.
func deleting(word string) bool {
	switch word {
	case "deletion", "deleting", "delete", "cleanup", "cleaning", "teardown", "finalization", "finalizing", "termination",
		"terminating", "removal", "drain", "draining", "eviction", "decommission", "deprovisioning", "uninstall":
		return true
	}
	return false
}

// gauge reports whether a word says of a number that it goes up and down while something serves.
func gauge(word string) bool {
	switch word {
	case "connections", "connection", "sessions", "session", "requests", "request", "clients", "client", "streams",
		"consumers", "subscribers", "users", "watchers", "queries", "transactions", "messages", "threads", "workers",
		"active", "open", "busy", "idle", "online", "ready", "healthy", "running", "disk", "full", "health", "cache":
		return true
	}
	return false
}

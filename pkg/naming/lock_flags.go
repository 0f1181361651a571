package naming

import (
	"regexp"
	"strings"
)

// LockFlag is what an argument of a program says about the lock of its election.
type LockFlag int

// What arguments say.
const (
	NoLockFlag LockFlag = iota
	LockName
	LockNamespace
)

// LockFlagOf says what an argument's name stands for: --leader-election-id and --leader-election-namespace of
// controller-runtime's projects, --leader-elect-resource-name of Kubernetes' programs, --election-id and the like.
func LockFlagOf(flag string) LockFlag {
	if !strings.HasPrefix(flag, "-") {
		return NoLockFlag
	}
	flag = strings.ToLower(strings.TrimLeft(flag, "-"))
	const lock = `^(leader[-_.]?)?elect(ion)?([-_.]?(resource|lock|lease))?[-_.]?`
	switch {
	case regexp.MustCompile(lock + `(id|name)$`).MatchString(flag):
		return LockName
	case regexp.MustCompile(lock + `namespace$`).MatchString(flag):
		return LockNamespace
	}
	return NoLockFlag
}

// LockIn returns the lock that some arguments name, and its namespace if they name one.
func LockIn(words []string) (namespace, name string) {
	for i, word := range words {
		flag, value, has := strings.Cut(word, "=")
		if !has && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			value = words[i+1]
		}
		switch LockFlagOf(flag) {
		case LockName:
			name = value
		case LockNamespace:
			namespace = value
		}
	}
	return namespace, name
}

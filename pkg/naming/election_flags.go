package naming

import (
	"regexp"
	"slices"
	"strings"
)

// ElectionOff reports whether a program's argument says not to elect a leader: --leader-elect=false,
// --enable-leader-election=0, --disable-leader-election. What is in a file isn't seen.
func ElectionOff(text string) bool {
	return anyFlag(text, `^(enable[-_.]?)?leader[-_.]?elect(ion)?([-_.]?enabled?)?=(false|f|0|no|off|disabled)$`,
		`^(disable|no)[-_.]?leader[-_.]?elect(ion)?(=(true|t|1|yes|on))?$`)
}

// ElectionOn reports whether one says to elect a leader.
func ElectionOn(text string) bool {
	return anyFlag(text, `^(enable[-_.]?)?leader[-_.]?elect(ion)?([-_.]?enabled?)?(=(true|t|1|yes|on|enabled))?$`)
}

// anyFlag reports whether a word of an argument matches one of some patterns. A recording has other words beside it.
func anyFlag(text string, patterns ...string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(word string) bool {
		word = strings.TrimLeft(word, "-")
		return slices.ContainsFunc(patterns, func(name string) bool { return regexp.MustCompile(name).MatchString(word) })
	})
}

// Package spelling compares names with what people have typed. It reads nothing.
//
// This package may change at any time.
package spelling

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Closest returns the names with the lowest numbers, so many at most, the lowest first.
func Closest(most int, numbers map[string]int) []string {
	names := slices.SortedFunc(maps.Keys(numbers), func(a, b string) int {
		return cmp.Or(numbers[a]-numbers[b], strings.Compare(a, b))
	})
	return names[:min(most, len(names))]
}

// Near returns the names that are a slip of the finger away from a typed one, so many at most, the closest first.
func Near(most int, typed string, names []string) []string {
	near := map[string]int{}
	for _, name := range names {
		if IsNear(typed, name) {
			near[name] = Distance(typed, name)
		}
	}
	return Closest(most, near)
}

// Meant completes an error about a text that is none of some names with the names that are like it (see Like).
func Meant(typed string, names []string) string { return DidYouMean(Like(typed, names)) }

// DidYouMean completes an error with the names that were probably meant. It is empty if there are none.
func DidYouMean(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(names, " or ") + "?"
}

// Like returns up to three names that are a slip of the finger away from a typed one, or begin like it, in whatever
// case, the closest first.
func Like(typed string, names []string) []string {
	const most = 3
	near, lower := map[string]int{}, strings.ToLower(typed)
	for _, name := range names {
		if max(len(typed), len(name)) > longest {
			continue
		}
		other := strings.ToLower(name)
		if other == lower {
			return []string{name}
		}
		if begins := len(typed) > 2 && strings.HasPrefix(other, lower); begins || IsNear(lower, other) {
			near[name] = Distance(typed, name)
		}
	}
	return Closest(most, near)
}

// longest is the length of words that are compared: two names and a slash. To compare takes the product of the lengths.
const longest = 2*253 + 1

// IsNear reports whether a name is a slip of the finger away. Of short ones everything is, of endless ones nothing.
func IsNear(wanted, name string) bool {
	if max(len(wanted), len(name)) > longest {
		return false
	}
	most, gap := max(1, len(wanted)/4), len(wanted)-len(name) // so many letters differ at least
	return min(len(wanted), len(name)) > 2 && max(gap, -gap) <= most && Distance(wanted, name) <= most
}

// IsMisspelt reports whether a text is probably a misspelling of a name: up to two letters of a long one are wrong.
// Other digits are another version, and no slip.
func IsMisspelt(text, name string) bool {
	const most, long = 2, 8
	gap := len(text) - len(name)
	return text != name && len(name) >= long && max(gap, -gap) <= most && unlike(text, name) <= most &&
		digits(text) == digits(name) && Distance(text, name) <= most
}

// unlike is the number of letters that one text has and the other has not, wherever they stand: at least so many differ
// (see Distance). It takes the sum of the lengths, and not their product.
func unlike(a, b string) int {
	var surplus [256]int
	for i := range len(a) {
		surplus[a[i]]++
	}
	for i := range len(b) {
		surplus[b[i]]--
	}
	more, fewer := 0, 0
	for _, count := range surplus {
		more, fewer = more+max(count, 0), fewer+max(-count, 0)
	}
	return max(more, fewer)
}

// IsTypo reports whether a text is probably a misspelling of the name of something that is there: as IsMisspelt does,
// or one letter of a short name is wrong. Of three letters nothing is left to recognise.
func IsTypo(text, name string) bool {
	const short, least = 8, 4
	return IsMisspelt(text, name) || text != name && len(name) < short && max(len(text), len(name)) >= least &&
		digits(text) == digits(name) && IsNear(text, name)
}

// IsSlip reports whether a text is a misspelling of a name that nothing but the two suggests: as IsMisspelt does, and
// what differs are long words, by more than an ending, or where words end. Short words that differ are other names, as
// pvc and pv are, and another ending may be another release's.
func IsSlip(text, name string) bool {
	const long = 6
	if !IsMisspelt(text, name) {
		return false
	}
	of, meant := words(text), words(name)
	if strings.Join(of, "") == strings.Join(meant, "") {
		return true
	}
	if len(of) != len(meant) {
		return false
	}
	for i := range of {
		ending := strings.TrimSuffix(of[i], "s") == strings.TrimSuffix(meant[i], "s")
		if of[i] != meant[i] && (ending || min(len(of[i]), len(meant[i])) < long) {
			return false
		}
	}
	return true
}

// words are the words of a name: an upper-case letter begins one too.
func words(name string) (all []string) {
	begins := true
	for _, r := range name {
		if strings.ContainsRune("./-_", r) {
			begins = true
			continue
		}
		if begins || 'A' <= r && r <= 'Z' {
			all = append(all, "")
		}
		all[len(all)-1] += strings.ToLower(string(r))
		begins = false
	}
	return all
}

func digits(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// Distance is the number of letters to insert, delete, replace or swap with a neighbour.
func Distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		current := make([]int, len(b)+1)
		current[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			current[j+1] = min(last[j+1]+1, current[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				current[j+1] = min(current[j+1], before[j-1]+1)
			}
		}
		before, last = last, current
	}
	return last[len(b)]
}

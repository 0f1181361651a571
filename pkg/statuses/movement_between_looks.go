package statuses

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Move is what moved in a status between two looks.
type Move struct {
	Where    string // status.remaining
	From, To string
}

// String says what moved, for people.
func (m Move) String() string { return m.Where + " went from " + m.From + " to " + m.To }

// Moves returns what moved in an object's status between two looks: a condition's status or reason, and a number that
// counts what is done or left. What only shows that its writer lives is no movement: times, generations, numbers of
// attempts and errors, gauges, and messages that are merely worded anew.
func Moves(before, after *unstructured.Unstructured) (moves []Move) {
	if before == nil || after == nil {
		return nil
	}
	old, _, _ := unstructured.NestedMap(before.Object, "status")
	now, _, _ := unstructured.NestedMap(after.Object, "status")
	moves = turned(conditionsOf(old), conditionsOf(now))
	eachPair("status", old, now, func(where string, from, to any) {
		switch was := from.(type) {
		case string:
			is, text := to.(string)
			field := where[strings.LastIndex(where, ".")+1:]
			if text && was != is && Tells(field) && countsOn(was, is) {
				moves = append(moves, Move{Where: where, From: quoted(was), To: quoted(is)})
			}
		default:
			from, isNumber := amount(from)
			to, stillNumber := amount(to)
			if isNumber && stillNumber && progressive(where, from, to) {
				moves = append(moves, Move{
					Where: where, From: strconv.FormatFloat(from, 'f', -1, 64), To: strconv.FormatFloat(to, 'f', -1, 64),
				})
			}
		}
	})
	return moves
}

// turned are the conditions whose status or reason is another one now, unless it is one for trouble that holds, or a
// number of attempts in a reason.
func turned(before, after []condition) (moves []Move) {
	for _, now := range after {
		at := slices.IndexFunc(before, func(old condition) bool { return old.kind == now.kind })
		if now.kind == "" || at < 0 {
			continue
		}
		from, to := joined(before[at].status, before[at].reason), joined(now.status, now.reason)
		if from != to && !troubled(now.kind, now.status, now.words()) {
			moves = append(moves, Move{Where: "condition " + now.kind, From: from, To: to})
		}
	}
	return moves
}

// eachPair visits the values that two maps have in the same place. Entries of a list are in the same place if they have
// the same type or name, or else the same index.
func eachPair(path string, before, after map[string]any, visit func(where string, from, to any)) {
	for _, key := range slices.Sorted(maps.Keys(before)) {
		if now, both := after[key]; both {
			pair(path+"."+key, before[key], now, visit)
		}
	}
}

func pair(where string, before, after any, visit func(where string, from, to any)) {
	switch was := before.(type) {
	case map[string]any:
		if is, same := after.(map[string]any); same {
			eachPair(where, was, is, visit)
		}
	case []any:
		is, same := after.([]any)
		if !same {
			return
		}
		for i, one := range was {
			label, other := fmt.Sprint(i), any(nil)
			if i < len(is) {
				other = is[i]
			}
			if own, named := one.(map[string]any); named {
				for _, key := range []string{"type", "name"} {
					if id := text(own, key); id != "" {
						label, other = id, entryOf(is, key, id)
						break
					}
				}
			}
			pair(where+"["+label+"]", one, other, visit)
		}
	default:
		if after != nil {
			visit(where, before, after)
		}
	}
}

func entryOf(list []any, key, id string) any {
	at := slices.IndexFunc(list, func(one any) bool {
		fields, is := one.(map[string]any)
		return is && text(fields, key) == id
	})
	if at < 0 {
		return nil
	}
	return list[at]
}

func amount(value any) (float64, bool) {
	switch number := value.(type) {
	case int64:
		return float64(number), true
	case float64:
		return number, true
	}
	return 0, false
}

// progressive reports whether a number of a status tells that less is left of the deletion, or more of it is done, by
// its name and by where it is. Other numbers rise and fall while a controller serves: sessions, handled requests.
func progressive(where string, from, to float64) bool {
	field := strings.LastIndex(where, ".")
	words, above := wordsOf(where[field+1:]), wordsOf(where[:field])
	switch {
	case len(words) == 0 || from == to || slices.ContainsFunc(words, idle):
		return false
	case slices.ContainsFunc(words, deed), slices.ContainsFunc(words, share) && !slices.ContainsFunc(words, gauge):
		return to > from
	case slices.ContainsFunc(words, remainder):
		return to < from
	}
	ofDeletion := slices.ContainsFunc(append(above, words...), deleting)
	return to < from && ofDeletion && strings.HasSuffix(words[len(words)-1], "s")
}

// countsOn reports whether a text says the same as before with another number, which tells that less is left or more
// is done: "12 of 40 drained" and "13 of 40 drained", "3 machines left" and "2 machines left".
func countsOn(before, after string) bool {
	was, is := strings.Fields(before), strings.Fields(after)
	if len(was) != len(is) {
		return false
	}
	ends := slices.ContainsFunc(Split(after), func(w word) bool { return w.in(releases) || w.is("waiting") })
	moved := false
	for i := range was {
		if was[i] == is[i] {
			continue
		}
		from, whole, part := numberIn(was[i])
		to, other, parted := numberIn(is[i])
		if part != parted || whole != other || from < 0 || to < 0 {
			continue // a time, a name, or another word: it doesn't matter
		}
		near := nearby(is, i)
		part = part || i+2 < len(is) && strings.EqualFold(is[i+1], "of") && was[i+2] == is[i+2] && isCount(is[i+2])
		switch {
		case slices.ContainsFunc(near, idle):
		case part && !slices.ContainsFunc(append(near, nearby(is, min(i+2, len(is)-1))...), gauge),
			to > from && slices.ContainsFunc(near, deed),
			to < from && (slices.ContainsFunc(near, remainder) || ends && isPlural(is, i+1)):
			moved = true
		}
	}
	return moved
}

// nearby are the words around a number that say what it counts, in lower case and without marks: two before, and two
// behind.
func nearby(words []string, i int) (near []string) {
	for j := max(0, i-2); j < min(len(words), i+3); j++ {
		near = append(near, wordsOf(strings.ToLower(words[j]))...)
		if j != i && j < i && strings.HasSuffix(words[j], ".") {
			near = nil // of the sentence before
		}
	}
	return near
}

// numberIn reads a whole number, a percentage or a share such as 3/7, whose second part it returns; -1 for others.
func numberIn(word string) (number float64, whole string, share bool) {
	word = strings.Trim(word, "(),.;:[]\"'")
	word, whole, share = strings.Cut(word, "/")
	word, percent := strings.CutSuffix(word, "%")
	if percent {
		share, whole = true, "%"
	}
	if !isCount(word) || share && whole != "%" && !isCount(whole) {
		return -1, "", false
	}
	number, _ = strconv.ParseFloat(word, 64) // of digits only, it never fails
	return number, whole, share
}

// isPlural reports whether a word is there that looks like a noun in the plural.
func isPlural(words []string, i int) bool {
	return i < len(words) && len(words[i]) > 2 && strings.HasSuffix(strings.Trim(words[i], "(),.;:"), "s")
}

func isCount(word string) bool {
	word = strings.Trim(word, "(),.;:[]\"'")
	return word != "" && len(word) <= 9 && strings.Trim(word, "0123456789") == ""
}

func quoted(words string) string { return "\"" + words + "\"" }

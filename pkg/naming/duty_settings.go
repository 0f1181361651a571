package naming

import (
	"slices"
	"strings"
)

// Duty is what a variable or a flag says of whether a program acts on objects of a kind.
type Duty int

// What it says.
const (
	DutyUnsaid Duty = iota
	DutyOff
	DutyPerhapsOff // a list of controllers that are on has none that is named after the kind
)

// DutyOf says whether a setting switches off what a program does with a kind, by the words of its name and its value:
// --controllers=*,-widget, --disable-controllers=widget, --enable-widget-controller=false, and for all kinds --dry-run,
// --paused, and --enable-reconciliation=false.
// kinds are the names of the kind in small letters, as its singular and its plural.
func DutyOf(name, value string, kinds ...string) Duty {
	words := settingWords(name)
	if len(words) == 0 {
		return DutyUnsaid
	}
	value = strings.Trim(value, `"' `)
	last := words[len(words)-1]
	off := slices.ContainsFunc(words[:len(words)-1], func(word string) bool {
		return slices.Contains([]string{"disable", "disabled", "exclude", "excluded", "skip", "skipped", "without"}, word)
	})
	switch {
	case switchesAllOff(words, value):
		return DutyOff
	case last == "controllers" && len(words) <= 2:
		return dutyInList(value, off, kinds)
	case len(words) > 1:
		return dutyOfItsOwn(words, value, kinds)
	}
	return DutyUnsaid
}

// switchesAllOff reports whether a setting says of a program as a whole that it does nothing, or doesn't reconcile or
// delete: --dry-run, --read-only, --paused, PAUSE_ALL=true, --disable-reconcile, RECONCILE_ENABLED=false,
// --enable-deletion=false. What may be about something else, as --suspend-timeout or --pause-on-error, says nothing.
func switchesAllOff(words []string, value string) bool {
	stops := []string{"pause", "paused", "suspend", "suspended"}
	reconciles := []string{
		"reconcile", "reconciler", "reconciling", "reconciliation", "reconciliations", "deletion", "deletions",
	}
	in := func(list ...string) func(string) bool {
		return func(word string) bool { return slices.Contains(list, word) }
	}
	works, stopped := slices.ContainsFunc(words, in(reconciles...)), slices.ContainsFunc(words, in(stops...))
	off := stopped || slices.ContainsFunc(words, in("disable", "disabled", "skip", "stop"))
	rest := slices.DeleteFunc(slices.Clone(words), in(append(append(reconciles, stops...),
		"disable", "disabled", "enable", "enabled", "skip", "stop", "operator", "controller")...))
	if off {
		rest = slices.DeleteFunc(rest, in("all"))
	}
	switch {
	case slices.Equal(words, []string{"dry", "run"}), slices.Equal(words, []string{"no", "op"}),
		slices.Equal(words, []string{"read", "only"}):
		return yes(value)
	case len(rest) > 0 || !works && !stopped:
		return false
	case off:
		return yes(value)
	}
	return no(value)
}

// FinalizerDuty is what a finalizer's own name says that is done for it, as DutyOf compares it: gcsftrediscleanup of
// ray.io/gcs-ft-redis-cleanup-finalizer. A single word, as cleanup, may be about anything, and says nothing.
func FinalizerDuty(finalizer string) string {
	_, own, _ := strings.Cut(finalizer, "/")
	words := slices.DeleteFunc(settingWords(own), func(word string) bool {
		return word == "finalizer" || word == "finalizers"
	})
	if len(words) < 2 {
		return ""
	}
	return strings.Join(words, "")
}

// TellsDuty reports whether a setting may say what a program does, or for which share of the objects: a share, a list
// of controllers, or a truth value.
func TellsDuty(name, value string) bool {
	words := settingWords(name)
	if _, is := ShareOf(name); is || len(words) == 0 {
		return is
	}
	turns := func(word string) bool {
		return slices.Contains([]string{"enable", "enabled", "disable", "disabled", "dry"}, word)
	}
	if switchesAllOff(words, "true") || switchesAllOff(words, "false") {
		return switchWord(value)
	}
	return words[len(words)-1] == "controllers" && len(words) <= 2 ||
		len(words) > 1 && slices.ContainsFunc(words, turns) && switchWord(value)
}

// MaySet reports whether a setting may say what a program acts on, by its name alone.
func MaySet(name string) bool {
	return SettingOf(name) != NoLimit || TellsDuty(name, "true")
}

// dutyInList reads a list of controllers, which are named after their kinds. They are off, or they are on, where a star
// is all the others, and a dash before a name takes it out.
func dutyInList(value string, off bool, kinds []string) Duty {
	names := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(`,; []"'`, r) })
	isOn, others := false, len(names) == 0
	for _, name := range names {
		bare, out := strings.CutPrefix(name, "-")
		switch {
		case bare == "*":
			others = true
		case !named(bare, kinds):
			isOn = isOn || !off && !out && alludes(bare, kinds)
			others = others || out // as kube-controller-manager reads it, the rest has to be on
		case off || out:
			return DutyOff
		default:
			isOn = true
		}
	}
	if off || isOn || others || slices.ContainsFunc(names, switchWord) {
		return DutyUnsaid
	}
	return DutyPerhapsOff
}

// dutyOfItsOwn reads a setting for one kind: --enable-widgets=false, --disable-widget-controller, WIDGETS_ENABLED=no.
func dutyOfItsOwn(words []string, value string, kinds []string) Duty {
	rest := slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		return slices.Contains([]string{"enable", "enabled", "disable", "disabled", "controller", "reconciler"}, word)
	})
	has := func(some ...string) bool {
		return slices.ContainsFunc(some, func(word string) bool { return slices.Contains(words, word) })
	}
	if !slices.Contains(kinds, strings.Join(rest, "")) {
		return DutyUnsaid
	}
	if has("enable", "enabled") && no(value) || has("disable", "disabled") && yes(value) {
		return DutyOff
	}
	return DutyUnsaid
}

// named reports whether a controller has the name of a kind: widget, widgets, widget-controller.
func named(controller string, kinds []string) bool {
	return slices.Contains(kinds, plainDuty(controller))
}

// alludes reports whether a controller's name has the name of a kind in it, as certificates-issuing has.
func alludes(controller string, kinds []string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool {
		return strings.Contains(plainDuty(controller), strings.TrimSuffix(kind, "s"))
	})
}

func plainDuty(controller string) string {
	plain := strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(controller))
	return strings.TrimSuffix(strings.TrimSuffix(plain, "s"), "controller") + pluralEnd(plain)
}

// pluralEnd keeps the end of a plural that is no controller's.
func pluralEnd(plain string) string {
	if strings.HasSuffix(plain, "s") && !strings.HasSuffix(plain, "controllers") {
		return "s"
	}
	return ""
}

func switchWord(text string) bool { return yes(text) || no(text) }

func yes(value string) bool {
	return slices.Contains([]string{"", "true", "t", "1", "yes", "on", "enabled"}, strings.ToLower(value))
}

func no(value string) bool {
	return slices.Contains([]string{"false", "f", "0", "no", "off", "disabled"}, strings.ToLower(value))
}

// NamesOperatorNamespace reports whether the key of a label or an annotation says that its value is the namespace of
// the program that acts on the object.
func NamesOperatorNamespace(key string) bool {
	words := settingWords(key[strings.LastIndex(key, "/")+1:])
	return len(words) == 2 && words[1] == "namespace" &&
		slices.Contains([]string{"operator", "controller", "manager"}, words[0])
}

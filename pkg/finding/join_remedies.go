package finding

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// The commands of one step name so many objects, and are so many: a screen.
const mostTargets, mostCommands = 20, 5

// Join returns a step with the same step about another object, which is one more target of its command, or of one
// beside it: in another namespace, or for that object alone. another says that this object was not joined before; it
// wasn't either if the steps are about different objects and no command names it. The answer is
// false for anything else, and for what only looks: that is done with one example.
func (r Remedy) Join(more Remedy, another bool) (joined Remedy, same bool) {
	if r.Step != more.Step || r.Risk != more.Risk || len(r.Command) == 0 || r.Command.OnlyReads() ||
		r.Command.Asks("why") {
		return r, false
	}
	shape, place := more.Command.shape(), slices.IndexFunc(r.Commands(), more.Command.beside)
	targets := more.Command.targets()
	if len(targets) == 0 || !slices.Equal(shape, r.Command.shape()) ||
		more.Command.forOne() && !reflect.DeepEqual(more.Details, r.Details) {
		return r, false
	}
	details, is := r.Details.(StepDetails)
	other, too := more.Details.(StepDetails)
	if is && too && details.Loss != nil && other.Loss != nil {
		named, alike := details.Loss.join(*other.Loss)
		if !alike {
			return r, false
		}
		all, _ := cmp.Or(r.loss, details.Loss).join(*other.Loss)
		details.Loss, r.loss = &named, &all
	}
	commands := slices.Clone(r.Commands())
	r.uneven = r.uneven || !r.Command.isEven(more.Command)
	known := place >= 0 && !slices.ContainsFunc(targets, func(target string) bool {
		return !slices.Contains(commands[place].targets(), target)
	})
	about := details.Object != nil && other.Object != nil && !details.Object.SameAs(*other.Object)
	if !known && (another || about) {
		r.Others++
	}
	switch {
	case known:
		commands[place] = commands[place].naming(nil, more.Command.Values(finalizerFlag))
	case r.Others-r.Left >= mostTargets || place < 0 && len(commands) == mostCommands:
		r.Left++
		r.spread = r.spread || place < 0
		return r, true
	case place >= 0:
		commands[place] = commands[place].naming(targets, more.Command.Values(finalizerFlag))
	default:
		commands = append(commands, more.Command)
	}
	if is {
		r.Details = details
	}
	r.Command, r.More = commands[0], commands[1:]
	return r, true
}

// JoinSteps adds to steps one about another object: to the same step if there is one, else, if needed says so, as one
// of its own.
func JoinSteps(steps []Remedy, more Remedy, another, needed bool) []Remedy {
	for i, step := range steps {
		if joined, same := step.Join(more, another); same {
			steps = slices.Clone(steps)
			steps[i] = joined
			return steps
		}
	}
	if needed {
		steps = append(slices.Clip(steps), more)
	}
	return steps
}

// Commands are those of a step.
func (r Remedy) Commands() []Command {
	if len(r.Command) == 0 {
		return nil
	}
	return append([]Command{r.Command}, r.More...)
}

// join returns a loss with that of one more object, if both are of one kind.
func (l Loss) join(other Loss) (joined Loss, alike bool) {
	joined = l
	joined.Named = slices.Clone(l.Named)
	for _, named := range other.Named {
		at := slices.IndexFunc(joined.Named, func(one Named) bool { return one.What == named.What })
		if at < 0 {
			joined.Named = append(joined.Named, named)
			continue
		}
		values := slices.Clone(joined.Named[at].Values)
		for _, value := range named.Values {
			if !slices.Contains(values, value) && len(values) < mostTargets {
				values = append(values, value)
			}
		}
		joined.Named[at].Values = values
	}
	if !other.Object.SameAs(l.Object) {
		joined.Others++
	}
	alike = l.Object.Kind == other.Object.Kind && l.Known == other.Known && l.Content == other.Content &&
		l.Unidentified == other.Unidentified && l.Misspelt == other.Misspelt
	return joined, alike
}

const finalizerFlag = "--finalizer"

// severalAtOnce are the verbs that take several objects.
func severalAtOnce(verb string) bool {
	return slices.Contains([]string{"annotate", "delete", "label", "patch", "remove", "scale"}, verb)
}

// place is where the objects are in a command that takes several, from and to, as TYPE/NAME; nowhere in others.
func (c Command) place() (from, to int) {
	is := func(at int) bool {
		return at < len(c) && strings.Contains(c[at], "/") && !strings.HasPrefix(c[at], "-") && !strings.HasPrefix(c[at], "{")
	}
	for from = 1; from < len(c); from++ {
		if severalAtOnce(c[from-1]) && is(from) {
			for to = from; is(to); to++ {
			}
			return from, to
		}
	}
	return 0, 0
}

func (c Command) targets() []string {
	from, to := c.place()
	return c[from:to]
}

// patchFlag has the body of a patch.
const patchFlag = "-p"

// forOne reports whether a command is a patch for one object alone: it tests the object's uid.
func (c Command) forOne() bool {
	names := func(body string) bool { return strings.Contains(body, "/metadata/uid") }
	return slices.ContainsFunc(c.Values(patchFlag), names)
}

// shape is a command without objects, their namespace, the finalizers of a removal, and the body of a patch for one.
func (c Command) shape() (rest []string) {
	from, to := c.place()
	left := []string{"-n", finalizerFlag}
	if c.forOne() {
		left = append(left, patchFlag)
	}
	for i, argument := range c {
		named := i >= from && i < to || slices.Contains(left, argument) || i > 0 && slices.Contains(left, c[i-1])
		if !named {
			rest = append(rest, argument)
		}
	}
	return rest
}

// beside reports whether another command is about the same namespace, and the same object if it is for one alone.
func (c Command) beside(other Command) bool {
	return slices.Equal(c.Values("-n"), other.Values("-n")) &&
		(!c.forOne() || slices.Equal(c.Values(patchFlag), other.Values(patchFlag)))
}

// naming returns a command with more objects, and with finalizers that it does not name yet.
func (c Command) naming(targets, finalizers []string) Command {
	_, to := c.place()
	named := slices.Insert(slices.Clone(c), to, targets...)
	for _, name := range finalizers {
		if last := slices.Index(named, finalizerFlag); !slices.Contains(named.Values(finalizerFlag), name) && last >= 0 {
			named = slices.Insert(named, last+2*len(named.Values(finalizerFlag)), finalizerFlag, name)
		}
	}
	return named
}

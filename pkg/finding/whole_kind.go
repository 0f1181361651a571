package finding

import (
	"slices"
	"strings"
)

// OfWholeKind returns a removal by force that is the same for many objects as one command for all objects of their kind
// that the finalizers hold: in their namespace, if the command names only some of them; in all namespaces, instead of a
// command for each. It returns any other step as it is: of several kinds, of objects with different finalizers, or
// where, by whole, not all objects of the kind are being deleted. whole is asked about a namespace, or about all ("").
func (r Remedy) OfWholeKind(whole func(kind, namespace string) bool) Remedy {
	kinds, place := kindsIn(r.Command.targets()), r.Command.Values("-n")
	if !r.Forces() || r.uneven || len(kinds) != 1 || len(r.Command.Values(finalizerFlag)) == 0 {
		return r
	}
	everywhere := r.spread || len(r.More) > 0
	if everywhere {
		place = nil
	}
	if !everywhere && r.Left == 0 || !whole(kinds[0], strings.Join(place, "")) {
		return r
	}
	from, to := r.Command.place()
	command := slices.Delete(slices.Clone(r.Command), from, to)
	if at := slices.Index(command, "-n"); at >= 0 {
		command = slices.Delete(command, at, at+2)
	}
	where := []string{"-A"} // before the kind, which is no verb
	if len(place) > 0 {
		where = []string{"-n", place[0]}
	}
	command = slices.Insert(command, from, append(where, kinds[0])...)
	if details, is := r.Details.(StepDetails); is && r.loss != nil {
		details.Loss = r.loss
		r.Details = details
	}
	r.Command, r.More, r.Left, r.spread = command, nil, 0, false
	return r
}

// Releases are what a removal by force is for: objects as TYPE/NAME, or a type alone, as OfWholeKind has written it.
func (c Command) Releases() []string {
	at := slices.Index(c, "remove") + 1
	switch {
	case len(c.targets()) > 0:
		return c.targets()
	case at == 0 || len(c) < at+3:
		return nil
	case c[at] == "-A":
		return c[at+1 : at+2]
	}
	return c[at+2 : at+3]
}

// isEven reports whether more objects are of the kind of a command's objects, and have the finalizers that it names.
func (c Command) isEven(more Command) bool {
	return slices.Equal(kindsIn(c.targets()), kindsIn(more.targets())) &&
		slices.Equal(c.Values(finalizerFlag), more.Values(finalizerFlag))
}

// kindsIn are the types of objects that are named as TYPE/NAME, each once.
func kindsIn(targets []string) (kinds []string) {
	for _, target := range targets {
		if kind, _, _ := strings.Cut(target, "/"); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// OfSeveralKinds joins removals by force that are told in the same words, and are of several kinds in one place, to one
// command, if that names no more than a screen has.
func OfSeveralKinds(steps []Remedy) (joined []Remedy) {
	for _, step := range steps {
		taken := false
		for i := range joined {
			taken = taken || joined[i].takeKind(step)
		}
		if !taken {
			joined = append(joined, step)
		}
	}
	return joined
}

// takeKind adds to a removal one of another kind, and reports whether it is the same but for that.
func (r *Remedy) takeKind(more Remedy) bool {
	details, is := r.Details.(StepDetails)
	other, too := more.Details.(StepDetails)
	single := func(step Remedy) bool { return step.Forces() && len(step.More) == 0 && step.Left == 0 }
	if !is || !too || details.Loss == nil || other.Loss == nil || !single(*r) || !single(more) {
		return false
	}
	loss, alike := details.Loss.withKind(*other.Loss)
	details.Loss, other.Loss = &loss, &loss
	targets := more.Command.targets()
	same := Remedy{Step: r.Step, Details: details}.SameStep(Remedy{Step: more.Step, Details: other}) && r.Risk == more.Risk
	if !alike || !same || len(targets) == 0 || len(r.Command.targets()) == 0 || !r.Command.beside(more.Command) ||
		!slices.Equal(r.Command.shape(), more.Command.shape()) ||
		len(r.Command.targets())+len(targets) > mostTargets {
		return false
	}
	r.Command = r.Command.naming(targets, more.Command.Values(finalizerFlag))
	r.Details, r.Others, r.uneven = details, r.Others+1+more.Others, true
	return true
}

// withKind is a loss with that of objects of another kind, if both are told in the same words.
func (l Loss) withKind(other Loss) (joined Loss, alike bool) {
	kind := other
	kind.Object.Kind = l.Object.Kind
	joined, alike = l.join(kind)
	joined.Others = l.Others + 1 + other.Others
	return joined, alike && l.Unverified == other.Unverified && slices.Equal(l.Unread, other.Unread)
}

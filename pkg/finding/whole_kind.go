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

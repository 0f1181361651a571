package diagnosis

import (
	"slices"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// joinHolds adds to a cause the finalizer of another one about the same thing, the objects that it holds by another
// one, and the way to remove that by force. It remembers the objects in known, which is nil the first time: there may
// be thousands.
func joinHolds(cause, other finding.Finding, known map[finding.Ref]bool) (finding.Finding, map[finding.Ref]bool) {
	details, is := cause.Details.(finding.ControllerDetails)
	more, same := other.Details.(finding.ControllerDetails)
	another := false
	if is && same {
		if known == nil {
			known, details.Held = map[finding.Ref]bool{}, slices.Clone(details.Held) // others have the first ones, too
			for _, held := range details.Held {
				known[held] = true
			}
		}
		for _, held := range more.Held {
			if !known[held] {
				known[held], another = true, true
				details.Held = append(details.Held, held)
			}
		}
		cause.Details = details
	}
	cause.Remedies = slices.Clone(cause.Remedies)
	for _, remedy := range other.Remedies {
		if remedy.Forces() {
			cause.Remedies = joinForce(cause.Remedies, remedy, another)
		}
	}
	if other.Finalizer != "" && other.Finalizer != cause.Finalizer && !slices.Contains(cause.Also, other.Finalizer) {
		cause.Also = append(slices.Clip(cause.Also), other.Finalizer)
	}
	return cause, known
}

// joinForce adds one more removal by force to remedies. If it is about an object of theirs, one removal names all
// finalizers: any one alone would release nothing. For another object of the same kind, and no other finalizers, it
// says for how many the removal is the way. Anything else is a removal of its own, if it takes the same care: a person
// who has to know two things before two removals asks about each object.
func joinForce(remedies []finding.Remedy, force finding.Remedy, another bool) []finding.Remedy {
	kind, names := kindIn(force.Command), force.Command.Values(finalizerFlag)
	for i, remedy := range remedies {
		if !remedy.Forces() || !slices.Equal(unnamed(remedy.Command), unnamed(force.Command)) {
			continue
		}
		for _, name := range names {
			if !slices.Contains(remedy.Command.Values(finalizerFlag), name) {
				at := slices.Index(remedies[i].Command, finalizerFlag)
				remedies[i].Command = slices.Insert(slices.Clone(remedies[i].Command), at+2, finalizerFlag, name)
			}
		}
		return remedies
	}
	for i, remedy := range remedies {
		known := remedy.Command.Values(finalizerFlag)
		beyond := func(name string) bool { return !slices.Contains(known, name) }
		if !remedy.Forces() || kindIn(remedy.Command) != kind || slices.ContainsFunc(names, beyond) {
			continue
		}
		if step, is := remedy.Details.(finding.StepDetails); is && another && step.Loss != nil {
			step.Object, step.Count = &step.Loss.Object, step.Count+1
			remedies[i].Details = step
		}
		return remedies
	}
	otherCare := func(remedy finding.Remedy) bool { return remedy.Forces() && remedy.Step != force.Step }
	if slices.ContainsFunc(remedies, otherCare) {
		return remedies
	}
	return append(remedies, force)
}

// kindIn is the kind whose object a command to remove finalizers names, as RESOURCE.GROUP.
func kindIn(command finding.Command) string {
	at := slices.Index(command, "remove")
	if at < 0 || at+1 >= len(command) {
		return ""
	}
	kind, _, _ := strings.Cut(command[at+1], "/")
	return kind
}

const finalizerFlag = "--finalizer"

// unnamed is a command to remove finalizers without their names.
func unnamed(command finding.Command) (rest finding.Command) {
	for i, word := range command {
		if word != finalizerFlag && (i == 0 || command[i-1] != finalizerFlag) {
			rest = append(rest, word)
		}
	}
	return rest
}

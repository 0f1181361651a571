package finding

import (
	"fmt"
	"time"
)

// Observed is one observation, told as fmt.Sprintf does, and where it was read.
func Observed(source, format string, arguments ...any) Evidence {
	return Evidence{Source: source, Observed: fmt.Sprintf(format, arguments...)}
}

// Observed is evidence that stands at an object itself.
func (r Ref) Observed(format string, arguments ...any) Evidence {
	return Observed(r.String(), format, arguments...).Of(r)
}

// NotFound is the evidence that an object isn't there.
func (r Ref) NotFound() Evidence { return Observed(r.String(), "not found") }

// Of is the evidence as one about an object.
func (e Evidence) Of(object Ref) Evidence {
	e.Object = &object
	return e
}

// When is the evidence with the time at which what it says came about.
func (e Evidence) When(at time.Time) Evidence {
	e.At = &at
	return e
}

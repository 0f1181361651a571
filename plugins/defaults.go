package plugins

import "reflect"

// fillIn takes the defaults for all that a finalizer doesn't say itself. Of verified each statement
// counts on its own, and what may be done (start, endsWait, ifRunning, safeWayOut, safeWayOutElsewhere) is taken
// as a whole.
func (f *Finalizer) fillIn(defaults *Finalizer) {
	if given := *defaults; f.SafeWay() != "" {
		given.Start, given.EndsWait, given.IfRunning, given.SafeWayOut, given.SafeWayOutElsewhere = "", "", "", "", ""
		defaults = &given
	}
	own, given := reflect.ValueOf(f).Elem(), reflect.ValueOf(defaults).Elem()
	for i := range own.NumField() {
		if own.Field(i).IsZero() {
			own.Field(i).Set(given.Field(i))
		}
	}
	verified, checked := reflect.ValueOf(&f.Verified).Elem(), reflect.ValueOf(&defaults.Verified).Elem()
	for i := range verified.NumField() {
		if verified.Field(i).IsZero() {
			verified.Field(i).Set(checked.Field(i))
		}
	}
}

package plugins

// Doubt says why it is not certain who removes a finalizer and when, as a clause. It is empty when both its name and
// its release condition were read in the project's own source.
func (v Verified) Doubt() string {
	switch {
	case !v.Name.Done():
		return "not even its name was read in source code"
	case !v.WaitsFor.Done():
		return "only its name was read in source code, not when it is removed"
	case v.Name == CheckExcerpt || v.WaitsFor == CheckExcerpt:
		return "it was read in a piece of source code that probably belongs to the project"
	}
	return ""
}

package plugins

// Doubt says why it is not certain who removes a finalizer and when, as a clause. It is empty when both its name and
// its release condition were read in the project's own source.
func (v Verified) Doubt() string {
	switch {
	case !v.Name.Done():
		return "not even the finalizer's name was confirmed in source code"
	case !v.WaitsFor.Done():
		return "only the finalizer's name was confirmed in source code"
	case v.Name == CheckExcerpt || v.WaitsFor == CheckExcerpt:
		return "it comes from source code that only probably belongs to the project"
	}
	return ""
}

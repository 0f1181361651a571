package plugins

// Verified says how each group of statements was checked. What isn't mentioned was not.
type Verified struct {
	// Name is how the finalizer's own name was checked.
	Name Check `json:"name,omitempty"`
	// WaitsFor is how removedBy, waitsFor, waits and drains were checked.
	WaitsFor Check `json:"waitsFor,omitempty"`
	// Controller is how workloads, containers, labels, namespaces and leases were checked.
	Controller Check `json:"controller,omitempty"`
	// Fields is how managers, reporters, statusFields and resourceFields were checked.
	Fields Check `json:"fields,omitempty"`
	// Rescue is how rescue was checked.
	Rescue Check `json:"rescue,omitempty"`
}

// Check is how a statement was checked.
type Check string

// The checks. Anything but CheckSource and CheckExcerpt is general knowledge.
const (
	// CheckSource says that it was read in the project's own source or documentation.
	CheckSource Check = "Source"
	// CheckExcerpt says that it was read in a piece of source code whose project was inferred.
	CheckExcerpt Check = "Excerpt"
	// CheckNone says that it was not checked: take it as a hint.
	CheckNone Check = "None"
)

// Checks returns all checks.
func Checks() []Check { return []Check{CheckSource, CheckExcerpt, CheckNone} }

// Done reports whether a statement was checked at all.
func (c Check) Done() bool { return c == CheckSource || c == CheckExcerpt }

package result

// Nothing answers that nothing was found, where not everything could be looked at.
type Nothing struct {
	Says       string
	Unreadable []Unreadable
}

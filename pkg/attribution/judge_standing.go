package attribution

// standing is how it stands with the controller of one hold of a Terminating object, as far as that decides the answer:
// first who it is and how it fares, then what it says and does about the object.
type standing struct {
	found   PresenceState // what the search came to; Unsettled where it can't tell
	unread  bool          // something that could lead to another answer could not be read
	starts  bool          // its pod is so young that it may just be starting
	returns bool          // its pod's Node stopped reporting a moment ago, and may only be late
	reports bool          // it reports an error with the object itself
	denied  bool          // the API server's own words say that its write was forbidden, and nothing allows it since
	moves   bool          // it has acted on the object since the deletion, or has had no more than a first moment
	wrote   bool          // who may be the controller, and isn't known to be gone, wrote lately, since the deletion
	leads   bool          // a Lease of the project is renewed by an unknown program
	speaks  bool          // no program is seen that could be it, and it lately complained under a name known to be its own
	outside bool          // it is known never to run in this cluster
}

// standingOf is the standing of a decision before anything was heard of its candidate.
func standingOf(found decision) standing {
	c := found.candidate
	return standing{
		found: found.state, starts: c != nil && c.starting, returns: c != nil && !c.until.IsZero(),
	}
}

// outcome is what follows for the hold.
type outcome string

// The outcomes. Only AtWork and IsStarting let people wait.
const (
	isAtWork    outcome = "AtWork"
	isStarting  outcome = "Starting"
	isFailing   outcome = "Failing"
	isForbidden outcome = "Forbidden"
	isDown      outcome = "Down"
	mayReturn   outcome = "MayReturn"
	isMissing   outcome = "Missing"
	isUnknown   outcome = "Unknown"
)

// judge is the decision table of contract section 4: a controller that isn't seen to run is never at work, and one that
// wrote since the deletion is never missing, unless it is known to have gone since.
func judge(s standing) outcome {
	switch {
	case s.unread:
		return isUnknown
	case s.found == Down && s.starts:
		return isStarting
	case s.found == Down && s.returns:
		return mayReturn
	case s.found == Down:
		return isDown
	case s.found == Forbidden, (s.found == Running || s.speaks) && s.denied:
		return isForbidden
	case s.found == Running && s.reports:
		return isFailing
	case s.found == Running && s.moves:
		return isAtWork
	case s.found != Running && s.reports && s.speaks:
		return isFailing
	case s.found != Missing && s.found != nobody:
		return isUnknown
	case s.reports && (s.leads || s.wrote): // it runs somewhere, and speaks
		return isFailing
	case s.leads, s.wrote, s.outside:
		return isUnknown
	}
	return isMissing
}

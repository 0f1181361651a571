package finding

import "time"

// PreviewDetails are those of the sentence that sums up what deleting an object would do.
type PreviewDetails struct {
	Goes     int      `json:"goes"`               // objects that are deleted, the target among them
	Hangs    []Ref    `json:"hangs,omitempty"`    // of these, or what would hold them
	May      []Ref    `json:"may,omitempty"`      // hang as well, which can't be told
	Outlived bool     `json:"outlived,omitempty"` // the target would go, and not all that is deleted with it
	Open     bool     `json:"open,omitempty"`     // that these would hang can't be told
	Awaits   string   `json:"awaits,omitempty"`   // what the target itself would wait for, where nothing else would hang
	Causes   int      `json:"causes,omitempty"`
	Loses    bool     `json:"loses,omitempty"` // data
	MayLose  bool     `json:"mayLose,omitempty"`
	Unread   bool     `json:"unread,omitempty"` // something could not be looked at
	Refusing []Ref    `json:"refusing,omitempty"`
	Likely   []string `json:"likely,omitempty"`  // finalizers that go only if those are right whom all points to
	Later    []Ref    `json:"later,omitempty"`   // elsewhere, and loses the one that would release it
	Idle     []Ref    `json:"idle,omitempty"`    // the same, but that one doesn't run now
	HangNow  bool     `json:"hangNow,omitempty"` // all that hangs is being deleted already
	Before   []Ref    `json:"before,omitempty"`  // of what is deleted otherwise, what is being deleted already
	Asked    []Ref    `json:"asked,omitempty"`   // may refuse, and nothing that can be read tells
	Left     []Ref    `json:"left,omitempty"`    // volumes whose storage driver can't delete them
}

// AskedDetails are those of a webhook that is asked about deletions.
type AskedDetails struct {
	Webhook  string `json:"webhook"`
	Objects  []Ref  `json:"objects"`            // that would be deleted
	URL      string `json:"url,omitempty"`      // it is called by
	Unjudged bool   `json:"unjudged,omitempty"` // whether that answers can't be read, and no answer is a refusal
	Probe    bool   `json:"probe,omitempty"`    // a dry run may ask it
}

// OnTheWayDetails are those of a finalizer of objects that would be deleted.
type OnTheWayDetails struct {
	Resource   string `json:"resource"`
	Count      int    `json:"count"`          // objects with it
	Hang       int    `json:"hang,omitempty"` // of these
	May        bool   `json:"may,omitempty"`  // that is not clear
	RemovedBy  string `json:"removedBy,omitempty"`
	WaitsFor   string `json:"waitsFor,omitempty"`
	Controller *Ref   `json:"controller,omitempty"`
	State      string `json:"state,omitempty"`   // of the controller, as explain has it
	Unasked    bool   `json:"unasked,omitempty"` // the controller was not looked for, because there are too many

	Kinds []string `json:"kinds,omitempty"` // the ones to name together, in place of Resource and Count
}

// StayingDetails are those of dependents that are not deleted with their owners, and of what loses what it uses.
type StayingDetails struct {
	Objects []Ref  `json:"objects,omitempty"`
	Owner   *Ref   `json:"owner,omitempty"`
	Uses    *Ref   `json:"uses,omitempty"`
	What    string `json:"what,omitempty"`    // the webhook, or the group and version that is served
	Refuses bool   `json:"refuses,omitempty"` // requests are refused then
}

// LaterDetails are those of objects elsewhere that lose the one who would release them.
type LaterDetails struct {
	Objects    []Ref  `json:"objects,omitempty"` // that was not deleted
	Waiting    []Ref  `json:"waiting,omitempty"` // that are being deleted now
	Controller Ref    `json:"controller"`        // that releases them now
	Down       bool   `json:"down,omitempty"`    // it doesn't run now
	Account    *Ref   `json:"account,omitempty"` // is deleted, and it runs as that
	Rights     string `json:"rights,omitempty"`  // RESOURCE.GROUP that it may not change any more
}

// BeforeDetails are those of objects that would be deleted, and are being deleted already.
type BeforeDetails struct {
	Objects  []Ref     `json:"objects"`
	Since    time.Time `json:"since"`              // of the oldest
	Released bool      `json:"released,omitempty"` // the deletion lets them go
}

// WouldGoDetails are those of an object whose controller runs now, and would be deleted together with it.
type WouldGoDetails struct {
	Controller *Ref `json:"controller,omitempty"` // where it is known
	With       Ref  `json:"with"`                 // the deletion that takes both
}

// UnseenDetails are those of what wasn't looked at of an object that was not deleted.
type UnseenDetails struct {
	Inside bool     `json:"inside,omitempty"` // it contains what would go with it
	Names  []string `json:"names,omitempty"`  // finalizers that the catalogue does not know
}

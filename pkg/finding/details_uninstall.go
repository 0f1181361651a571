package finding

// UninstallDetails are those of the sentences about how an operator can go.
type UninstallDetails struct {
	// Type and Name are what was asked for: Manifests, Release, Project or Object.
	Type        string `json:"type,omitempty"`
	Name        string `json:"name,omitempty"`
	Objects     []Ref  `json:"objects,omitempty"`
	Controllers []Ref  `json:"controllers,omitempty"` // that serve the objects
	Down        []Ref  `json:"down,omitempty"`        // of these
	Starting    []Ref  `json:"starting,omitempty"`    // of these, that have only just been started
	Itself      bool   `json:"itself,omitempty"`      // it is what was asked for that is down
	Absent      bool   `json:"absent,omitempty"`      // none of them was found
	Going       bool   `json:"going,omitempty"`       // all of these objects are being deleted already
	Created     bool   `json:"created,omitempty"`     // what the objects stand for is what they have created
	Kinds       int    `json:"kinds,omitempty"`       // with objects
	Count       int    `json:"count,omitempty"`       // of these objects
	Steps       int    `json:"steps,omitempty"`
	Blocked     []Ref  `json:"blocked,omitempty"` // would hang
	Refusing    []Ref  `json:"refusing,omitempty"`
	Causes      int    `json:"causes,omitempty"`
	Loses       bool   `json:"loses,omitempty"` // data
	MayLose     bool   `json:"mayLose,omitempty"`
	Unread      bool   `json:"unread,omitempty"`    // something could not be looked at
	Doubt       bool   `json:"doubt,omitempty"`     // something may refuse a deletion
	Finalizer   string `json:"finalizer,omitempty"` // that is removed from what stays
	Lost        string `json:"lost,omitempty"`      // by the catalogue, with the finalizer
	Uses        *Ref   `json:"uses,omitempty"`
	Owners      []Ref  `json:"owners,omitempty"` // that stay and control objects which the steps delete
	// Similar are releases that were seen, where none of the name was.
	Similar []string `json:"similar,omitempty"`
}

package finding

import "time"

// RescueDetails are those of what can be kept of something that was deleted by mistake, and of the steps for that.
type RescueDetails struct {
	Object     *Ref      `json:"object,omitempty"`
	Other      *Ref      `json:"other,omitempty"`
	Names      []string  `json:"names,omitempty"` // of the objects that it is about
	Count      int       `json:"count,omitempty"`
	Created    bool      `json:"created,omitempty"` // what objects stand for is what they have created in clusters
	Finalizer  string    `json:"finalizer,omitempty"`
	Finalizers []string  `json:"finalizers,omitempty"` // of several objects
	Controller *Ref      `json:"controller,omitempty"` // that removes the finalizer
	By         string    `json:"by,omitempty"`         // the same, where only its name is known
	Policy     string    `json:"policy,omitempty"`
	Driver     string    `json:"driver,omitempty"`
	Storage    []Named   `json:"storage,omitempty"` // what an object names of what it stands for
	Setting    string    `json:"setting,omitempty"` // as a JSON merge patch
	Text       string    `json:"text,omitempty"`    // words of the catalogue
	Unchecked  bool      `json:"unchecked,omitempty"`
	Kind       string    `json:"kind,omitempty"`
	Folder     string    `json:"folder,omitempty"`
	Since      time.Time `json:"since,omitzero"`
	Likely     bool      `json:"likely,omitempty"`
	Unread     bool      `json:"unread,omitempty"`
	NotActing  bool      `json:"notActing,omitempty"` // the controller does not act now
	Bound      bool      `json:"bound,omitempty"`     // some claims name a volume, or the claims of some volumes are there
	Renamed    bool      `json:"renamed,omitempty"`   // some claims get another name than they had
	Appliers   []string  `json:"appliers,omitempty"`  // GitOps tools' objects that apply what went again and again
}

// RescueSummary are the parameters of the sentence that sums up a rescue.
type RescueSummary struct {
	Asked    *Ref      `json:"asked,omitempty"` // goes with the object, its namespace
	Since    time.Time `json:"since,omitzero"`  // of the deletion
	Volumes  []string  `json:"volumes,omitempty"`
	Outside  []Ref     `json:"outside,omitempty"` // objects that stand for something outside of the cluster
	Lost     int       `json:"lost,omitempty"`    // facts
	Perhaps  int       `json:"perhaps,omitempty"` // of these
	Safe     int       `json:"safe,omitempty"`
	Steps    int       `json:"steps,omitempty"` // that stop the loss
	Gone     bool      `json:"gone,omitempty"`
	Untraced bool      `json:"untraced,omitempty"` // of it, so that it may never have been there
	Released bool      `json:"released,omitempty"` // a volume, left over from a claim that is gone
	Stays    int       `json:"stays,omitempty"`    // dependents that can stay
	Unread   bool      `json:"unread,omitempty"`
	Recreate int       `json:"recreate,omitempty"` // objects whose manifests can be saved
}

// OutsideNames are the objects that stand for something outside of the cluster, by kind and name.
func (s RescueSummary) OutsideNames() []string { return Each(s.Outside, Ref.String) }

package finding

// OwnerReferenceDetails are those of what is wrong with an owner reference, as check finds it.
type OwnerReferenceDetails struct {
	// Named is the owner as the reference names it, and Owner the object with that uid, where there is one.
	Named       Ref  `json:"named,omitzero"`
	Owner       *Ref `json:"owner,omitempty"`
	Terminating bool `json:"terminating,omitempty"` // the dependent is being deleted as it is
}

// FinalizerNamesDetails are those of a finalizer whose name is wrong.
type FinalizerNamesDetails struct {
	Finalizers []string `json:"finalizers"` // all of the object
}

// UnwatchedDetails are those of dependents that the garbage collector doesn't watch.
type UnwatchedDetails struct {
	Resource string   `json:"resource"`
	Verbs    []string `json:"verbs"`
}

// CheckedDetails are those of what a check has left out, or could not tell.
type CheckedDetails struct {
	Asked  int      `json:"asked,omitempty"`
	Sorts  []string `json:"sorts,omitempty"` // of finalizers, FINALIZER on RESOURCE, that were left out
	More   int      `json:"more,omitempty"`  // beside these
	Unread []Unread `json:"unread,omitempty"`
}

// RemovalDetails are those of what a removal by force finds, warns of and does.
type RemovalDetails struct {
	Holds      []Hold    `json:"holds,omitempty"`
	Names      []string  `json:"names,omitempty"`
	Meant      []string  `json:"meant,omitempty"` // instead of the names
	Codes      []string  `json:"codes,omitempty"` // of objections
	Name       string    `json:"name,omitempty"`
	Token      string    `json:"token,omitempty"`
	Count      int       `json:"count,omitempty"`
	Of         int       `json:"of,omitempty"`
	Left       int       `json:"left,omitempty"` // not come to
	Seconds    int64     `json:"seconds,omitempty"`
	Right      string    `json:"right,omitempty"`   // of RBAC
	Said       string    `json:"said,omitempty"`    // by the server, the system or the diagnosis
	Failed     string    `json:"failed,omitempty"`  // what said that, where there are two
	Request    *Phrase   `json:"request,omitempty"` // that was, or was not, sent
	Before     string    `json:"before,omitempty"`
	After      string    `json:"after,omitempty"`
	Other      *Ref      `json:"other,omitempty"`
	Facts      []Phrase  `json:"facts,omitempty"` // that were not so before, or are so no more
	Likely     bool      `json:"likely,omitempty"`
	Several    bool      `json:"several,omitempty"`
	Reason     string    `json:"reason,omitempty"`     // the code of the objection
	Against    []Against `json:"against,omitempty"`    // the objections to each entry
	Does       []string  `json:"does,omitempty"`       // to be done: Wait, FindOut, FindController, Read or Fix
	Refused    bool      `json:"refused,omitempty"`    // the API server refuses the write, whatever is overridden
	Difference *Phrase   `json:"difference,omitempty"` // how an object differs from what was shown
	Lifted     *Phrase   `json:"lifted,omitempty"`     // the end of what the API server still refuses for
}

// Against is an objection to the removal of an entry.
type Against struct {
	Code    string `json:"code"`
	Entry   string `json:"entry"`
	Message string `json:"-"`
}

// FactDetails are those of a fact that a diagnosis rests on. They are comparable.
type FactDetails struct {
	Hold   Hold   `json:"hold,omitzero"`
	Reason Reason `json:"reason,omitempty"`
	Object Ref    `json:"object,omitzero"`
	Name   string `json:"name,omitempty"` // of a finalizer, or of a kind
	Unread string `json:"unread,omitempty"`
}

// StepDetails are the parameters of steps.
type StepDetails struct {
	Object *Ref     `json:"object,omitempty"`
	Other  *Ref     `json:"other,omitempty"`
	Name   string   `json:"name,omitempty"`
	Names  []string `json:"names,omitempty"`
	Count  int      `json:"count,omitempty"`
	// Contents are contents of snapshots, beside volumes in Names.
	Contents []string `json:"contents,omitempty"`
	Text     string   `json:"text,omitempty"`    // words of the catalogue
	Start    string   `json:"start,omitempty"`   // its words on starting the controller, if that may not run
	State    *Phrase  `json:"state,omitempty"`   // how the object fares
	Loss     *Loss    `json:"loss,omitempty"`    // what is lost by force
	Partial  bool     `json:"partial,omitempty"` // the step is one of several that are needed
	// Elsewhere says that the object may run outside the cluster.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// ClusterScoped says that the held kind is in no namespace, so that no RoleBinding grants rights on it.
	ClusterScoped bool `json:"clusterScoped,omitempty"`
	// Closed is a namespace that is being deleted, in which the controller can't be installed.
	Closed string `json:"closed,omitempty"`
	Stays  bool   `json:"stays,omitempty"`  // the garbage collector never deletes the dependent that is waited for
	Denied bool   `json:"denied,omitempty"` // the user may not even read what the step changes
	// Unanswered says that the webhook does not answer, rather than refuse.
	Unanswered bool `json:"unanswered,omitempty"`
	// Appliers are the objects of GitOps tools that apply the object again and again, and may undo the step.
	Appliers []string `json:"appliers,omitempty"`
	// RefusedBy are the webhook configurations and policies that have the API server refuse the step now.
	RefusedBy []Ref `json:"refusedBy,omitempty"`
}

// SeveralDetails say for how many objects besides the first the commands of a step are.
type SeveralDetails struct {
	More                bool // than one command
	Others, Left, Named int
}

// StopDetails are those of stopping a workload.
type StopDetails struct {
	Workload Ref `json:"workload,omitzero"`
	// Appliers are the objects of GitOps tools that apply the workload again and again.
	Appliers []string `json:"appliers,omitempty"`
	// TakesClaims says that the claims of a StatefulSet go with its pods, or may: Policy is what decides, whenScaled
	// of its persistentVolumeClaimRetentionPolicy, and empty if that can't be read.
	TakesClaims bool   `json:"takesClaims,omitempty"`
	Policy      string `json:"policy,omitempty"`
}

// Loss is what is lost when a finalizer is removed by force.
type Loss struct {
	Object Ref `json:"object,omitzero"`
	// Content says that the finalizer stands for what is in a namespace; Unidentified, that nothing says what it stands
	// for.
	Content      bool `json:"content,omitempty"`
	Unidentified bool `json:"unidentified,omitempty"`
	// Misspelt says that the finalizer is probably a misspelling, on which no controller acts.
	Misspelt bool `json:"misspelt,omitempty"`
	// Known is what the catalogue says is lost, and Unverified that this was not checked.
	Known      string `json:"known,omitempty"`
	Unverified bool   `json:"unverified,omitempty"`
	// Named is what the object itself names, by the fields in which it does. Unread are such fields that were not read.
	Named  []Named  `json:"named,omitempty"`
	Unread []string `json:"unread,omitempty"`
	Others int      `json:"others,omitempty"` // objects that lose the same
}

// Named is what an object names, by what it is or where it is: bucket, status.endpoint.
type Named struct {
	What   string   `json:"what"`
	Values []string `json:"values"`
}

// Key is the same for losses that are described in the same way.
func (l Loss) Key() string {
	if l.Known != "" || l.Unidentified || l.Misspelt { // the object isn't named then
		l.Object = Ref{}
	}
	return Finding{Situation: "IsLost", Details: l}.Identity()
}

package result

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// InCluster is what the cluster says about a finalizer's controller.
type InCluster struct {
	Asked       bool                 `json:"asked"`             // there was a cluster, and it answered
	WhyNot      string               `json:"whyNot,omitempty"`  // why it was not asked
	Server      string               `json:"server,omitempty"`  // where the answer comes from
	Guessed     bool                 `json:"guessed,omitempty"` // the kinds, from the API group in the finalizer's name
	Controllers []Presence           `json:"controllers"`
	Unreadable  []finding.Unreadable `json:"unreadable"`
}

// NotServed is the state of a finalizer of whose kinds the cluster serves none.
const NotServed = "NotServed"

// Presence is how the controller of a finalizer on some kinds fares.
type Presence struct {
	Project string   `json:"project,omitempty"` // the plugin's; empty where none knows the finalizer
	Kinds   []string `json:"kinds,omitempty"`
	State   string   `json:"state"` // Running, Starting, Down, Forbidden, Missing, NotServed or Unknown
	// Reason is the reason code of what a deletion would get stuck on.
	Reason     finding.Reason     `json:"reason,omitempty"`
	Certainty  finding.Certainty  `json:"certainty"`
	Controller *finding.Ref       `json:"controller,omitempty"`
	Message    string             `json:"message"`
	InShort    finding.InShort    `json:"-"`                   // the message, as the default output has it
	Situation  string             `json:"situation,omitempty"` // in one word, with the parameters in Details
	Details    any                `json:"details,omitempty"`
	Key        string             `json:"-"` // the same for kinds that are described in the same way
	Alike      string             `json:"-"` // the same for kinds whose answers differ in their names alone
	Evidence   []finding.Evidence `json:"evidence"`
	Remedies   []finding.Remedy   `json:"remedies"`
}

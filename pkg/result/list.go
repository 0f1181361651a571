package result

import (
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

// List is everything Terminating in a part of the cluster, under shared root causes. Its kind is DiagnosisList.
type List struct {
	APIVersion  string     `json:"apiVersion"`
	Kind        string     `json:"kind"`
	GeneratedAt time.Time  `json:"generatedAt"`
	Namespace   string     `json:"namespace,omitempty"` // that was asked about; absent for all
	Items       []ListItem `json:"items"`               // the objects, the oldest deletion first
	// RootCauses are sorted by how many objects each frees. Their paths are those of the objects that waited longest.
	RootCauses []RootCause          `json:"rootCauses"`
	Graph      Graph                `json:"graph"`
	Unreadable []finding.Unreadable `json:"unreadable"`
	Ask        finding.Command      `json:"ask,omitempty"` // reads what manifests lack, as in a Diagnosis
	Clusters   []Cluster            `json:"clusters,omitempty"`
	// Shared are the root causes across the clusters: the one that is in most of them first.
	Shared []SharedCause `json:"sharedCauses,omitempty"`
}

// ListItem is one Terminating object of a list. Without causes, it has no verdict.
type ListItem struct {
	Target   finding.Ref `json:"target"`
	Resource string      `json:"resource"` // RESOURCE or RESOURCE.GROUP, as kubectl takes it
	Verdict  Verdict     `json:"verdict,omitempty"`
	Summary  string      `json:"summary,omitempty"`
	Awaits   string      `json:"awaits,omitempty"` // what it waits for, in words
	Fares    string      `json:"-"`                // what it waits for, or that this is not clear; completes its name
	Key      string      `json:"-"`                // the same for objects that wait for the same
	Besides  Besides     `json:"-"`
	Until    time.Time   `json:"-"` // when something that it waits for should be over, or zero
	Deletion Deletion    `json:"deletion"`
	Undated  bool        `json:"-"` // as Voice.Undated
	// What --sort-by and --show-labels want of the object's metadata.
	Labels     map[string]string `json:"-"`
	CreatedAt  time.Time         `json:"-"`
	RootCauses []ItemCause       `json:"rootCauses,omitempty"`
	Ask        finding.Command   `json:"ask"` // the command that tells all about it
}

// Besides is what an object waits for beside root causes.
type Besides struct {
	Unclear bool // perhaps something that is not clear
	Moving  bool // something in progress
	Later   bool // perhaps something that comes after them
}

// ItemCause is a root cause of one object, told in full at its index among the list's.
type ItemCause struct {
	Index     int               `json:"index"`
	Reason    finding.Reason    `json:"reason"`
	Object    finding.Ref       `json:"object"`
	Finalizer string            `json:"finalizer,omitempty"`
	Certainty finding.Certainty `json:"certainty"`
	Count     int               `json:"count"` // objects with this cause that it waits for
}

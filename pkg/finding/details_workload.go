package finding

import "time"

// WorkloadState is how a workload fares that has no ready pod, and why.
type WorkloadState struct {
	Pod   *Ref    `json:"pod,omitempty"`   // the first of the ones that aren't ready, or the last that has ended
	Stage *Phrase `json:"stage,omitempty"` // why it isn't
	Job   *Ref    `json:"job,omitempty"`   // the last one of a CronJob
	State *Phrase `json:"state,omitempty"` // how that fares
	Words string  `json:"words,omitempty"` // why no pod can be created, or a Job has failed, as the cluster says it
	// Reason is that of the condition by which a Job has failed.
	Reason string `json:"reason,omitempty"`
	// By does not allow the pods: a ResourceQuota, a Namespace by its Pod Security level or its LimitRanges, a policy, the
	// configuration that has Webhook, if that is known.
	By      *Ref   `json:"by,omitempty"`
	Lacks   *Ref   `json:"lacks,omitempty"`   // what the pods name, and what isn't there: a ServiceAccount, for instance
	Level   string `json:"level,omitempty"`   // the Pod Security level that the pods violate
	Webhook string `json:"webhook,omitempty"` // that denies the pods, or can't be asked about them
	// Unread would tell why there are no pods.
	Unread []Unread `json:"unread,omitempty"`
}

// PodDetails tell why a pod isn't ready.
type PodDetails struct {
	Phase     string  `json:"phase,omitempty"`
	Words     string  `json:"words,omitempty"` // of a condition, a container or an event
	Node      *Ref    `json:"node,omitempty"`
	State     *Phrase `json:"state,omitempty"`     // of that node
	Container string  `json:"container,omitempty"` // the one that doesn't run
	Reason    string  `json:"reason,omitempty"`    // what it waits for, or why the pod has failed
	Exit      *Exit   `json:"exit,omitempty"`      // how it ended the last time
	Image     string  `json:"image,omitempty"`     // that can't be pulled
	Lacks     *Ref    `json:"lacks,omitempty"`     // what it names, and what isn't there: a ConfigMap, a Secret, a claim
	Key       string  `json:"key,omitempty"`       // of that object, which has no such key
	Claim     *Ref    `json:"claim,omitempty"`     // that has no volume yet
	Alone     bool    `json:"alone,omitempty"`     // nothing starts another one in its place
	// Unread would tell why.
	Unread []Unread `json:"unread,omitempty"`
}

// Exit is how a container ended.
type Exit struct {
	Code    int32  `json:"code"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"` // what it left behind
}

// RestartDetails are about a container of a ready pod that keeps being restarted.
type RestartDetails struct {
	Pod       *Ref      `json:"pod"`
	Container string    `json:"container"`
	Times     int32     `json:"times"`
	Exit      *Exit     `json:"exit,omitempty"` // how it ended the last time
	At        time.Time `json:"at,omitzero"`    // when that was
}

// LivePodsDetails are those of the pods of a workload, or on a Node, that was not deleted.
type LivePodsDetails struct {
	Stuck    []Ref     `json:"stuck,omitempty"`    // Terminating for longer than their grace period, the longest first
	Since    time.Time `json:"since,omitzero"`     // when the deletion of the first of these was requested
	Cordoned bool      `json:"cordoned,omitempty"` // the Node is
	Kept     []Ref     `json:"kept,omitempty"`     // on a cordoned Node, and can't be evicted now
	Budgets  []Ref     `json:"budgets,omitempty"`  // by which they can't
}

// KeptPodsDetails are those of pods on a Node that budgets keep from being evicted.
type KeptPodsDetails struct {
	Node    string  `json:"node"`
	Pods    []Ref   `json:"pods"`
	Budget  *Budget `json:"budget,omitempty"`
	Budgets []Ref   `json:"budgets,omitempty"` // all that select the pods, if they are several
	Passing bool    `json:"passing,omitempty"` // it may be over by itself
	Project string  `json:"project,omitempty"` // that drains the Node before it removes the finalizer
}

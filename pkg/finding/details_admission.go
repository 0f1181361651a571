package finding

import "slices"

// WebhookUnavailableDetails are those of WebhookUnavailable.
type WebhookUnavailableDetails struct {
	Webhook string  `json:"webhook"`
	Request Request `json:"request"` // that it must be asked about
	// Backend is how what answers behind it fares, where that explains it; else Said is what the API server says.
	Backend *Phrase `json:"backend,omitempty"`
	Said    string  `json:"said,omitempty"`
	URL     string  `json:"url,omitempty"` // by which it is called, if not through a Service
	Slow    bool    `json:"slow,omitempty"`
	Of      int     `json:"of,omitempty"` // webhooks in its configuration
	// Mutates says that the configuration is one of webhooks that may change what they are asked about.
	Mutates bool `json:"mutates,omitempty"`
	// Appliers are the objects of GitOps tools that apply the configuration again and again.
	Appliers []string `json:"appliers,omitempty"`
}

// AdmissionDeniedDetails are those of AdmissionDenied, and of what is unsettled about who denies a request.
type AdmissionDeniedDetails struct {
	Webhook string  `json:"webhook,omitempty"`
	Binding string  `json:"binding,omitempty"` // of a policy
	Request Request `json:"request"`
	Said    string  `json:"said,omitempty"`   // the reason that the API server gives, or would give
	Seen    bool    `json:"seen,omitempty"`   // refused by the API server; else that follows from the rules
	Failed  bool    `json:"failed,omitempty"` // refused because of an error: what can't be evaluated is denied
	Lacks   string  `json:"lacks,omitempty"`  // the parameter that isn't there: ConfigMap shop/lock
	Fault   *Phrase `json:"fault,omitempty"`  // why a webhook need not even be called to refuse it
	// Policies are objects of a policy engine that the denial of its webhook names.
	Policies []Ref `json:"policies,omitempty"`
	// Parameter is what the policy's binding gives it as its parameter.
	Parameter   *PolicyParameter `json:"parameter,omitempty"`
	Finalizer   string           `json:"finalizer,omitempty"` // the one that is put back into every update of PutBackInto
	PutBackInto *Ref             `json:"putBackInto,omitempty"`
	// Appliers are the objects of GitOps tools that apply what a step deletes again and again.
	Appliers []string `json:"appliers,omitempty"`
}

// PolicyParameter is what a policy's binding gives it as its parameter for a request.
type PolicyParameter struct {
	Object   Ref    `json:"object"`             // without a name if it isn't known which of several decides
	Selector string `json:"selector,omitempty"` // by which the binding selects it, if it names none
	Selected int    `json:"selected,omitempty"` // how many objects the binding selects, if several
	Absent   bool   `json:"absent,omitempty"`   // it does not exist, and parameterNotFoundAction is Deny
	Unread   bool   `json:"unread,omitempty"`   // it could not be read
}

// Secret reports whether the parameter is a Secret: their data is never read.
func (p *PolicyParameter) Secret() bool { return p.Object.Kind == "Secret" && p.Object.Group() == "" }

// ReadsParameter reports whether the policy has a parameter that is there, and whose content may be shown to people.
func (d AdmissionDeniedDetails) ReadsParameter() bool {
	given := d.Parameter
	return given != nil && given.Object.Name != "" && !given.Absent && !given.Secret()
}

// UpdateInvalidDetails are those of UpdateInvalid.
type UpdateInvalidDetails struct {
	Fields []string `json:"fields,omitempty"` // that are invalid
	Said   string   `json:"said,omitempty"`   // by validation
	// Changers may change the object on its way, and with it what is validated or left in it.
	Changers []Ref `json:"changers,omitempty"`
}

// BackendDetails tell how what answers behind a Service fares.
type BackendDetails struct {
	Service   Ref      `json:"service,omitzero"`
	Port      int32    `json:"port,omitempty"`     // that is asked for
	Ports     []string `json:"ports,omitempty"`    // that the Service has
	Outside   string   `json:"outside,omitempty"`  // the host or URL of something outside the cluster
	Workload  *Ref     `json:"workload,omitempty"` // that should run the pods
	Pod       *Ref     `json:"pod,omitempty"`      // one of the Pods that are there
	Pods      int      `json:"pods,omitempty"`
	State     *Phrase  `json:"state,omitempty"`     // why that isn't ready, or why the workload has no ready pod
	Unread    string   `json:"unread,omitempty"`    // what would have to be read to tell
	Forbidden bool     `json:"forbidden,omitempty"` // the reader may not
	Backend   *Phrase  `json:"backend,omitempty"`   // how it fares apart from its deleted namespace
	Namespace *Ref     `json:"namespace,omitempty"`
	// Already says of what would be missing after a deletion, or being deleted, that it is so now.
	Already bool `json:"already,omitempty"`
}

// SilentWebhooksDetails are those of webhooks of one configuration that can't answer, and of what is refused meanwhile.
type SilentWebhooksDetails struct {
	Webhooks []string        `json:"webhooks"`
	Backend  *Phrase         `json:"backend,omitempty"` // how what answers behind them fares
	Refuses  []RefusedWrites `json:"refuses"`           // or may refuse
}

// Inside reports whether objects in namespaces can't be deleted: then neither can their namespaces.
func (d SilentWebhooksDetails) Inside() bool {
	return slices.ContainsFunc(d.Refuses, func(writes RefusedWrites) bool {
		return writes.Write == RefusesDelete && len(writes.Namespaces) > 0
	})
}

// Sorts are the refused writes of each sort.
func (d SilentWebhooksDetails) Sorts() (sorts [][]RefusedWrites) {
	for i, refuse := range d.Refuses {
		if i == 0 || d.Refuses[i-1].Write != refuse.Write {
			sorts = append(sorts, nil)
		}
		sorts[len(sorts)-1] = append(sorts[len(sorts)-1], refuse)
	}
	return sorts
}

// DenyingPolicyDetails are those of a policy that denies deletions of what is in namespaces.
type DenyingPolicyDetails struct {
	Binding string          `json:"binding,omitempty"` // that applies it
	Said    string          `json:"said,omitempty"`    // the policy's message
	Failed  bool            `json:"failed,omitempty"`  // it can't be evaluated
	Refuses []RefusedWrites `json:"refuses"`           // or may refuse
}

// RefusedWrites are writes of one sort on objects of one kind.
type RefusedWrites struct {
	Write      RefusedWrite `json:"write"`
	Resource   string       `json:"resource"` // of the objects
	Objects    int          `json:"objects"`  // that there are now
	Namespaces []string     `json:"namespaces,omitempty"`
	AtLeast    bool         `json:"atLeast,omitempty"` // there are more objects, and not all were judged
}

// RefusedWrite is a sort of write that deletions need.
type RefusedWrite string

// The sorts of writes.
const (
	RefusesDelete   RefusedWrite = "Delete"          // of the object itself
	RefusesRelease  RefusedWrite = "RemoveFinalizer" // from an object that has one
	RefusesFinalize RefusedWrite = "Finalize"        // of a Namespace, when it is empty
	RefusesEviction RefusedWrite = "Evict"           // of a Pod
	RefusesDisown   RefusedWrite = "RemoveOwner"     // from a dependent, as --cascade=orphan needs it
)

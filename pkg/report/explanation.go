package report

// Explanation is what is known of a finalizer, or of the finalizers on a kind.
type Explanation struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Finalizer is the one that was asked about; empty when all on a kind were asked for.
	Finalizer string `json:"finalizer,omitempty"`
	// OnKind is the kind that was asked about, if one was.
	OnKind string `json:"onKind,omitempty"`
	// Known is sorted: what fits best first.
	Known []Known `json:"known"`
	// Cluster is what the cluster at hand tells of the controller; absent where no finalizer was named.
	Cluster *InCluster `json:"cluster,omitempty"`
}

// Known is what a plugin says of a finalizer. The fields mean what they mean in a plugin
// (docs/plugins.md).
type Known struct {
	Project        string       `json:"project"`
	File           string       `json:"file"`
	Names          []string     `json:"names"`
	Kinds          []string     `json:"kinds,omitempty"`
	AddedBy        string       `json:"addedBy,omitempty"`
	RemovedBy      string       `json:"removedBy"`
	Workloads      []string     `json:"workloads,omitempty"`
	Containers     []string     `json:"containers,omitempty"`
	Labels         []string     `json:"labels,omitempty"`
	Namespaces     []string     `json:"namespaces,omitempty"`
	Leases         []string     `json:"leases,omitempty"`
	Managers       []string     `json:"managers,omitempty"`
	MayRunOutside  string       `json:"mayRunOutside,omitempty"`
	WaitsFor       string       `json:"waitsFor"`
	Waits          []KnownWait  `json:"waits,omitempty"`
	Guards         []string     `json:"guards,omitempty"`
	Loses          string       `json:"loses"`
	SafeWayOut     string       `json:"safeWayOut,omitempty"`
	StatusFields   []KnownField `json:"statusFields,omitempty"`
	ResourceFields []KnownField `json:"resourceFields,omitempty"`
	Notes          string       `json:"notes,omitempty"`
	Links          []string     `json:"links,omitempty"`
	Verified       KnownCheck   `json:"verified"`
	// Doubt says why its removal is not certain; empty when both its name and its release condition
	// were read in source.
	Doubt  string `json:"doubt,omitempty"`
	Source string `json:"source,omitempty"`
}

// KnownWait is objects that hold a deletion up.
type KnownWait struct {
	Resource string `json:"resource"`
	Scope    string `json:"scope"`
	Where    string `json:"where"`
	Says     string `json:"says"`
	Loses    string `json:"loses,omitempty"`
}

// KnownField is a place in an object.
type KnownField struct {
	Path string `json:"path"`
	Says string `json:"says"`
}

// KnownCheck says how each group of statements was checked: Source, Excerpt or None.
type KnownCheck struct {
	Name       string `json:"name,omitempty"`
	WaitsFor   string `json:"waitsFor,omitempty"`
	Controller string `json:"controller,omitempty"`
	Fields     string `json:"fields,omitempty"`
}

// ProjectList is the projects of which finalizers are known.
type ProjectList struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Items      []Project `json:"items"`
}

// Project is one plugin.
type Project struct {
	Project    string   `json:"project"`
	File       string   `json:"file"`
	Finalizers []string `json:"finalizers"`
}
